import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import Sqlite from 'libsql';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { EN_ES, entriesIn, messageOf, openMemory, temporaryDirectory } from './harness.ts';

/** Real processes on one memory, killed as a machine kills them. */

interface MemoryProcess {
  /** What it has said, without `ready`. */
  readonly lines: readonly string[];
  begin(): void;
  /** Resolves when it has said so many lines; it has said, and done, some more by then. */
  said(lines: number): Promise<void>;
  kill(): void;
  /** Resolves when all it has said has arrived. */
  readonly ended: Promise<void>;
}

const scripts = mkdtempSync(join(tmpdir(), 'dragoman-memory-process-'));
const script = join(scripts, 'memory-process.mjs');
afterAll(() => rmSync(scripts, { recursive: true }));

/** Bundled once, because several are started; libsql finds its binary beside itself. */
beforeAll(async () => {
  const libsql = createRequire(import.meta.url).resolve('libsql');
  await build({
    entryPoints: [join(import.meta.dirname, 'memory-process.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    alias: { libsql },
    external: [libsql],
  });
});

async function start(task: string, file: string, name = ''): Promise<MemoryProcess> {
  const child = spawn(process.execPath, [script, task, file, name], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout });
  const ended = new Promise<void>((resolve) => {
    output.once('close', resolve);
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`the process ended: ${lines.join(', ')}`)));
    output.on('line', (line) => {
      if (line === 'ready') resolve();
      else lines.push(line);
    });
  });
  return {
    lines,
    begin: () => child.stdin.write('go\n'),
    said: async (count) => {
      while (lines.length < count) await once(output, 'line');
    },
    kill: () => child.kill('SIGKILL'),
    ended,
  };
}

describe('processes on one memory', () => {
  it('lose nothing that was stored when they are killed, and leave it whole', async () => {
    const file = join(temporaryDirectory(), 'memory.db');
    const rounds = new Map<string, number>();
    for (let round = 0; round < 4; round++) {
      const names = [`a${round}`, `b${round}`];
      const both = await Promise.all(names.map((name) => start('store', file, name)));
      for (const one of both) one.begin();
      for (const [i, one] of both.entries()) {
        await one.said(3 + 7 * round + 5 * i);
        one.kill();
        await one.ended;
        rounds.set(names[i] ?? '', one.lines.length);
        expect(one.lines.at(-1)).toBe(`stored ${one.lines.length - 1}`);
      }
    }
    const memory = await openMemory(file);
    const contexts = new Map<string, number>();
    for (const { context, translations, segments } of await entriesIn(memory)) {
      expect(translations).toEqual([`${segments[0]} by ${context}`]);
      contexts.set(context, (contexts.get(context) ?? 0) + 1);
    }
    for (const [name, count] of rounds) {
      // One round may have been stored without having been told; no round in part.
      expect([count * 20, (count + 1) * 20], name).toContain(contexts.get(name));
    }
    const raw = new Sqlite(file);
    expect(raw.prepare('pragma integrity_check').get()).toMatchObject({ integrity_check: 'ok' });
    raw.close();
    // What finds similar texts is whole too.
    const { messages } = await memory.stats();
    for (let i = 0; i < messages; i += 17) {
      const [similar] = await memory.findSimilar(messageOf(`The ${i}th sentence!`), EN_ES, { most: 1 });
      expect(similar?.source).toBe(`The ${i}th sentence`);
    }
  });

  it('store at the same time, each of them all', async () => {
    const file = join(temporaryDirectory(), 'memory.db');
    const all = await Promise.all(['a', 'b', 'c'].map((name) => start('rounds', file, name)));
    for (const one of all) one.begin();
    await Promise.all(all.map(({ ended }) => ended));
    for (const { lines } of all) expect(lines.at(-1)).toBe('closed');
    const stats = await (await openMemory(file)).stats();
    expect(stats).toMatchObject({ entries: 3 * 400, messages: 400 });
    expect(stats.pairs[0]?.engines.map(({ entries }) => entries)).toEqual([400, 400, 400]);
  });

  it('can make the same memory at the same moment', async () => {
    const file = join(temporaryDirectory(), 'new', 'memory.db');
    const all = await Promise.all(Array.from({ length: 4 }, () => start('open', file)));
    for (const one of all) one.begin();
    await Promise.all(all.map(({ ended }) => ended));
    expect(all.map(({ lines }) => lines)).toEqual(Array.from({ length: 4 }, () => ['closed']));
    expect(await (await openMemory(file)).stats()).toMatchObject({ entries: 0 });
  });
});
