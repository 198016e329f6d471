import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { memoryOf } from './process-figures.ts';
import { openStore, type StorePlace } from '../../src/store/open-store.ts';

export interface MeasuredServer {
  readonly url: string;
  readonly pid: number;
  /** The current memory of the process and its children, in bytes; shared pages count once. */
  memory(): number;
  stop(): Promise<void>;
}

/** The time that a server gets to end by itself. */
const STOP_MS = 15_000;

/** Starts a program that prints `listening on URL` to standard error, which goes to a file in `directory`. */
export async function startServer(directory: string, args: readonly string[]): Promise<MeasuredServer> {
  const file = join(directory, `${performance.now()}.log`);
  const log = openSync(file, 'a');
  const child = spawn('node', args, { stdio: ['ignore', 'ignore', log] });
  closeSync(log);
  for (let waited = 0; waited < 20_000; waited += 50) {
    const url = /listening on (\S+)/.exec(readFileSync(file, 'utf8'))?.[1];
    if (url !== undefined) return measure(child, url);
    await delay(50);
  }
  child.kill('SIGKILL');
  throw new Error(`node ${args.join(' ')} did not start: ${readFileSync(file, 'utf8')}`);
}

function measure(child: ChildProcess, url: string): MeasuredServer {
  const { pid = 0 } = child;
  return {
    url,
    pid,
    memory: () => memoryOf(pid),
    stop: async () => {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      const limit = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(limit);
    },
  };
}

const SIDE_BY_SIDE = 25;

/** Creates accounts in a store, and writes their keys to a file, one per line. */
export async function createKeys(place: StorePlace, file: string, count: number): Promise<readonly string[]> {
  const store = await openStore(place);
  const keys: string[] = [];
  // Concurrent calls share commits, but more calls than a database has connections would wait too long.
  for (let made = 0; made < count; made += SIDE_BY_SIDE) {
    const some = Array.from({ length: Math.min(SIDE_BY_SIDE, count - made) }, (_, i) => made + i);
    const created = await Promise.all(
      some.map((i) =>
        store.accounts.create({ email: `bench${i}@example.org`, fullName: 'Bench', credits: 1e9 }),
      ),
    );
    keys.push(...created.map(({ key }) => key));
  }
  await store.close();
  writeFileSync(file, keys.join('\n'));
  return keys;
}

/** A data directory with an account; returns its key. */
export function createKey(dataDirectory: string, credits: number): string {
  const account = ['--email', 'bench@example.org', '--name', 'Bench', '--credits', String(credits)];
  const args = ['bin/dragoman.js', 'keys', 'create', '--data-dir', dataDirectory, ...account];
  return execFileSync('node', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
