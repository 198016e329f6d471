import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StoredMemory, WrongEntry } from '../../src/memory/stored-memory.ts';
import { openTranslationMemory } from '../../src/memory/translation-memory.ts';
import {
  EN_DE,
  EN_ES,
  entriesIn,
  entryOf,
  inPair,
  messageOf,
  type OldEntry,
  openMemory,
  temporaryDirectory,
  writeMemory,
} from './harness.ts';

const START = Date.UTC(2026, 0, 1);
const HUMAN = { origin: 'human' } as const;

const foundBy = async (memory: StoredMemory, ...texts: readonly string[]): Promise<unknown> =>
  (
    await memory.find(
      texts.map((text) => messageOf(text)),
      EN_ES,
    )
  ).map((found) => found?.translations[0]);

describe('entries learned from a project', () => {
  it('are offered as similar texts only in that project', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    const web = await openMemory(path, { project: '/home/ann/web' });
    await web.store([entryOf('Open the selected file now', 'Abra', HUMAN)], EN_ES);
    await web.store([entryOf('Open the selected files now', 'Abrir')], EN_ES);
    const app = await openMemory(path, { project: '/home/ann/app' });
    const similar = async (memory: StoredMemory): Promise<unknown> =>
      (await memory.findSimilar(messageOf('Open the selected file'), EN_ES)).map(
        ({ translation }) => translation,
      );
    expect(await similar(web)).toEqual(['Abra', 'Abrir']);
    for (const other of [app, await openMemory(path)]) expect(await similar(other)).toEqual(['Abrir']);
  });

  it('name their project, and can be selected by it', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    const web = await openMemory(path, { project: '/home/ann/web' });
    await web.store([entryOf('Open', 'Abrir', HUMAN), entryOf('Save', 'Guardar')], EN_ES);
    await web.store([entryOf('Shut', 'Schließen', HUMAN)], EN_DE);
    const app = await openMemory(path, { project: '/home/ann/app' });
    await app.store([entryOf('Open', 'Abra', HUMAN)], EN_ES);
    expect((await web.stats()).projects).toEqual([
      { root: '/home/ann/web', entries: 2 },
      { root: '/home/ann/app', entries: 1 },
    ]);
    const shared = await web.stats({ project: null });
    expect(shared).toMatchObject({ entries: 1, pairs: [{ target: 'es', human: 0 }], projects: [] });
    const chosen = async (project: string | null): Promise<unknown> => {
      const texts = [];
      for await (const entry of web.entries({ project })) texts.push([entry.project, entry.translations[0]]);
      return texts;
    };
    expect(await chosen('/home/ann/app')).toEqual([['/home/ann/app', 'Abra']]);
    expect(await chosen('/home/ann/other')).toEqual([]);
    expect(await chosen(null)).toEqual([[undefined, 'Guardar']]);
    expect(await entriesIn(app)).toHaveLength(4);
  });

  it('are removed with their project, and stay for other projects', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    const web = await openMemory(path, { project: '/home/ann/web' });
    await web.store([entryOf('Open', 'Abrir', HUMAN), entryOf('Open', 'Abierto')], EN_ES);
    await (
      await openMemory(path, { project: '/home/ann/app' })
    ).store([entryOf('Open', 'Abra', HUMAN)], EN_ES);
    expect(await web.prune({ project: '/home/ann/none' })).toBe(0);
    expect(await web.prune({ project: '/home/ann/web', dryRun: true })).toBe(1);
    expect(await web.prune({ project: '/home/ann/web' })).toBe(1);
    expect(await foundBy(web, 'Open')).toEqual(['Abierto']);
    expect(await web.prune({})).toBe(1);
    expect((await entriesIn(web)).map(({ project }) => project)).toEqual(['/home/ann/app']);
    // The number of a project is never reused.
    await web.store([entryOf('Open', 'Abrir', HUMAN)], EN_ES);
    expect(await foundBy(await openMemory(path, { project: '/home/ann/new' }), 'Open')).toEqual([undefined]);
  });

  it('record their own use', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    let now = START;
    const web = await openMemory(path, { project: '/home/ann/web', now: () => now });
    await web.store([entryOf('Open', 'Abrir', HUMAN), entryOf('Open', 'Abierto')], EN_ES);
    now += 10 * 24 * 60 * 60 * 1000;
    await foundBy(web, 'Open');
    await web.stats();
    expect((await entriesIn(web)).map(({ project, used }) => [project, used.getTime()])).toEqual([
      [undefined, START],
      ['/home/ann/web', now],
    ]);
  });

  it('move with the project that contains the memory', async () => {
    const [parent, other] = [temporaryDirectory(), temporaryDirectory()];
    const before = join(parent, 'web');
    const first = await openTranslationMemory(join(before, 'tm', 'team.db'), { project: before });
    await first.store([entryOf('Open', 'Abrir', HUMAN)], EN_ES);
    await first.close();
    const after = join(other, 'site');
    renameSync(before, after);
    symlinkSync(after, join(parent, 'link'));
    const path = join(parent, 'link', 'tm', 'team.db');
    const moved = await openMemory(path, { project: after });
    expect(await foundBy(moved, 'Open')).toEqual(['Abrir']);
    expect((await moved.stats()).projects).toEqual([{ root: after, entries: 1 }]);
    // Directories next to, around and inside the project are other projects.
    for (const project of [before, other, join(after, 'tm'), join(after, 'packages')])
      expect(await foundBy(await openMemory(path, { project }), 'Open'), project).toEqual([undefined]);
  });
});

describe('a memory with old entries', () => {
  const old = (text: string, translation: string, more: Partial<OldEntry> = {}): OldEntry => ({
    ...inPair(entryOf(text, translation, HUMAN)),
    changed: new Date(START),
    ...more,
  });

  it('loses translations of changed texts when repaired', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    const later = (days: number): Date => new Date(START + days * 24 * 60 * 60 * 1000);
    await writeMemory(path, [
      old('Save', 'Guardar', { context: 'b' }),
      old('Delete everything', 'Guardar', { context: 'b', changed: later(1) }),
      old('Delete nothing', 'Guardar', { context: 'b', changed: later(2) }),
      // An engine's output, taken as human after the lock was lost and its source had changed.
      old('Run', 'Ejecutar', { context: 'c', origin: 'machine', engine: 'deepl' }),
      old('Stop', 'Ejecutar', { context: 'c', changed: later(1) }),
      // These entries do not qualify: other keys, other languages, a translation that changed too, synonyms without a
      // key, one import, an engine's, other placeholders, other forms.
      old('Store', 'Guardar', { context: 'd', changed: later(1) }),
      old('Erase', 'Guardar', { context: 'b', pair: EN_DE, changed: later(1) }),
      old('Remove', 'Quitar', { context: 'b', changed: later(1) }),
      old('OK', 'Aceptar'),
      old('Accept', 'Aceptar', { changed: later(1) }),
      old('Home', 'Inicio', { context: 'title' }),
      old('Start', 'Inicio', { context: 'title' }),
      old('Go', 'Ir', { context: 'e' }),
      old('Move', 'Ir', { context: 'e', origin: 'machine', engine: 'deepl', changed: later(1) }),
      old('Hi <x id="1"/>', 'Hola <x id="1"/>', { context: 'f', placeholders: ['name'] }),
      old('Hey <x id="1"/>', 'Hola <x id="1"/>', { context: 'f', placeholders: ['user'], changed: later(1) }),
      old('file', 'archivos', { context: 'g', category: 'one' }),
      old('files', 'archivos', { context: 'g', category: 'other', changed: later(1) }),
    ]);
    const memory = await openMemory(path);
    const listed: unknown[] = [];
    const repair = (dryRun: boolean): Promise<number> =>
      memory.repair({
        dryRun,
        onFound: ({ segments, earlier, translations }) =>
          listed.push([segments, earlier, translations].flat()),
      });
    expect(await repair(true)).toBe(3);
    expect(listed).toEqual([
      ['Delete everything', 'Save', 'Guardar'],
      ['Delete nothing', 'Save', 'Guardar'],
      ['Stop', 'Run', 'Ejecutar'],
    ]);
    expect(await entriesIn(memory)).toHaveLength(18);
    expect(await repair(false)).toBe(3);
    expect(await foundBy(memory, 'Save', 'Delete everything', 'Delete nothing', 'Run', 'Stop')).toEqual([
      'Guardar',
      undefined,
      undefined,
      'Ejecutar',
      undefined,
    ]);
    expect(await entriesIn(memory)).toHaveLength(15);
    expect(await memory.repair()).toBe(0);
  });

  it('loses invalid engine answers when repaired', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    const machine = { origin: 'machine', engine: 'openai' } as const;
    await writeMemory(path, [
      old('Save', 'Guardar', machine),
      old('Open', "I'm sorry, but I can't assist with that.", machine),
      old('Close', '"Cerrar"', machine),
      old('Start', 'Here is the translation: Inicio', { ...machine, context: 'a' }),
      old('Stop', '"Parar"', { context: 'b' }),
    ]);
    const memory = await openMemory(path);
    const reasons: unknown[] = [];
    const onFound = ({ segments, reason }: WrongEntry): void => void reasons.push([...segments, reason]);
    expect(await memory.repair({ dryRun: true, onFound })).toBe(3);
    expect(reasons).toEqual([
      ['Open', 'the answer declines to translate'],
      ['Close', 'the answer is wrapped in characters that the source lacks'],
      ['Start', 'the answer talks about the translation'],
    ]);
    expect(await memory.repair()).toBe(3);
    expect(await foundBy(memory, 'Save', 'Open', 'Stop')).toEqual(['Guardar', undefined, '"Parar"']);
  });

  it('is repaired separately for each project', async () => {
    const path = join(temporaryDirectory(), 'memory.db');
    let now = START;
    const open = (project?: string): Promise<StoredMemory> => openMemory(path, { project, now: () => now });
    await (
      await open('/home/ann/web')
    ).store([entryOf('Save', 'Guardar', { ...HUMAN, context: 'b' })], EN_ES);
    now += 1_000;
    await (
      await open('/home/ann/app')
    ).store([entryOf('Store', 'Guardar', { ...HUMAN, context: 'b' })], EN_ES);
    expect(await (await open()).repair()).toBe(0);
  });
});
