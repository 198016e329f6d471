import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { journalOf, start } from './program.ts';

/** 5,000 keys in 10 files, translated by a program that records every text it receives. */
const FILES = 10;
const KEYS = 500;
const KILLS = 50;
const ENGINE = `
  const { appendFileSync } = require('node:fs');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, texts } = JSON.parse(line);
    appendFileSync(process.env.ASKED, texts.join('\\n') + '\\n');
    console.log(JSON.stringify({ id, translations: texts.map((text) => text.replace('Text', 'Texte')) }));
  });`;

const root = mkdtempSync(join(tmpdir(), 'dragoman-crash-'));
const asked = join(root, 'asked.log');
const journal = journalOf(root);
const sources = Array.from({ length: FILES }, (_, file) => `en/file${file}.json`);
const targets = sources.map((name) => name.replace('en/', 'fr/'));
const argv = ['sync', root, '-s', 'en', '-t', 'fr', '--engine', 'exec', '--engine-command'];
const command = `"${process.execPath}" "${join(root, 'engine.cjs')}"`;
/** Without a memory, only the journal contains the finished texts. */
const run = (memory = 'off') => start([...argv, command], root, { ASKED: asked, DRAGOMAN_MEMORY: memory });

/** A source file in its first or second edition: the second changes every third value and adds keys. */
function sourceText(file: number, edition: number): string {
  const entries = Array.from({ length: KEYS + (edition - 1) * 20 }, (_, key) => {
    const changed = edition > 1 && key % 3 === 0 ? ' again' : '';
    return `  "key${key}": "Text ${file}.${key}${changed}"`;
  });
  return `{\n${entries.join(',\n')}\n}\n`;
}

function writeSources(edition: number): void {
  for (const [file, name] of sources.entries()) writeFileSync(join(root, name), sourceText(file, edition));
}

const targetText = (file: number, edition: number): string =>
  sourceText(file, edition).replaceAll('Text', 'Texte');

/** Translations in the journal: their batches are finished. */
function finished(): Set<string> {
  if (!existsSync(journal)) return new Set();
  const lines = readFileSync(journal, 'utf8').split('\n').slice(0, -1);
  return new Set(
    lines.flatMap((line) => {
      const { segments = [] } = JSON.parse(line) as { segments?: [string, string][] };
      return segments.map(([, translation]) => translation.replace('Texte', 'Text'));
    }),
  );
}

function expectWholeFiles(editions: readonly number[]): void {
  for (const [file, name] of targets.entries()) {
    const path = join(root, name);
    if (!existsSync(path)) expect(editions).toContain(0);
    else
      expect(editions.map((edition) => (edition === 0 ? '' : targetText(file, edition)))).toContain(
        readFileSync(path, 'utf8'),
      );
  }
}

/** Runs to the end, or kills the run after some time; never requests finished texts again. */
async function attempt(killAfterMs: number | undefined, memory?: string): Promise<boolean> {
  const before = finished();
  writeFileSync(asked, '');
  const running = run(memory);
  const timer =
    killAfterMs === undefined ? undefined : setTimeout(() => running.child.kill('SIGKILL'), killAfterMs);
  const { code, signal, stderr } = await running.ended;
  clearTimeout(timer);
  const again = readFileSync(asked, 'utf8')
    .split('\n')
    .filter((text) => before.has(text));
  expect(again, 'finished batches that were requested again').toEqual([]);
  if (signal === null) expect(code, stderr).toBe(0);
  return signal === null;
}

function expectNoStaleFiles(): void {
  const left = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /dragoman-(tmp|sync)|journal$/.test(name),
  );
  expect(left).toEqual([]);
}

beforeAll(async () => {
  writeFileSync(join(root, 'engine.cjs'), ENGINE);
  for (const directory of ['en', 'fr'])
    await import('node:fs/promises').then(({ mkdir }) => mkdir(join(root, directory)));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('a sync that is killed', () => {
  it(`loses nothing at ${KILLS} points in time`, { timeout: 300_000 }, async () => {
    writeSources(1);
    const started = performance.now();
    await attempt(undefined);
    const duration = performance.now() - started;
    let edition = 1;
    let previous = 0;
    let killed = 0;
    let seed = 42;
    const random = (): number => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) / 0x7fffffff;
    while (killed < KILLS) {
      // Each round starts from the state of the last one: empty, a whole first edition, or an interrupted run.
      const done = await attempt(duration * (0.1 + 0.9 * random()));
      if (!done) killed++;
      expectWholeFiles([previous, edition]);
      if (!done) continue;
      expectWholeFiles([edition]);
      expectNoStaleFiles();
      if (edition === 1) [previous, edition] = [1, 2];
      else {
        [previous, edition] = [0, 1];
        for (const name of [...targets, 'dragoman.lock']) rmSync(join(root, name));
      }
      writeSources(edition);
    }
    while (!(await attempt(undefined))) appendFileSync(asked, '');
    expectWholeFiles([edition]);
    expectNoStaleFiles();
    const check = await start(['check', root], root).ended;
    expect(check.code, check.stderr).toBe(0);
  });

  it('saves its results when interrupted, and reports that', async () => {
    writeSources(1);
    for (const name of [...targets, 'dragoman.lock']) rmSync(join(root, name), { force: true });
    writeFileSync(asked, '');
    const running = run();
    while (readFileSync(asked, 'utf8').length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect(stderr).toMatch(/interrupted/);
    expect(code).toBe(130);
    expectWholeFiles([0, 1]);
    await attempt(undefined);
    expectWholeFiles([1]);
  });

  it('stores everything in the translation memory in the end, whenever it is killed', async () => {
    writeSources(2);
    const forget = (): void => {
      for (const name of [...targets, 'dragoman.lock']) rmSync(join(root, name), { force: true });
    };
    forget();
    const memory = join(root, '.cache', 'killed.db');
    let ended = false;
    for (let after = 400; !ended; after += 150) ended = await attempt(after, memory);
    expectWholeFiles([2]);
    forget();
    await attempt(undefined, memory);
    expectWholeFiles([2]);
    expect(readFileSync(asked, 'utf8')).toBe('');
  });
});
