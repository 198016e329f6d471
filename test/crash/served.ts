import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const BIN = join(import.meta.dirname, '../../bin/dragoman.js');

/** `dragoman serve` as a process that can be killed at any moment. The caller kills or ends it. */
export interface Served {
  readonly child: ChildProcess;
  /** The address, once it listens; undefined if the process ended before that. */
  readonly ready: Promise<string | undefined>;
  /** Its output on standard error so far. */
  log(): string;
  /** Kills the process without a warning. Resolves when it is gone. */
  kill(): Promise<void>;
  /** Stops the process with SIGTERM, as an operator does; returns the exit code. */
  end(): Promise<number | null>;
}

/** The ids of the processes of `serve --processes`. */
export function processesOf({ child: { pid } }: Pick<Served, 'child'>): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  // Excludes the guard that ends them with the program.
  const isServing = (id: string): boolean =>
    readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('\0serve\0');
  return children.filter(isServing).map(Number);
}

/**
 * @param store the database to use instead of the directory
 * @param bin another release of the program
 */
export function startServing(
  directory: string,
  argv: readonly string[] = [],
  { store, bin = BIN, ...env }: Readonly<Record<string, string>> = {},
): Served {
  const place = store === undefined ? ['--data-dir', directory] : ['--store', store];
  const child = spawn(
    process.execPath,
    [bin, 'serve', ...place, '--engine', 'pseudo', '--port', '0', ...argv],
    {
      cwd: directory,
      env: { PATH: process.env['PATH'] ?? '', HOME: directory, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const ended = once(child, 'close');
  let log = '';
  const ready = new Promise<string | undefined>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      const address = /^dragoman listening on (\S+)$/m.exec(log)?.[1];
      if (address !== undefined) resolve(address);
    });
    void ended.then(() => resolve(undefined));
  });
  return {
    child,
    ready,
    log: () => log,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async end() {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}
