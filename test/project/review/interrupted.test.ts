import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fingerprint, serializeLine, sourceFingerprint } from '../../../src/project/state/lock-line.ts';
import { ProjectDirectory, RecordingEngine } from '../project-directory.ts';
import { answerTo, rowsOf, save } from './answers.ts';

const APP = {
  'locales/en.json': '{"save": "Save", "open": "Open"}\n',
  'locales/es.json': '{"save": "Guardar", "open": "Abrir"}\n',
  'package.json': '{"dependencies": {"i18next": "25.0.0"}}',
};
const TEXTS = { save: ['Save', 'Guardar'], open: ['Open', 'Abrir'] } as const;

/** The state that a killed import leaves: the file is written, but the lock is not. */
function leaveImport(directory: ProjectDirectory): void {
  const lines = Object.entries(TEXTS).map(([key, [source, translation]]) =>
    serializeLine({
      file: 'locales/en.json',
      locale: 'es',
      key: `/${key}`,
      source: sourceFingerprint({ text: source }),
      output: fingerprint(translation),
      mark: 'human',
      decision: { verdict: 'needs-review', by: 'import:acme' },
    }),
  );
  const entries = [{ scope: { paths: [''], targets: ['es'] } }, { target: 'locales/es.json', lines }];
  writeFileSync(directory.journal, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
}

describe('decisions after an interrupted import', () => {
  it('survive when the next sync finishes the rest of it', async () => {
    const directory = new ProjectDirectory(APP);
    leaveImport(directory);
    const rows = await rowsOf(directory);
    await save(directory, [answerTo(rows.get('save'), { verdict: 'reviewed' })]);
    await directory.sync(new RecordingEngine(), { source: 'en', targets: ['es'] });
    const now = await rowsOf(directory);
    expect(now.get('save')).toMatchObject({ decision: { verdict: 'reviewed', by: 'person' } });
    // Nobody has decided about this text since then.
    expect(now.get('open')).toMatchObject({ decision: { verdict: 'needs-review', by: 'import:acme' } });
  });

  it.each(['before', 'after'])('survive if the run is killed %s the lock is written', async (when) => {
    const directory = new ProjectDirectory(APP);
    leaveImport(directory);
    let journal = '';
    const onWritten = (path: string): void => {
      if (path === 'dragoman.lock') journal = readFileSync(directory.journal, 'utf8');
    };
    const row = (await rowsOf(directory)).get('save');
    await save(directory, [answerTo(row, { verdict: 'reviewed' })], { onWritten });
    expect(journal).not.toBe('');
    writeFileSync(directory.journal, journal);
    if (when === 'before') directory.remove('dragoman.lock');
    await directory.sync(new RecordingEngine(), { source: 'en', targets: ['es'] });
    expect((await rowsOf(directory)).get('save')).toMatchObject({ decision: { verdict: 'reviewed' } });
  });

  it('are replaced by later ones from git', async () => {
    const directory = new ProjectDirectory(APP);
    leaveImport(directory);
    const row = (await rowsOf(directory)).get('save');
    await save(directory, [answerTo(row, { verdict: 'rejected' })]);
    directory.write('dragoman.lock', directory.read('dragoman.lock').replace('rejected:', 'reviewed:'));
    await directory.sync(new RecordingEngine(), { source: 'en', targets: ['es'] });
    expect((await rowsOf(directory)).get('save')).toMatchObject({ decision: { verdict: 'reviewed' } });
  });

  it('survive even for texts that were written in the meantime', async () => {
    const directory = new ProjectDirectory(APP);
    leaveImport(directory);
    const first = (await rowsOf(directory)).get('save');
    await save(directory, [answerTo(first, { values: ['Grabar'], verdict: 'rejected' })]);
    await save(directory, [answerTo((await rowsOf(directory)).get('save'), { verdict: 'final' })]);
    await directory.sync(new RecordingEngine(), { source: 'en', targets: ['es'] });
    expect((await rowsOf(directory)).get('save')).toMatchObject({
      forms: [{ translation: 'Grabar' }],
      decision: { verdict: 'final', by: 'person' },
    });
  });
});
