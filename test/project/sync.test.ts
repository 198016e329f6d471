import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

const TARGETS = { targets: ['es', 'fr'] };

function simple(): ProjectDirectory {
  const project = new ProjectDirectory();
  project.json('en.json', { save: 'Save', open: 'Open', nested: { close: 'Close' } });
  return project;
}

describe('sync', () => {
  it('translates everything once, and nothing in the second run', async () => {
    const project = simple();
    const engine = new RecordingEngine();
    const report = await project.sync(engine, TARGETS);
    expect(project.readJson('es.json')).toEqual({
      save: 'es:Save',
      open: 'es:Open',
      nested: { close: 'es:Close' },
    });
    expect(report.languages.map(({ locale, changes }) => [locale, changes.translated])).toEqual([
      ['es', 3],
      ['fr', 3],
    ]);
    expect(project.list()).toEqual(['dragoman.lock', 'en.json', 'es.json', 'fr.json']);

    const before = project.snapshot();
    const calls = engine.calls.length;
    const again = await project.sync(engine);
    expect(again.languages.map(({ changes }) => changes)).toEqual([
      { translated: 0, reused: 0, kept: 3, failed: 0, pruned: 0 },
      { translated: 0, reused: 0, kept: 3, failed: 0, pruned: 0 },
    ]);
    expect(engine.calls.length).toBe(calls);
    expect(project.snapshot()).toEqual(before);
    // The result is the same without the remembered clean state.
    rmSync(project.cache, { recursive: true });
    await project.sync(engine);
    expect(project.snapshot()).toEqual(before);
  });

  it('requests only new and changed values', async () => {
    const project = simple();
    const engine = new RecordingEngine();
    await project.sync(engine, TARGETS);
    engine.calls.length = 0;
    project.json('en.json', { save: 'Save all', open: 'Open', nested: { close: 'Close' }, quit: 'Quit' });
    await project.sync(engine);
    expect([...engine.texts].sort()).toEqual(['es Quit', 'es Save all', 'fr Quit', 'fr Save all']);
    expect(project.readJson('fr.json')).toEqual({
      save: 'fr:Save all',
      open: 'fr:Open',
      nested: { close: 'fr:Close' },
      quit: 'fr:Quit',
    });
  });

  it('requests a repeated text once per language', async () => {
    const project = new ProjectDirectory();
    project.json('en/a.json', { one: 'Save', two: 'Save' });
    project.json('en/b.json', { three: 'Save' });
    const engine = new RecordingEngine();
    await project.sync(engine, TARGETS);
    expect(engine.texts).toEqual(['es Save', 'fr Save']);
    expect(project.readJson('fr/b.json')).toEqual({ three: 'fr:Save' });
  });

  it('keeps human texts and reports when their source changes', async () => {
    const project = simple();
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es'] });
    project.json('es.json', { save: 'Guardar', open: 'es:Open', nested: { close: 'es:Close' } });
    const kept = await project.sync(engine);
    expect(kept.languages[0]?.coverage).toMatchObject({ edited: 1, outdated: 0 });

    project.json('en.json', { save: 'Save all', open: 'Open', nested: { close: 'Close' } });
    for (const _ of ['first', 'again']) {
      const flagged = await project.sync(engine);
      expect(flagged.languages[0]?.files[0]?.drift).toEqual([
        { kind: 'outdated', key: ['save'], file: 'es.json', line: 2, column: 11 },
      ]);
    }
    expect(project.readJson('es.json')).toMatchObject({ save: 'Guardar' });

    project.json('es.json', { save: 'Guardar todo', open: 'es:Open', nested: { close: 'es:Close' } });
    const settled = await project.sync(engine);
    expect(settled.languages[0]?.coverage.outdated).toBe(0);
    expect(engine.texts).toHaveLength(3);
  });

  it('flags a value if a human edited both it and its source', async () => {
    const project = simple();
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es'] });
    project.write('es.json', project.read('es.json').replace('es:Save', 'Guardar'));
    project.write('en.json', project.read('en.json').replace('Save', 'Save all'));
    const report = await project.sync(engine);
    expect(report.languages[0]?.coverage.outdated).toBe(1);
    expect(project.readJson('es.json')).toMatchObject({ save: 'Guardar' });
  });

  it('treats values from before the lock as human', async () => {
    const project = simple();
    project.json('es.json', { save: 'Guardar' });
    const engine = new RecordingEngine();
    await project.sync(engine);
    expect(project.readJson('es.json')).toEqual({
      save: 'Guardar',
      open: 'es:Open',
      nested: { close: 'es:Close' },
    });
    project.write('en.json', project.read('en.json').replace('Save', 'Save all'));
    const report = await project.sync(engine);
    expect(report.languages[0]?.coverage.outdated).toBe(1);
    expect(project.readJson('es.json')).toMatchObject({ save: 'Guardar' });
  });

  it('keeps a value that a person emptied, and translates a deleted key again', async () => {
    const project = simple();
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es'] });
    project.write('es.json', project.read('es.json').replace('es:Save', ''));
    const report = await project.sync(engine);
    expect(report.languages[0]?.coverage).toMatchObject({ missing: 0, edited: 1 });
    expect(project.readJson('es.json')).toMatchObject({ save: '' });
    project.json('es.json', { open: 'es:Open', nested: { close: 'es:Close' } });
    await project.sync(engine);
    expect(project.readJson('es.json')).toMatchObject({ save: 'es:Save' });
  });

  it('keeps the translation of a renamed key, even a human one', async () => {
    const project = simple();
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es'] });
    project.write('es.json', project.read('es.json').replace('es:Open', 'Abrir'));
    await project.sync(engine);
    engine.calls.length = 0;
    project.json('en.json', { keep: 'Save', unlock: 'Open', nested: { close: 'Close' } });
    const report = await project.sync(engine);
    expect(engine.calls).toEqual([]);
    expect(report.languages[0]?.changes).toMatchObject({ reused: 2, translated: 0 });
    expect(project.readJson('es.json')).toEqual({
      keep: 'es:Save',
      unlock: 'Abrir',
      nested: { close: 'es:Close' },
    });
    expect(await project.sync(engine).then((next) => next.languages[0]?.coverage)).toMatchObject({
      edited: 1,
      extra: 0,
      missing: 0,
    });
  });

  it('recognizes its values when the key was renamed in source and target by hand', async () => {
    const project = simple();
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es'] });
    for (const name of ['en.json', 'es.json'])
      project.write(name, project.read(name).replace('"save"', '"keep"'));
    const report = await project.sync(engine);
    expect(report.languages[0]?.coverage.edited).toBe(0);
    project.write('en.json', project.read('en.json').replace('Save', 'Save all'));
    await project.sync(engine);
    expect(project.readJson('es.json')).toMatchObject({ keep: 'es:Save all' });
  });

  it('recognizes its values when source and targets were renamed as files', async () => {
    const project = new ProjectDirectory();
    project.json('en/a.json', { save: 'Save', open: 'Open' });
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es'] });
    for (const locale of ['en', 'es']) {
      renameSync(join(project.path, locale, 'a.json'), join(project.path, locale, 'b.json'));
    }
    project.write('es/b.json', project.read('es/b.json').replace('es:Open', 'Abrir'));
    expect((await project.sync(engine)).languages[0]?.coverage).toMatchObject({ unknown: 1, missing: 0 });
    expect(project.read('dragoman.lock')).not.toContain('a.json');
    project.json('en/b.json', { save: 'Save all', open: 'Open' });
    await project.sync(engine);
    expect(project.readJson('es/b.json')).toEqual({ save: 'es:Save all', open: 'Abrir' });
  });

  it('writes through a link within the project, and keeps mode and link', async () => {
    const project = simple();
    project.json('real/spanish.json', { save: 'Guardar' });
    chmodSync(join(project.path, 'real/spanish.json'), 0o640);
    symlinkSync(join('real', 'spanish.json'), join(project.path, 'es.json'));
    await project.sync(new RecordingEngine(), { targets: ['es'] });
    expect(lstatSync(join(project.path, 'es.json')).isSymbolicLink()).toBe(true);
    expect(project.readJson('real/spanish.json')).toMatchObject({ save: 'Guardar', open: 'es:Open' });
    expect(statSync(join(project.path, 'real/spanish.json')).mode & 0o777).toBe(0o640);
  });

  it('reports extra keys and removes them only on request', async () => {
    const project = simple();
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es'] });
    project.json('en.json', { save: 'Save' });
    const report = await project.sync(engine);
    expect(report.languages[0]?.coverage.extra).toBe(2);
    expect(project.readJson('es.json')).toEqual({
      save: 'es:Save',
      open: 'es:Open',
      nested: { close: 'es:Close' },
    });
    const pruned = await project.sync(engine, { prune: 'ours', yes: true });
    expect(pruned.languages[0]?.changes.pruned).toBe(2);
    expect(pruned.languages[0]?.coverage.extra).toBe(0);
    expect(project.readJson('es.json')).toEqual({ save: 'es:Save' });
    expect(project.read('dragoman.lock')).not.toContain('nested');
  });

  it('retranslates with force, except human texts', async () => {
    const project = simple();
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es'] });
    project.write('es.json', project.read('es.json').replace('es:Save', 'Guardar'));
    engine.calls.length = 0;
    await project.sync(engine, { force: true });
    expect(engine.texts).toEqual(['es Open', 'es Close']);
    expect(project.readJson('es.json')).toMatchObject({ save: 'Guardar' });
  });

  it('changes only the requested keys', async () => {
    const project = simple();
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es'] });
    project.json('en.json', { save: 'Save all', open: 'Open it', nested: { close: 'Close it' } });
    await project.sync(engine, { keys: ['nested.*'] });
    expect(project.readJson('es.json')).toEqual({
      save: 'es:Save',
      open: 'es:Open',
      nested: { close: 'es:Close it' },
    });
    await project.sync(engine);
    expect(project.readJson('es.json')).toMatchObject({ save: 'es:Save all', open: 'es:Open it' });
  });

  it('adds the rest of a new file later if only some keys were requested', async () => {
    const project = simple();
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es'], keys: ['save'] });
    expect(project.readJson('es.json')).toEqual({
      save: 'es:Save',
      open: 'Open',
      nested: { close: 'Close' },
    });
    await project.sync(engine);
    expect(project.readJson('es.json')).toEqual({
      save: 'es:Save',
      open: 'es:Open',
      nested: { close: 'es:Close' },
    });
  });
});

describe('sync with failures', () => {
  it('keeps the source text if a translation fails, reports the position, and tries again', async () => {
    const project = simple();
    const engine = new RecordingEngine();
    engine.broken.add('Open');
    const report = await project.sync(engine, { targets: ['es'] });
    expect(report.languages[0]?.files[0]?.failures).toEqual([
      { file: 'en.json', line: 3, column: 11, key: ['open'], reason: 'too hard', code: 'engine_failed' },
    ]);
    expect(report.languages[0]?.changes).toMatchObject({ translated: 2, failed: 1 });
    expect(project.readJson('es.json')).toMatchObject({ save: 'es:Save', open: 'Open' });

    engine.broken.clear();
    engine.calls.length = 0;
    await project.sync(engine);
    expect(engine.texts).toEqual(['es Open']);
    expect(project.readJson('es.json')).toMatchObject({ open: 'es:Open' });
  });

  it('keeps a stale translation when the new one fails, and does not create a file that has only failures', async () => {
    const project = simple();
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es'] });
    project.write('en.json', project.read('en.json').replace('Save', 'Save all'));
    engine.broken.add('Save').add('Open').add('Close');
    const report = await project.sync(engine, { targets: ['es', 'fr'] });
    expect(project.readJson('es.json')).toMatchObject({ save: 'es:Save' });
    expect(report.languages.map(({ changes }) => changes.failed)).toEqual([1, 3]);
    expect(project.list()).toEqual(['dragoman.lock', 'en.json', 'es.json']);
  });

  it('translates into the other languages if the engine does not support one', async () => {
    const project = simple();
    const engine = new RecordingEngine();
    engine.before = ({ target }) => {
      if (target === 'es') throw new DragomanError('engine_unavailable', 'no Spanish here');
    };
    const report = await project.sync(engine, TARGETS);
    expect(report.languages.map(({ locale, error }) => [locale, error?.code])).toEqual([
      ['es', 'engine_unavailable'],
      ['fr', undefined],
    ]);
    expect(project.list()).toEqual(['dragoman.lock', 'en.json', 'fr.json']);
  });

  it('leaves nothing behind if the engine is unavailable, and opens it only once', async () => {
    const project = simple();
    let asked = 0;
    const engine = (): Promise<never> => {
      asked++;
      return Promise.reject(new DragomanError('engine_unavailable', 'nothing installed'));
    };
    await expect(project.sync(new RecordingEngine(), { ...TARGETS, engine })).rejects.toMatchObject({
      code: 'engine_unavailable',
    });
    expect(asked).toBe(1);
    expect(project.list()).toEqual(['en.json']);
    await expect(project.sync(new RecordingEngine())).rejects.toMatchObject({ code: 'usage' });
  });

  it('refuses a read-only target and writes the others', async () => {
    const project = simple();
    project.json('es.json', { save: 'Guardar' });
    chmodSync(join(project.path, 'es.json'), 0o444);
    const report = await project.sync(new RecordingEngine(), TARGETS);
    expect(report.languages[0]?.files[0]?.error?.code).toBe('unwritable_output');
    expect(report.languages[0]?.files[0]?.error?.message).toContain('es.json');
    expect(project.readJson('es.json')).toEqual({ save: 'Guardar' });
    expect(project.readJson('fr.json')).toMatchObject({ save: 'fr:Save' });
  });

  it('keeps a target that is not well-formed', async () => {
    const project = simple();
    project.write('es.json', '{"save": "Guardar"');
    const report = await project.sync(new RecordingEngine(), TARGETS);
    expect(report.languages[0]?.files[0]?.error).toMatchObject({ code: 'unreadable_input', at: { line: 1 } });
    expect(project.read('es.json')).toBe('{"save": "Guardar"');
    expect(project.readJson('fr.json')).toMatchObject({ save: 'fr:Save' });
  });

  it('writes nothing for a source that is not well-formed', async () => {
    const project = new ProjectDirectory({ 'en.json': '{"save": "Save' });
    await expect(project.sync(new RecordingEngine(), TARGETS)).rejects.toMatchObject({
      code: 'unreadable_input',
    });
    expect(project.list()).toEqual(['en.json']);
  });

  it('does not count interrupted keys as kept', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', { a: 'One', b: 'Two', c: 'Three' });
    project.json('fr.json', { b: 'Deux' });
    const engine = new RecordingEngine();
    const controller = new AbortController();
    engine.before = () => controller.abort();
    const report = await project.sync(engine, { signal: controller.signal });
    expect(report.interrupted).toBe(true);
    expect(report.languages[0]?.changes).toMatchObject({ translated: 0, kept: 1, failed: 0 });
  });

  it('reports a broken link before any request', async () => {
    const project = new ProjectDirectory();
    project.json('locales/en.json', { a: 'One' });
    symlinkSync('nowhere.json', join(project.path, 'locales/fr.json'));
    const engine = new RecordingEngine();
    const report = await project.sync(engine, { targets: ['fr'] });
    expect(report.languages[0]?.files[0]?.error).toMatchObject({
      code: 'unreadable_input',
      message: expect.stringMatching(/fr\.json is a symbolic link to a file that does not exist/),
    });
    expect(engine.calls).toEqual([]);
    expect(existsSync(join(project.path, 'dragoman.lock'))).toBe(false);
  });

  it('does not write through a link that leads out of the project', async () => {
    const project = simple();
    const outside = mkdtempSync(join(tmpdir(), 'dragoman-outside-'));
    writeFileSync(join(outside, 'es.json'), '{}');
    symlinkSync(join(outside, 'es.json'), join(project.path, 'es.json'));
    symlinkSync(join(outside, 'new.json'), join(project.path, 'fr.json'));
    const engine = new RecordingEngine();
    await expect(project.sync(engine, TARGETS)).rejects.toMatchObject({ code: 'configuration' });
    rmSync(join(project.path, 'es.json'));
    const report = await project.sync(engine, TARGETS);
    expect(report.languages[1]?.files[0]?.error?.code).toBe('unreadable_input');
    expect(existsSync(join(outside, 'new.json'))).toBe(false);
    rmSync(outside, { recursive: true });
  });
});
