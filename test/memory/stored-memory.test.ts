import { existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'libsql';
import { describe, expect, it } from 'vitest';
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

/** A file that another program writes. */
function writeDatabase(path: string, sql: string): void {
  const connection = new Sqlite(path);
  connection.exec(sql);
  connection.close();
}

describe('the file of a memory', () => {
  it('is created with its directory, readable only by its owner', async () => {
    const path = join(temporaryDirectory(), 'a', 'b', 'memory.db');
    const memory = await openMemory(path);
    await memory.store([entryOf('Save', 'Guardar')], EN_ES);
    expect(memory.path).toBe(path);
    if (process.platform === 'win32') return;
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
    for (const suffix of ['', '-wal', '-shm']) {
      expect(statSync(`${path}${suffix}`).mode & 0o777, suffix).toBe(0o600);
    }
  });

  it('identifies messages as earlier versions did, with and without placeholders and category', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    const entries = [
      entryOf('Save', 'Guardar'),
      entryOf('<x id="1"/> left', 'queda <x id="1"/>', { placeholders: ['count'], category: 'one' }),
      entryOf('<x id="1"/> left', 'quedan <x id="1"/>', { placeholders: ['count'] }),
    ];
    const earlier = await openTranslationMemory(path);
    await earlier.store(entries, EN_ES);
    await earlier.close();
    const raw = new Sqlite(path);
    expect(raw.prepare('select hash from messages order by id limit 2').all()).toEqual([
      { hash: 249_624_137_779_057 },
      { hash: 6_411_253_544_963_603 },
    ]);
    raw.close();
    const memory = await openMemory(path);
    const found = (await memory.find(entries, EN_ES)).map((one) => one?.translations);
    expect(found).toEqual(entries.map(({ translations }) => translations));
    await memory.store(entries, EN_DE);
    expect((await memory.stats()).messages).toBe(entries.length);
  });

  it('keeps stored translations', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    const first = await openTranslationMemory(path);
    await first.store([entryOf('Save', 'Guardar')], EN_ES);
    await first.close();
    // Everything is in the file, so that it can be copied.
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    const second = await openMemory(path);
    expect(await second.find([messageOf('Save')], EN_ES)).toMatchObject([{ translations: ['Guardar'] }]);
  });

  it('is refused when it is not an SQLite database, and stays as it is', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    writeFileSync(path, 'Dear diary, '.repeat(1_000));
    await expect(openTranslationMemory(path)).rejects.toMatchObject({
      code: 'unreadable_input',
      message: expect.stringMatching(/memory\.db: it is not an SQLite database/),
      hint: expect.stringMatching(/--memory.*--no-memory/),
    });
    expect(readFileSync(path, 'utf8')).toBe('Dear diary, '.repeat(1_000));
  });

  it("is refused when it is another program's database, and stays as it is", async () => {
    const path = join(temporaryDirectory(), 'places.db');
    writeDatabase(path, "create table places (url text); insert into places values ('x')");
    const before = readFileSync(path);
    await expect(openTranslationMemory(path)).rejects.toMatchObject({
      code: 'unreadable_input',
      message: expect.stringMatching(/another program/),
    });
    expect(readFileSync(path)).toEqual(before);
  });

  it('is refused when a newer version has written it', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    await (await openTranslationMemory(path)).close();
    writeDatabase(path, 'pragma user_version = 99');
    await expect(openTranslationMemory(path)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/newer version/),
      hint: expect.stringMatching(/Update dragoman/),
    });
  });

  it('is refused at an unusable path', async () => {
    const directory = temporaryDirectory();
    await expect(openTranslationMemory(directory)).rejects.toMatchObject({ code: 'not_a_file' });
    writeFileSync(join(directory, 'file'), '');
    await expect(openTranslationMemory(join(directory, 'file', 'x', 'memory.db'))).rejects.toMatchObject({
      code: 'unwritable_output',
      message: expect.stringMatching(/not a directory/),
    });
  });

  it.each(['cut off', 'overwritten'])('reports that it is damaged: %s', async (damage) => {
    const path = join(temporaryDirectory(), 'memory.db');
    const first = await openTranslationMemory(path);
    const texts = Array.from(
      { length: 2_000 },
      (_, i) => `Sentence number ${i} of many that are stored here`,
    );
    await first.storeAll(texts.map((text) => inPair(entryOf(text, text))));
    await first.close();
    const { size } = statSync(path);
    if (damage === 'cut off') truncateSync(path, size >> 1);
    else {
      const bytes = readFileSync(path);
      bytes.fill(0xa5, 8_192);
      writeFileSync(path, bytes);
    }
    const use = async (): Promise<unknown> => {
      const memory = await openTranslationMemory(path);
      try {
        return await memory.find(
          texts.map((text) => messageOf(text)),
          EN_ES,
        );
      } finally {
        await memory.close();
      }
    };
    await expect(use()).rejects.toMatchObject({
      code: 'unreadable_input',
      message: expect.stringMatching(/memory\.db: it is damaged/),
    });
    expect(existsSync(path)).toBe(true);
  });

  it('reports that another process has locked it', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    const memory = await openMemory(path, { busyMs: 10 });
    const other = new Sqlite(path);
    other.exec('begin immediate');
    await expect(memory.store([entryOf('Save', 'Guardar')], EN_ES)).rejects.toMatchObject({
      code: 'unwritable_output',
      message: expect.stringMatching(/another process/),
    });
    // Reading remains possible in the meantime, and writing afterwards.
    expect(await memory.find([messageOf('Save')], EN_ES)).toEqual([undefined]);
    other.exec('rollback');
    other.close();
    await memory.store([entryOf('Save', 'Guardar')], EN_ES);
    expect(await memory.find([messageOf('Save')], EN_ES)).toHaveLength(1);
  });
});

describe('stored entries', () => {
  it('are counted by result', async () => {
    const memory = await openMemory();
    const entries = [
      entryOf('Save', 'Guardar'),
      entryOf('Save', 'Guardar', { context: 'menu' }),
      entryOf('Open', 'Abrir', { origin: 'human' }),
      entryOf('Save', 'Guardar'),
      entryOf('Save', 'Salvar'),
      entryOf('Open', 'Abierto'),
      entryOf('A\0B', 'x'),
      entryOf('Half', '\ud83d'),
      entryOf('a <> b', 'malformed'),
    ];
    expect(await memory.storeAll(entries.map((entry) => inPair(entry)))).toEqual({
      added: 3,
      replaced: 1,
      unchanged: 1,
      outranked: 1,
      unstorable: 3,
    });
    expect((await memory.stats()).entries).toBe(3);
    await expect(memory.store([entryOf('Save', 'x', { translations: [] })], EN_ES)).rejects.toMatchObject({
      code: 'internal',
    });
  });

  it('are returned unchanged, always in the same order', async () => {
    const memory = await openMemory(undefined, { now: () => START });
    const changed = new Date(START - 5 * DAY_MS);
    const entries = [
      inPair(entryOf('One', 'Uno', { context: 'b\u001fc', placeholders: ['a', 'b'], category: 'few' })),
      inPair(entryOf('One', 'Eins', { origin: 'human' }), EN_DE),
      inPair({
        ...messageOf('', { segments: ['x "quoted"', '<x id="1"/>\n\t', '😀 \u202e عربي'] }),
        translations: ['a', '<x id="1"/>', '😀'],
        origin: 'machine',
        engine: 'a+b',
      }),
      { ...inPair(entryOf('Two', 'Dos')), changed },
    ];
    await memory.storeAll(entries);
    const out = await entriesIn(memory);
    expect(out).toHaveLength(4);
    for (const { used, changed: at, ...entry } of out) {
      const known = entries.find(
        (one) => one.segments[0] === entry.segments[0] && one.pair.target === entry.pair.target,
      );
      const { changed: given = new Date(START), ...rest } = { changed: undefined, ...known };
      expect(entry).toEqual(rest);
      expect([at, used]).toEqual([given, new Date(START)]);
    }
    expect(await entriesIn(memory)).toEqual(out);
    const german = [];
    for await (const entry of memory.entries({ target: 'de', origin: 'human' })) german.push(entry);
    expect(german.map(({ translations }) => translations)).toEqual([['Eins']]);
  });

  it('are read in pages, even while others are stored', async () => {
    const memory = await openMemory();
    const count = 2_500;
    await memory.storeAll(
      Array.from({ length: count }, (_, i) =>
        inPair(entryOf(`Text ${i % 1_200}`, `${i}`, { context: `${i}` })),
      ),
    );
    const contexts = new Set<string>();
    for await (const { context } of memory.entries()) {
      if (contexts.size === 10) await memory.store([entryOf('Text 1', 'x', { context: 'zz' })], EN_ES);
      contexts.add(context);
    }
    contexts.delete('zz');
    expect(contexts.size).toBe(count);
  });

  it('survive an interruption', async () => {
    const memory = await openMemory();
    const controller = new AbortController();
    function* entries() {
      for (let i = 0; i < 25_000; i++) {
        if (i === 15_000) controller.abort();
        yield inPair(entryOf(`Text ${i}`, 'x'));
      }
    }
    await expect(memory.storeAll(entries(), { signal: controller.signal })).rejects.toMatchObject({
      code: 'interrupted',
    });
    expect((await memory.stats()).entries).toBe(10_000);
  });

  it('are found again, no matter how many are requested at once', async () => {
    const memory = await openMemory();
    const texts = Array.from({ length: 2_345 }, (_, i) => `Text number ${i}`);
    await memory.storeAll(texts.map((text, i) => inPair(entryOf(text, `${i}`))));
    const found = await memory.find(
      texts.map((text) => messageOf(text)),
      EN_ES,
    );
    expect(found.map((translation) => translation?.translations[0])).toEqual(texts.map((_, i) => `${i}`));
  });
});

describe('statistics', () => {
  it('of an empty memory are zero', async () => {
    const memory = await openMemory();
    expect(await memory.stats()).toEqual({
      entries: 0,
      messages: 0,
      bytes: expect.any(Number) as unknown,
      pairs: [],
      projects: [],
    });
  });

  it('count entries by pair, origin and engine', async () => {
    let now = START;
    const memory = await openMemory(undefined, { now: () => now });
    await memory.store([entryOf('One', 'Uno'), entryOf('Two', 'Dos', { engine: 'deepl' })], EN_ES);
    now += 3 * DAY_MS;
    await memory.store([entryOf('Two', 'Dos', { engine: 'deepl', context: 'x' })], EN_ES);
    await memory.store([entryOf('One', 'Eins', { origin: 'human' })], EN_DE);
    const stats = await memory.stats();
    expect(stats).toEqual({
      entries: 4,
      messages: 2,
      bytes: expect.any(Number) as unknown,
      oldestUse: new Date(START),
      newestUse: new Date(now + 1),
      pairs: [
        {
          source: 'en',
          target: 'es',
          entries: 3,
          human: 0,
          machine: 3,
          engines: [
            { engine: 'deepl', entries: 2 },
            { engine: 'apertium', entries: 1 },
          ],
        },
        { source: 'en', target: 'de', entries: 1, human: 1, machine: 0, engines: [] },
      ],
      projects: [],
    });
    expect(stats.bytes).toBeGreaterThan(10_000);
  });
});

it('a memory accepts an existing directory that belongs to others', async () => {
  const directory = join(temporaryDirectory(), 'shared');
  mkdirSync(directory, { mode: 0o755 });
  const memory = await openMemory(join(directory, 'memory.db'));
  expect(statSync(memory.path).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
});
