import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'libsql';
import { describe, expect, it } from 'vitest';
import { makeEndless } from '../hostile/databases.ts';
import { runBuilt } from './checkout/program.ts';
import { dragoman, projectWith, temporaryDirectory } from './harness.ts';

const BIN = join(import.meta.dirname, '../../bin/dragoman.js');

/** Two seconds; on a busy machine, the allowed computing time can take up to ten. */
const LIMIT_MS = 20_000;

const ENGINE = `
  const lines = require('readline').createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const { id, texts } = JSON.parse(line);
    console.log(JSON.stringify({ id, translations: texts.map((text) => text.toLowerCase()) }));
  });`;

interface Stopped {
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  readonly stderr: string;
  readonly took: number;
}

/** Sends a signal to the program, which must still be running after this time. */
async function stop(argv: readonly string[], signal: NodeJS.Signals, afterMs: number): Promise<Stopped> {
  const home = temporaryDirectory();
  const child = spawn(process.execPath, [BIN, ...argv], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const closed = new Promise<Pick<Stopped, 'code' | 'signal'>>((resolve) => {
    child.on('close', (code, by) => resolve({ code, signal: by }));
  });
  await delay(afterMs);
  expect(child.exitCode, stderr).toBe(null);
  const begin = performance.now();
  child.kill(signal);
  const last = setTimeout(() => child.kill('SIGKILL'), 30_000);
  const ended = await closed;
  clearTimeout(last);
  return { ...ended, stderr, took: performance.now() - begin };
}

/** A memory in a separate file: this process keeps the file that it wrote open for a while. */
async function copyOfMemory(directory: string): Promise<string> {
  const made = join(temporaryDirectory(), 'made.db');
  const cwd = projectWith({ 'x.csv': 'en,fr\nSave,Enregistrer\n' });
  const run = await dragoman(['memory', 'import', 'x.csv', '--memory', made], { cwd });
  expect(run.exitCode, run.stderr).toBe(0);
  const path = join(directory, 'm.db');
  copyFileSync(made, path);
  return path;
}

describe('a signal while the program computes', () => {
  it.each([
    ['SIGTERM', 1_000],
    ['SIGINT', 1_000],
    ['SIGTERM', 20],
  ] as const)('%s ends an endless SQLite statement after %i ms', async (signal, afterMs) => {
    const path = await copyOfMemory(temporaryDirectory());
    makeEndless(path);
    const argv = ['memory', 'stats', '--memory', path];
    const ended = await stop(argv, signal, afterMs);
    expect(ended.signal, ended.stderr).not.toBe(null);
    expect(ended.took).toBeLessThan(LIMIT_MS);
    if (ended.signal === 'SIGKILL') expect(ended.stderr).toMatch(/did not stop in time/);
  });

  it('SIGTERM ends the reading of a long document', async () => {
    const path = join(temporaryDirectory(), 'long.md');
    writeFileSync(path, 'One *two* [three](four) `five`\n\n'.repeat(120_000));
    const argv = [
      'markdown',
      path,
      '-s',
      'en',
      '-t',
      'es',
      '--engine',
      'pseudo',
      '--no-memory',
      '-o',
      `${path}.es`,
    ];
    const ended = await stop(argv, 'SIGTERM', 1_500);
    expect(ended.signal ?? ended.code, ended.stderr).not.toBe(0);
    expect(ended.took).toBeLessThan(LIMIT_MS);
    expect(existsSync(`${path}.es`)).toBe(false);
  });
});

describe('the thread that kills a busy process', () => {
  /** Prints a line whenever the program starts a thread. */
  const COUNTER = `
    const threads = require('node:worker_threads');
    const { Worker } = threads;
    threads.Worker = class extends Worker {
      constructor(...given) {
        super(...given);
        process.stderr.write('started a thread\\n');
      }
    };
    require('node:module').syncBuiltinESMExports();`;

  it.each([
    ['the memory is a named file', ['--memory', 'm.db'], 1],
    ['reading the file keeps the program busy', ['--no-memory'], 15_000],
  ])('starts if %s', async (_, flags, paragraphs) => {
    const cwd = projectWith({ 'page.md': 'One *two* [three](four) `five`\n\n'.repeat(paragraphs) });
    writeFileSync(join(cwd, 'counter.cjs'), COUNTER);
    writeFileSync(join(cwd, 'engine.cjs'), ENGINE);
    const engine = ['--engine', 'exec', '--engine-command', `${process.execPath} engine.cjs`];
    const argv = ['markdown', 'page.md', '-s', 'en', '-t', 'es', ...engine, ...flags, '-o', 'page.es.md'];
    const env = { NODE_OPTIONS: `--require ${join(cwd, 'counter.cjs')}` };
    const { stderr } = await runBuilt(argv, { cwd, env, until: /started a thread/ });
    expect(stderr).toMatch(/started a thread/);
  });
});

describe('the memory of a checkout', () => {
  it('does not execute its triggers', async () => {
    const cwd = projectWith({
      'locales/en.json': '{"a": "One", "b": "Two"}\n',
      'dragoman.config.json': JSON.stringify({
        source: 'en',
        targets: ['fr'],
        memory: 'm.db',
        files: [{ source: 'locales/en.json', target: 'locales/{locale}.json' }],
      }),
    });
    const path = await copyOfMemory(cwd);
    const connection = new Sqlite(path);
    connection.exec(`create trigger t after insert on translations begin
      insert into engines (name) select * from (with recursive r(x) as (select 1 union all select x + 1 from r) select count(*) from r); end`);
    connection.close();
    const program = join(temporaryDirectory(), 'engine.cjs');
    writeFileSync(program, ENGINE);
    const engine = ['--engine', 'exec', '--engine-command', `${process.execPath} ${program}`];
    const { code, stderr } = await runBuilt(['sync', ...engine], { cwd });
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/continuing without the translation memory: .*m\.db: it contains the trigger t/);
    expect(existsSync(join(cwd, 'locales/fr.json'))).toBe(true);
  });
});
