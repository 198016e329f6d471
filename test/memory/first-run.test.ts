import { join } from 'node:path';
import Sqlite from 'libsql';
import { describe, expect, it, vi } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { MemoryFile } from '../../src/memory/memory-file.ts';
import { EN_DE, EN_ES, entryOf, messageOf, openMemory, temporaryDirectory } from './harness.ts';

/** The cost of a run that only stores, as first runs do. */

const texts = Array.from({ length: 2_000 }, (_, i) => `The file number ${i} could not be opened`);
const entries = texts.map((text, i) => entryOf(text, `${text}!`, { context: `key${i}` }));

/** Counts the calls that reach the library. */
function countCalls(): () => number {
  const spies = (['row', 'rows', 'run'] as const).map((name) => vi.spyOn(MemoryFile.prototype, name));
  return () => {
    const calls = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    for (const spy of spies) spy.mockRestore();
    return calls;
  };
}

function indexed(path: string): unknown {
  const raw = new Sqlite(path);
  try {
    return raw.prepare('select count(*) as rows from similar').get();
  } finally {
    raw.close();
  }
}

describe('a first run', () => {
  it.each([
    ['the first language', [EN_ES], 100],
    ['each further language', [EN_DE, EN_ES], 46],
    ['messages that it stores again', [EN_ES, EN_ES], 20],
  ])('rarely queries the file for %s', async (_, pairs, most) => {
    const memory = await openMemory();
    const [last = EN_ES] = pairs.slice(-1);
    for (const pair of pairs.slice(0, -1)) await memory.store(entries, pair);
    const calls = countCalls();
    await memory.store(entries, last);
    expect(calls()).toBeLessThanOrEqual(most);
    expect((await memory.stats()).entries).toBe(new Set(pairs).size * texts.length);
  });

  it('does not look up messages that it has just stored, unless another process has written since', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    const memory = await openMemory(path);
    await memory.store(entries, EN_DE);
    const rows = vi.spyOn(MemoryFile.prototype, 'rows');
    await memory.store(entries, EN_ES);
    expect(rows).not.toHaveBeenCalled();
    rows.mockRestore();

    const other = await openMemory(path);
    expect(await other.prune({})).toBe(2 * texts.length);
    await other.store(
      texts.map((text) => entryOf(`${text}?`, 'other')),
      EN_DE,
    );
    await memory.store(entries, EN_ES);
    const found = await memory.find(entries, EN_ES);
    expect(found.map((one) => one?.translations[0])).toEqual(texts.map((text) => `${text}!`));
    expect((await memory.stats()).messages).toBe(2 * texts.length);
  });

  it('skips lookups in an empty memory, unless another process has written since', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    const memory = await openMemory(path);
    const [some, more] = [entries.slice(0, 1_000), entries.slice(1_000)];
    for (const pair of [EN_DE, EN_ES]) await memory.store(some, pair);
    const rows = vi.spyOn(MemoryFile.prototype, 'rows');
    for (const pair of [EN_DE, EN_ES]) {
      expect(await memory.find(more, pair)).toEqual(more.map(() => undefined));
      await memory.store(more, pair);
    }
    expect(rows).not.toHaveBeenCalled();
    rows.mockRestore();
    expect(await memory.find(entries, EN_ES)).not.toContain(undefined);

    const other = await openMemory(path);
    const [text = ''] = texts;
    await other.store([entryOf('One more text', 'other'), entryOf(text, 'other', { context: 'key' })], EN_DE);
    const asked = [messageOf('One more text'), messageOf(text, { context: 'key' })];
    const find = async (): Promise<unknown> =>
      (await memory.find(asked, EN_DE)).map((one) => one?.translations[0]);
    expect(await find()).toEqual(['other', 'other']);
    await memory.store([entryOf(text, 'mine', { context: 'key' })], EN_DE);
    expect(await find()).toEqual(['other', 'mine']);
    expect((await memory.stats()).entries).toBe(2 * texts.length + 2);
  });

  it('stores messages again that it removed or that a rolled-back transaction contained', async () => {
    const memory = await openMemory();
    await memory.store(entries, EN_DE);
    expect(await memory.prune({})).toBe(texts.length);
    await memory.store([entryOf('One more text', 'other')], EN_DE);
    const insert = vi.spyOn(MemoryFile.prototype, 'insert');
    insert.mockImplementationOnce(() => {
      throw new DragomanError('unwritable_output', 'the disk is full');
    });
    await expect(memory.store(entries, EN_ES)).rejects.toThrow('the disk is full');
    insert.mockRestore();
    await memory.store(entries, EN_ES);
    const found = await memory.find(entries, EN_ES);
    expect(found.map((one) => one?.translations[0])).toEqual(texts.map((text) => `${text}!`));
  });

  it('does not query repeatedly for a pair and a project without entries', async () => {
    const memory = await openMemory(undefined, { project: temporaryDirectory() });
    await memory.store(entries, EN_DE);
    await memory.find(entries, EN_ES);
    const calls = countCalls();
    for (const entry of entries) expect(await memory.findSimilar(entry, EN_ES)).toEqual([]);
    expect(calls()).toBeLessThanOrEqual(4);
  });

  it('delays indexing until the first search for similar texts', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    const memory = await openMemory(path);
    await memory.store(entries, EN_ES);
    expect(indexed(path)).toMatchObject({ rows: 0 });
    const other = await openMemory(path);
    const [similar] = await other.findSimilar(messageOf(`${texts[7]}.`), EN_ES, { most: 1 });
    expect(similar?.source).toBe(texts[7]);
    expect(indexed(path)).not.toMatchObject({ rows: 0 });
  });
});

describe('similar texts', () => {
  it('are found even if a text reuses the number of a removed one', async () => {
    const memory = await openMemory();
    await memory.store([entryOf('Open the old file', 'Abrir')], EN_ES);
    expect(await memory.findSimilar(messageOf('Open the old files'), EN_ES)).toHaveLength(1);
    expect(await memory.prune({})).toBe(1);
    await memory.store([entryOf('Close a new window', 'Cerrar')], EN_ES);
    expect(await memory.findSimilar(messageOf('Open the old files'), EN_ES)).toEqual([]);
    expect(await memory.findSimilar(messageOf('Close a new windows'), EN_ES)).toHaveLength(1);
  });

  it('are missed without an error while another process writes', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    const memory = await openMemory(path, { busyMs: 20 });
    await memory.store([entryOf('Open the old file', 'Abrir')], EN_ES);
    const raw = new Sqlite(path);
    raw.exec('begin immediate');
    expect(await memory.findSimilar(messageOf('Open the old files'), EN_ES)).toEqual([]);
    raw.exec('rollback');
    raw.close();
    await memory.find([messageOf('Open')], EN_ES);
    expect(await memory.findSimilar(messageOf('Open the old files'), EN_ES)).toHaveLength(1);
  });
});
