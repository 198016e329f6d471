import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SyncReport } from '../../src/project/plan/report.ts';
import { MemoryFake } from '../memory/memory-fake.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

const TARGETS = { targets: ['es'] };

function project(texts: Readonly<Record<string, string>>): ProjectDirectory {
  const directory = new ProjectDirectory();
  directory.json('en.json', texts);
  return directory;
}

const enginesOf = ({ languages }: SyncReport): unknown =>
  languages.map(({ engines }) => Object.fromEntries(engines ?? []));

describe('sync with a translation memory', () => {
  it('does not request texts that another engine has translated in another project', async () => {
    const memory = new MemoryFake();
    const first = await project({ save: 'Save {name}', open: 'Open' }).sync(new RecordingEngine(), {
      ...TARGETS,
      memory,
    });
    expect(enginesOf(first)).toEqual([{ recording: 2 }]);
    const other = new RecordingEngine();
    const next = project({ store: 'Save {name}', open: 'Open', shut: 'Close' });
    const report = await next.sync(other, { ...TARGETS, memory });
    expect(other.texts).toEqual(['es Close']);
    expect(enginesOf(report)).toEqual([{ memory: 2, recording: 1 }]);
    expect(next.readJson('es.json')).toEqual({
      store: 'es:Save {name}',
      open: 'es:Open',
      shut: 'es:Close',
    });
  });

  it('prefers human translations to those of engines', async () => {
    const memory = new MemoryFake();
    const directory = project({ save: 'Save {name}', open: 'Open' });
    await directory.sync(new RecordingEngine(), { ...TARGETS, memory });
    directory.json('es.json', { save: 'Guardar {name}', open: 'es:Open' });
    directory.json('en.json', { save: 'Save {name}', open: 'Open', again: 'Save {name}' });
    const engine = new RecordingEngine();
    await directory.sync(engine, { memory });
    expect(engine.texts).toEqual([]);
    expect(directory.readJson('es.json')).toEqual({
      save: 'Guardar {name}',
      open: 'es:Open',
      again: 'Guardar {name}',
    });
  });

  it('learns only from edits whose source is unchanged', async () => {
    const memory = new MemoryFake();
    const directory = project({ save: 'Save', open: 'Open', close: 'Close' });
    directory.json('es.json', { save: 'Guardar' });
    const learned = (): unknown =>
      memory.stored
        .filter(({ origin }) => origin === 'human')
        .map(({ segments, translations }) => [segments, translations]);
    await directory.sync(new RecordingEngine(), { ...TARGETS, memory });
    expect(learned()).toEqual([]);
    directory.json('es.json', { save: 'Guardar', open: 'Abrir', close: 'Cerrar' });
    directory.json('en.json', { save: 'Delete everything', open: 'Open', close: 'Close all' });
    await directory.sync(new RecordingEngine(), { memory });
    expect(learned()).toEqual([[['Open'], ['Abrir']]]);
  });

  it('retranslates with force, and keeps human texts', async () => {
    const memory = new MemoryFake();
    const directory = project({ save: 'Save', open: 'Open' });
    await directory.sync(new RecordingEngine(), { ...TARGETS, memory });
    rmSync(join(directory.path, 'es.json'));
    await memory.store(
      [
        {
          segments: ['Open'],
          placeholders: [],
          category: '',
          context: '',
          translations: ['Abrir'],
          origin: 'human',
        },
      ],
      { source: 'en', target: 'es' },
    );
    const engine = new RecordingEngine();
    await directory.sync(engine, { memory, force: true });
    expect(engine.texts).toEqual(['es Save']);
    expect(directory.readJson('es.json')).toEqual({ save: 'es:Save', open: 'Abrir' });
  });

  it('counts exact matches and similar texts in a check, and excludes exact matches from the price', async () => {
    const memory = new MemoryFake();
    await project({ open: 'Open' }).sync(new RecordingEngine(), { ...TARGETS, memory });
    memory.similar = [{ source: 'Save', translation: 'Guardar', similarity: 0.8 }];
    const directory = project({ open: 'Open', save: 'Save all' });
    const report = await directory.check({
      ...TARGETS,
      memory,
      similar: true,
      pricing: { via: 'strings', engine: 'service', creditsOf: () => 1 },
    });
    expect(report.languages.map(({ credits, memory: found }) => [credits, found])).toEqual([
      [
        1,
        {
          exact: 1,
          similar: [
            {
              file: 'en.json',
              line: 3,
              column: 11,
              key: ['save'],
              text: 'Save all',
              source: 'Save',
              translation: 'Guardar',
              similarity: 0.8,
            },
          ],
        },
      ],
    ]);
  });
});
