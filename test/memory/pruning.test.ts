import { join } from 'node:path';
import Sqlite from 'libsql';
import { describe, expect, it } from 'vitest';
import type { PruneChoice, StoredMemory } from '../../src/memory/stored-memory.ts';
import { openTranslationMemory } from '../../src/memory/translation-memory.ts';
import {
  EN_DE,
  EN_ES,
  entriesIn,
  entryOf,
  inPair,
  messageOf,
  openMemory,
  temporaryDirectory,
} from './harness.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 0, 1);

describe('pruning', () => {
  /**
   * A memory with entries by two engines and a person in two languages. Entries requested on the second day
   * have that day as their date of last use.
   */
  async function filled(): Promise<{ memory: StoredMemory; later: (days: number) => void }> {
    let now = START;
    const memory = await openMemory(undefined, { now: () => now });
    await memory.store(
      [entryOf('One', 'Uno'), entryOf('Two', 'Dos', { engine: 'deepl' }), entryOf('Three', 'Tres')],
      EN_ES,
    );
    await memory.store([entryOf('One', 'Eins'), entryOf('Four', 'Vier', { origin: 'human' })], EN_DE);
    const later = (days: number): void => {
      now += days * DAY_MS;
    };
    return { memory, later };
  }

  const leftIn = async (memory: StoredMemory): Promise<string> =>
    (await entriesIn(memory)).flatMap(({ translations }) => translations).join(' ');

  it.each<[PruneChoice, string]>([
    [{}, 'Vier'],
    [{ engine: 'deepl' }, 'Uno Eins Tres Vier'],
    [{ engine: 'nobody' }, 'Uno Eins Dos Tres Vier'],
    [{ target: 'de' }, 'Uno Dos Tres Vier'],
    [{ source: 'de' }, 'Uno Eins Dos Tres Vier'],
    [{ source: 'en', target: 'es', engine: 'apertium' }, 'Eins Dos Vier'],
    [{ origin: 'human' }, 'Uno Eins Dos Tres'],
    [{ origin: 'human', target: 'es' }, 'Uno Eins Dos Tres Vier'],
    [{ unusedSince: new Date(START) }, 'Uno Eins Dos Tres Vier'],
    [{ unusedSince: new Date(START + DAY_MS) }, 'Vier'],
    [{ mostEntries: 10 }, 'Uno Eins Dos Tres Vier'],
    [{ mostEntries: 0, target: 'de' }, 'Uno Dos Tres Vier'],
  ])('with %o leaves %s', async (choice, left) => {
    const { memory } = await filled();
    const removed = 5 - left.split(' ').length;
    expect(await memory.prune({ ...choice, dryRun: true })).toBe(removed);
    expect(await leftIn(memory)).toBe('Uno Eins Dos Tres Vier');
    expect(await memory.prune(choice)).toBe(removed);
    expect(await leftIn(memory)).toBe(left);
    expect(await memory.prune(choice)).toBe(0);
  });

  it('uses the date of last use, which is recorded once a day', async () => {
    const { memory, later } = await filled();
    later(10);
    expect(await memory.find([messageOf('One'), messageOf('Five')], EN_ES)).toHaveLength(2);
    await memory.findSimilar(messageOf('TWO'), EN_ES);
    later(0.5);
    await memory.find([messageOf('One')], EN_ES);
    const used = (await memory.stats()).newestUse;
    expect(used).toEqual(new Date(START + 10.5 * DAY_MS));
    expect(await memory.prune({ unusedSince: new Date(START + 5 * DAY_MS) })).toBe(2);
    expect(await leftIn(memory)).toBe('Uno Dos Vier');
  });

  it('keeps the most recently used entries', async () => {
    const { memory, later } = await filled();
    later(2);
    await memory.find([messageOf('Three')], EN_ES);
    await memory.find([messageOf('One')], EN_DE);
    expect(await memory.prune({ mostEntries: 2 })).toBe(2);
    expect(await leftIn(memory)).toBe('Eins Tres Vier');
  });

  it('keeps the recorded use when closed', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    const first = await openTranslationMemory(path, { now: () => START });
    await first.store([entryOf('One', 'Uno')], EN_ES);
    await first.close();
    const second = await openTranslationMemory(path, { now: () => START + 2 * DAY_MS });
    await second.find([messageOf('One')], EN_ES);
    await second.close();
    expect((await (await openMemory(path)).stats()).oldestUse).toEqual(new Date(START + 2 * DAY_MS));
  });

  it('executes concurrent calls one at a time', async () => {
    const { memory } = await filled();
    const both = [memory.prune({ target: 'de' }), memory.prune({ target: 'es' }), memory.prune({})];
    expect(await Promise.all(both)).toEqual([1, 3, 0]);
  });

  it('fails on a locked memory; reading it does not', async () => {
    let now = START;
    const memory = await openMemory(undefined, { now: () => now, busyMs: 5 });
    const texts = Array.from({ length: 11_000 }, (_, i) => `Text ${i}`);
    await memory.storeAll(texts.map((text) => inPair(entryOf(text, text))));
    now += 2 * DAY_MS;
    const other = new Sqlite(memory.path);
    other.exec('begin immediate');
    const found = await memory.find(
      texts.map((text) => messageOf(text)),
      EN_ES,
    );
    expect(found.every((translation) => translation !== undefined)).toBe(true);
    await expect(memory.prune({})).rejects.toMatchObject({ code: 'unwritable_output' });
    other.exec('rollback');
    other.close();
    expect(await memory.prune({})).toBe(11_000);
  });

  it('makes the file smaller, and leaves nothing behind', async () => {
    const memory = await openMemory();
    const texts = Array.from({ length: 6_000 }, (_, i) => `Sentence number ${i} of many, here and there`);
    await memory.storeAll(texts.map((text) => inPair(entryOf(text, text))));
    const { bytes } = await memory.stats();
    expect(await memory.prune({ mostEntries: 100 })).toBe(5_900);
    const after = await memory.stats();
    expect(after).toMatchObject({ entries: 100, messages: 100 });
    expect(after.bytes).toBeLessThan(bytes / 4);
    expect(await memory.prune({})).toBe(100);
    const raw = new Sqlite(memory.path);
    for (const table of ['messages', 'translations', 'similar']) {
      expect(raw.prepare(`select count(*) as rows from ${table}`).get(), table).toMatchObject({ rows: 0 });
    }
    raw.close();
  });

  it('keeps translations that other processes use in the meantime', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    let now = START;
    const memory = await openMemory(path, { now: () => now });
    const texts = Array.from({ length: 6_000 }, (_, i) => `Text ${i}`);
    await memory.storeAll(texts.map((text) => inPair(entryOf(text, text))));
    now += 10 * DAY_MS;
    const other = await openTranslationMemory(path, { now: () => now });
    const pruning = memory.prune({ unusedSince: new Date(START + DAY_MS) });
    // This request happens after the first of two transactions and before the second.
    await other.find([messageOf('Text 5999')], EN_ES);
    await other.close();
    const removed = await pruning;
    expect(await entriesIn(memory)).toHaveLength(6_000 - removed);
    expect([5_999, 6_000]).toContain(removed);
  });
});
