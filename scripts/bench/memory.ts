import { statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'libsql';
import { openTranslationMemory } from '../../src/memory/translation-memory.ts';
import type { NewEntry, StoredMemory } from '../../src/memory/stored-memory.ts';
import { timed } from './echo.ts';
import { interleave, median, milliseconds, printRow, withDirectory } from './measure.ts';
import { InterfaceStrings } from './memory-strings.ts';

const ENTRIES = 1_000_000;
const EVERY = 200;
/** The texts of a typical file, which the pipeline looks up together. */
const BATCH = 500;
const RUNS = 5;
const PAIR = { source: 'en', target: 'es' };

/**
 * The translation memory with a million entries, compared with a map in memory and with reading a single row
 * by its number.
 */
export async function benchMemory(): Promise<void> {
  await withDirectory(async (directory) => {
    const path = join(directory, 'memory.db');
    const asked = await build(path);
    const memory = await openTranslationMemory(path);
    await benchSimilar(memory, asked);
    await benchExact(memory, asked);
    await memory.close();
  });
}

/** @returns entries to look up, from all parts of the memory */
async function build(path: string): Promise<readonly NewEntry[]> {
  const memory = await openTranslationMemory(path);
  const asked: NewEntry[] = [];
  const started = performance.now();
  await memory.storeAll(entries(asked));
  const seconds = (performance.now() - started) / 1_000;
  const { messages } = await memory.stats();
  await memory.close();
  printRow(
    `memory     ${ENTRIES / 1e6} million entries: stored`,
    `${seconds.toFixed(0)} s  ${perSecond(ENTRIES, seconds * 1_000)}`,
  );
  printRow(
    'memory     its file',
    `${(statSync(path).size / 1e6).toFixed(0)} MB for ${messages} messages; process ${residentMegabytes()} MB`,
  );
  return asked;
}

function* entries(asked: NewEntry[]): Generator<NewEntry> {
  const strings = new InterfaceStrings();
  for (let i = 0; i < ENTRIES; i++) {
    const { text, translation, placeholders, context } = strings.next();
    const entry: NewEntry = {
      pair: PAIR,
      segments: [text],
      placeholders,
      category: '',
      context,
      translations: [translation],
      origin: 'machine',
      engine: 'firefox',
    };
    if (i % EVERY === 0) asked.push(entry);
    yield entry;
  }
}

async function benchExact(memory: StoredMemory, asked: readonly NewEntry[]): Promise<void> {
  const map = new Map<string, string>();
  for (const { segments, translations } of entries([])) map.set(segments[0] ?? '', translations[0] ?? '');
  const bare = new Sqlite(memory.path);
  const row = bare.prepare('select segments from messages where id = ?').raw();
  const results = await interleave(RUNS + 1, [
    timed(() => asked.forEach(({ segments }) => require(map.get(segments[0] ?? '')))),
    timed(() => asked.forEach((_, i) => require(row.get([1 + i * (EVERY - 10)])))),
    timed(async () => {
      for (let i = 0; i < asked.length; i += BATCH) {
        (await memory.find(asked.slice(i, i + BATCH), PAIR)).forEach(require);
      }
    }),
    timed(async () => {
      for (const entry of asked) (await memory.find([entry], PAIR)).forEach(require);
    }),
  ]);
  bare.close();
  // The first round warms the file cache.
  const [inMap = NaN, byNumber = NaN, batched = NaN, single = NaN] = results.map((times) =>
    median(times.slice(1)),
  );
  const lookups = asked.length;
  printRow('memory     a map in memory', perSecond(lookups, inMap));
  printRow('memory     a bare row by its number', perSecond(lookups, byNumber));
  printRow(
    `memory     exact, ${BATCH} at once`,
    `${perSecond(lookups, batched)}  ${(batched / byNumber).toFixed(2)} x a bare row, ${(batched / inMap).toFixed(0)} x the map`,
    { text: '50,000/s', met: (lookups / batched) * 1_000 >= 50_000 },
  );
  printRow(
    'memory     exact, one by one',
    `${perSecond(lookups, single)}  ${(single / byNumber).toFixed(2)} x a bare row`,
  );
}

async function benchSimilar(memory: StoredMemory, asked: readonly NewEntry[]): Promise<void> {
  const strings = new InterfaceStrings();
  const times: number[] = [];
  let found = 0;
  for (const entry of asked.slice(0, 2_000)) {
    const message = { ...entry, segments: [strings.variationOf(entry.segments[0] ?? '')] };
    const started = performance.now();
    const similar = await memory.findSimilar(message, PAIR, { most: 3 });
    times.push(performance.now() - started);
    if (similar.length > 0) found++;
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? NaN;
  printRow(
    'memory     similar, with one word changed',
    `${milliseconds(at(0.5))} median, ${milliseconds(at(0.9))} for 90 %, ${milliseconds(at(0.99))} for 99 %; found for ${found} of ${times.length}`,
    { text: '20 ms', met: at(0.5) <= 20 },
  );
  printRow('memory     the process afterwards', `${residentMegabytes()} MB`);
}

function require(value: unknown): void {
  if (value === undefined) throw new Error('not found');
}

function perSecond(count: number, milliseconds: number): string {
  return `${Math.round((count / milliseconds) * 1_000).toLocaleString('en')}/s`;
}

function residentMegabytes(): string {
  return (process.memoryUsage().rss / 1e6).toFixed(0);
}
