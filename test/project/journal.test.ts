import { appendFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { fingerprint } from '../../src/project/state/lock-line.ts';
import { Journal, parseJournal, readJournal } from '../../src/project/state/journal.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

const ENTRY = { engine: 'e', source: 'en', target: 'es', tagged: 'Save', translation: 'Guardar' };
const LINE = {
  file: 'en.json',
  key: '/save',
  locale: 'es',
  source: '0123456789abcdef',
  output: 'fedcba9876543210',
  mark: undefined,
};

describe('the journal', () => {
  it('keeps records and intentions after reopening', async () => {
    const path = join(new ProjectDirectory().path, 'journal');
    const journal = await Journal.open(path);
    await Promise.all([
      journal.put([ENTRY]),
      journal.put([{ ...ENTRY, tagged: 'Open', translation: 'Abrir' }]),
      journal.intend('es.json', [LINE]),
    ]);
    await journal.close();
    const again = await Journal.open(path);
    expect(again.get('e', 'en', 'es', 'Save')).toBe('Guardar');
    expect(again.get('e', 'en', 'es', 'Open')).toBe('Abrir');
    expect(again.get('other', 'en', 'es', 'Save')).toBeUndefined();
    expect(again.left.lines).toEqual([LINE]);
    expect(again.left.targets).toEqual(['es.json']);
    await again.finish();
    expect(existsSync(path)).toBe(false);
  });

  it('reads every complete line, no matter where the file was cut off', async () => {
    const path = join(new ProjectDirectory().path, 'journal');
    const journal = await Journal.open(path);
    for (const tagged of ['Ä', 'B', 'C'])
      await journal.put([{ ...ENTRY, tagged, translation: `${tagged}→😀` }]);
    await journal.close();
    const bytes = readFileSync(path);
    for (let length = 0; length <= bytes.length; length++) {
      const whole = bytes.subarray(0, length).toString('latin1').split('\n').length - 1;
      writeFileSync(path, bytes.subarray(0, length));
      expect((await readJournal(path))?.segments.size).toBe(whole);
      const reopened = await Journal.open(path);
      await reopened.put([{ ...ENTRY, tagged: 'D' }]);
      await reopened.close();
      expect((await readJournal(path))?.segments.size).toBe(whole + 1);
    }
  });

  it('tolerates damage', () => {
    expect(parseJournal('{"segments":[["k"],7,["a","b"]]}\n{"lines":["x"]}\nnull\n]]\n').segments).toEqual(
      new Map([['a', 'b']]),
    );
  });

  it('does not write through a link', async () => {
    const project = new ProjectDirectory({ victim: 'precious' });
    symlinkSync(join(project.path, 'victim'), join(project.path, 'journal'));
    await expect(Journal.open(join(project.path, 'journal'))).rejects.toMatchObject({
      code: 'unwritable_output',
    });
    expect(project.read('victim')).toBe('precious');
  });
});

function large(): ProjectDirectory {
  const project = new ProjectDirectory();
  const keys = Array.from({ length: 300 }, (_, i) => [`key${i}`, `Text number ${i}`]);
  project.json('en.json', Object.fromEntries(keys));
  return project;
}

describe('a run that was cut off', () => {
  it('does not repeat finished batches after an abort', async () => {
    const project = large();
    const engine = new RecordingEngine();
    const controller = new AbortController();
    engine.before = () => {
      if (engine.calls.length === 2) controller.abort();
      if (controller.signal.aborted) throw new DragomanError('interrupted', 'stopped');
    };
    const report = await project.sync(engine, { targets: ['es'], signal: controller.signal, concurrency: 1 });
    expect(report.interrupted).toBe(true);
    expect(engine.calls).toHaveLength(2);
    const done = new Set(engine.texts);

    engine.before = () => undefined;
    engine.calls.length = 0;
    const rest = await project.sync(engine);
    expect(engine.texts.filter((text) => done.has(text))).toEqual([]);
    expect(done.size + new Set(engine.texts).size).toBe(300);
    expect(rest.languages[0]?.changes).toMatchObject({ translated: 300, failed: 0 });
    expect(project.list()).toEqual(['dragoman.lock', 'en.json', 'es.json']);
  });

  it('saves the languages that are finished', async () => {
    const project = large();
    const engine = new RecordingEngine();
    const controller = new AbortController();
    engine.before = ({ target }) => {
      if (target === 'fr') controller.abort();
    };
    const report = await project.sync(engine, { targets: ['es', 'fr'], signal: controller.signal });
    expect(report.interrupted).toBe(true);
    expect(existsSync(project.journal)).toBe(true);
    expect(project.list()).toEqual(['dragoman.lock', 'en.json', 'es.json']);
    expect((await project.check({ targets: ['es'] })).languages[0]?.coverage).toMatchObject({
      missing: 0,
      edited: 0,
    });
  });

  it('translates an empty value that it intended to fill but did not', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', { save: 'Save' });
    project.json('es.json', { save: '' });
    const journal = await Journal.open(project.journal);
    await journal.intend('es.json', [
      { file: 'en.json', key: '/save', locale: 'es', source: fingerprint('Save'), output: fingerprint('x') },
    ]);
    await journal.close();
    await project.sync(new RecordingEngine(), { targets: ['es'] });
    expect(project.readJson('es.json')).toEqual({ save: 'es:Save' });
  });

  it('does not take its own output as human when killed before the lock was written', async () => {
    const project = large();
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es'] });
    const lock = project.read('dragoman.lock');
    project.write('en.json', project.read('en.json').replace('Text number 7"', 'Text number seven"'));
    // The state between writing the file and the lock: the journal exists, and the lock is the old one.
    let journal = '';
    await project.sync(engine, {
      // The last progress report comes when the file is written.
      onProgress: ({ done, total }) => {
        if (done === total) journal = readFileSync(project.journal, 'utf8');
      },
    });
    project.write('dragoman.lock', lock);
    writeFileSync(project.journal, journal);

    expect((await project.check()).languages[0]?.coverage).toMatchObject({ edited: 0, stale: 0 });
    const calls = engine.calls.length;
    await project.sync(engine);
    expect(engine.calls.length).toBe(calls);
    project.write('en.json', project.read('en.json').replace('number seven', 'number VII'));
    const report = await project.sync(engine);
    expect(report.languages[0]?.changes.translated).toBe(1);
    expect(existsSync(project.journal)).toBe(false);
  });

  it('trusts the old lock if the file was not written', async () => {
    const project = large();
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es'] });
    const [lock, target] = [project.read('dragoman.lock'), project.read('es.json')];
    project.write('en.json', project.read('en.json').replace('Text number 7"', 'Text number seven"'));
    let journal = '';
    await project.sync(engine, {
      // The last progress report comes when the file is written.
      onProgress: ({ done, total }) => {
        if (done === total) journal = readFileSync(project.journal, 'utf8');
      },
    });
    project.write('dragoman.lock', lock);
    project.write('es.json', target);
    writeFileSync(project.journal, journal);
    writeFileSync(join(project.path, '.es.json.dragoman-tmp'), 'half a file');
    writeFileSync(join(project.path, '.dragoman.lock.dragoman-tmp'), 'half a lock');
    expect((await project.check()).languages[0]?.coverage).toMatchObject({ edited: 0, stale: 1 });
    const calls = engine.calls.length;
    const report = await project.sync(engine);
    expect(report.languages[0]?.changes.translated).toBe(1);
    // The journal has the translation.
    expect(engine.calls.length).toBe(calls);
    expect(project.list()).toEqual(['dragoman.lock', 'en.json', 'es.json']);
    expect(existsSync(project.journal)).toBe(false);
  });

  it('keeps an edit that a person makes while it translates', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', { save: 'Save', open: 'Open' });
    project.json('es.json', { save: 'Guardar' });
    const engine = new RecordingEngine();
    engine.before = () => project.json('es.json', { save: 'Guardar ya', open: 'Abrir ya' });
    await project.sync(engine);
    expect(project.readJson('es.json')).toEqual({ save: 'Guardar ya', open: 'Abrir ya' });
    const report = await project.sync(new RecordingEngine());
    expect(report.languages[0]?.coverage).toMatchObject({ unknown: 2, edited: 0 });
  });

  it('appends to the journal of another run', async () => {
    const project = large();
    appendFileSync(project.journal, '{"segments":[["torn');
    await project.sync(new RecordingEngine(), { targets: ['es'] });
    expect(project.list()).toEqual(['dragoman.lock', 'en.json', 'es.json']);
    expect(existsSync(project.journal)).toBe(false);
  });
});
