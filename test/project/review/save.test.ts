import { describe, expect, it } from 'vitest';
import { MemoryFake } from '../../memory/memory-fake.ts';
import { ProjectDirectory, RecordingEngine } from '../project-directory.ts';
import type { SavedAnswer } from '../../../src/project/review/save.ts';
import { answerTo, rowsOf, save } from './answers.ts';

const APP = {
  'locales/en.json': '{"save": "Save", "open": "Open {{name}}", "close": "Close"}\n',
  'locales/es.json': '{"save": "Guardar",  "open": "Abrir {{name}}"}\n',
  'package.json': '{"dependencies": {"i18next": "25.0.0"}}',
};

const decisionsIn = (directory: ProjectDirectory): readonly string[] =>
  directory
    .read('dragoman.lock')
    .split('\n')
    .filter((line) => line.includes('\tes\t'))
    .map((line) => line.replaceAll(/\t[0-9a-f]{16}/g, ''));

describe('saved answers', () => {
  it('change one value, count as human, and are found by the next sync and status', async () => {
    const directory = new ProjectDirectory(APP);
    const rows = await rowsOf(directory);
    expect(rows.get('save')).toMatchObject({ state: 'translated', provenance: { by: 'unknown' } });
    expect(rows.get('close')).toMatchObject({ state: 'initial', forms: [{ base: '', findings: [] }] });
    const results = await save(directory, [
      answerTo(rows.get('save'), { values: ['Grabar'] }),
      answerTo(rows.get('close'), { values: ['Cerrar'], verdict: 'reviewed' }),
      answerTo(rows.get('open'), { verdict: 'rejected', note: ' a\ttab, ~ and / ' }),
    ]);
    expect(results).toMatchObject([
      {
        kind: 'saved',
        row: { state: 'translated', provenance: { by: 'person' }, forms: [{ translation: 'Grabar' }] },
      },
      { kind: 'saved', row: { state: 'reviewed', decision: { verdict: 'reviewed', by: 'person' } } },
      {
        kind: 'saved',
        row: { state: 'translated', needsReview: 'rejected', decision: { note: 'a\ttab, ~ and /' } },
      },
    ]);
    expect(directory.read('locales/es.json')).toBe(
      '{"save": "Grabar",  "open": "Abrir {{name}}",  "close": "Cerrar"}\n',
    );
    expect(decisionsIn(directory)).toEqual([
      'locales/en.json\t/close\tes\thuman\treviewed:person',
      'locales/en.json\t/open\tes\tunknown\trejected:person\ta~u0009tab, ~0 and /',
      'locales/en.json\t/save\tes\thuman',
    ]);
    const now = await rowsOf(directory);
    for (const result of results)
      if (result.kind === 'saved') expect(now.get(result.row.name)).toEqual(result.row);
    const engine = new RecordingEngine();
    await directory.sync(engine, { source: 'en', targets: ['es'] });
    expect(engine.calls).toEqual([]);
  });

  it('are compared with the current row', async () => {
    const directory = new ProjectDirectory(APP);
    const rows = await rowsOf(directory);
    const answers = [
      answerTo(rows.get('save'), { values: ['Grabar'] }),
      answerTo(rows.get('open'), { values: ['Abre {{name}}'] }),
      { ...answerTo(rows.get('save'), { verdict: 'reviewed' }), id: 'another project' },
    ];
    directory.write('locales/es.json', '{"save": "Guardar ya",  "open": "Abrir {{name}}"}\n');
    directory.write('locales/en.json', APP['locales/en.json'].replace('Open', 'Unlock'));
    expect(await save(directory, answers)).toMatchObject([
      { kind: 'conflict', row: { forms: [{ translation: 'Guardar ya' }] } },
      { kind: 'stale', row: { forms: [{ source: 'Unlock {{name}}' }] } },
      { kind: 'foreign' },
    ]);
    expect(directory.list()).not.toContain('dragoman.lock');
  });

  it('may arrive twice', async () => {
    const directory = new ProjectDirectory(APP);
    const answer = answerTo((await rowsOf(directory)).get('save'), { values: ['Grabar'], verdict: 'final' });
    const [first, second] = await save(directory, [answer, answer]);
    expect(first).toMatchObject({ kind: 'saved', row: { state: 'final' } });
    expect(second).toEqual({ ...first, isRepeated: true });
    const before = directory.snapshot();
    expect(await save(directory, [answer])).toEqual([second]);
    expect(directory.snapshot()).toEqual(before);
  });

  it('are refused if verification fails, and the others of the file are saved', async () => {
    const directory = new ProjectDirectory(APP);
    const rows = await rowsOf(directory);
    const results = await save(directory, [
      answerTo(rows.get('open'), { values: ['Abre'], verdict: 'reviewed' }),
      answerTo(rows.get('save'), { values: [''] }),
      answerTo(rows.get('close'), { verdict: 'reviewed' }),
      answerTo(rows.get('close'), { values: ['Cerrar'] }),
    ]);
    expect(results).toMatchObject([
      { kind: 'refused', reasons: ['{{name}} is missing'] },
      { kind: 'refused', reasons: ['the translation is empty'] },
      { kind: 'refused', reasons: ['there is no translation to decide about'] },
      { kind: 'saved' },
    ]);
    expect(directory.read('locales/es.json')).toBe(
      '{"save": "Guardar",  "open": "Abrir {{name}}",  "close": "Cerrar"}\n',
    );
  });

  it('by agents do not make texts human, but those in imports do; both need a review', async () => {
    const directory = new ProjectDirectory(APP);
    const rows = await rowsOf(directory);
    await save(directory, [answerTo(rows.get('save'), { values: ['Grabar'] })], { by: 'agent' });
    const [imported] = await save(directory, [answerTo(rows.get('close'), { values: ['Cerrar'] })], {
      by: 'import:ana',
    });
    expect(imported).toMatchObject({
      row: { needsReview: 'imported', provenance: { by: 'import', name: 'ana' } },
    });
    expect(decisionsIn(directory)).toEqual([
      'locales/en.json\t/close\tes\thuman\tneeds-review:import:ana',
      'locales/en.json\t/save\tes\tneeds-review:agent',
    ]);
    expect((await rowsOf(directory)).get('save')).toMatchObject({
      needsReview: 'agent',
      provenance: { by: 'agent' },
    });
  });

  it('write a plural as a whole, and record a decision about all of its forms', async () => {
    const directory = new ProjectDirectory({
      'locales/en.json': '{"n_one": "{{count}} file", "n_other": "{{count}} files"}\n',
      'locales/es.json': '{}\n',
      'package.json': APP['package.json'],
    });
    const row = (await rowsOf(directory)).get('n');
    expect(row?.forms.map(({ category, examples }) => [category, examples?.slice(0, 2)])).toEqual([
      ['one', [1]],
      ['many', [1_000_000, 2_000_000]],
      ['other', [0, 2]],
    ]);
    const all = ['{{count}} archivo', '{{count}} de archivos', '{{count}} archivos'];
    expect(await save(directory, [answerTo(row, { values: ['{{count}}', 'x', ''] })])).toMatchObject([
      { kind: 'refused', reasons: ['many: {{count}} is missing'] },
    ]);
    expect(await save(directory, [answerTo(row, { values: all.slice(0, 2) })])).toMatchObject([
      { kind: 'refused', reasons: ['2 texts for 3 plural forms'] },
    ]);
    expect(await save(directory, [answerTo(row, { values: all, verdict: 'reviewed' })])).toMatchObject([
      { kind: 'saved', row: { state: 'reviewed' } },
    ]);
    expect(directory.readJson('locales/es.json')).toEqual({ n_one: all[0], n_many: all[1], n_other: all[2] });
    expect(decisionsIn(directory)).toHaveLength(3);
  });

  it('record approvals and review marks in the file', async () => {
    const unit = (state: string, text: string): string =>
      `<xliff version="1.2"><file source-language="en" target-language="es" original="a"><body>\n` +
      `<trans-unit id="k"><source>Close</source><target${state}>${text}</target></trans-unit>\n</body></file></xliff>\n`;
    const directory = new ProjectDirectory({ 'app.es.xlf': unit('', 'Cierra') });
    const row = (await rowsOf(directory)).get('Close');
    const [saved] = await save(directory, [answerTo(row, { values: ['Cerrar'], verdict: 'final' })]);
    expect(saved).toMatchObject({
      kind: 'saved',
      row: { state: 'final', forms: [{ translation: 'Cerrar' }] },
    });
    expect(directory.read('app.es.xlf')).toBe(unit(' state="final"', 'Cerrar'));
    const again = (await rowsOf(directory)).get('Close');
    expect(saved).toMatchObject({ row: again });
    const [imported] = await save(directory, [answerTo(again, { values: ['Cierre'] })], { by: 'import:a' });
    expect(imported).toMatchObject({ kind: 'saved', row: { needsReview: 'imported' } });
    expect(directory.read('app.es.xlf')).toBe(unit(' state="needs-review-translation"', 'Cierre'));
  });

  it('of a person are learned, except for those that need a review', async () => {
    const directory = new ProjectDirectory(APP);
    const rows = await rowsOf(directory);
    const memory = new MemoryFake();
    await save(directory, [answerTo(rows.get('save'), { values: ['Grabar'] })], { memory });
    await save(directory, [answerTo(rows.get('close'), { values: ['Cerrar'] })], { memory, by: 'import:a' });
    await save(directory, [answerTo(rows.get('open'), { verdict: 'reviewed' })], { memory });
    expect(memory.stored).toMatchObject([{ translations: ['Grabar'], origin: 'human' }, { origin: 'human' }]);
  });

  it('are written to pages and subtitles', async () => {
    const cue = (text: string): string => `1\n00:00:01,000 --> 00:00:03,000\n${text}\n`;
    const directory = new ProjectDirectory({
      'docs/en/guide.md': '# Guide\n\nRead *this* first.\n',
      'docs/es/guide.md': '# Guía\n\nLee *esto* primero.\n',
      'film.en.srt': cue('Good morning.'),
      'film.es.srt': cue('Buen día.'),
    });
    const rows = await rowsOf(directory);
    await save(directory, [
      answerTo(rows.get('Read <em>this</em> first.'), {
        values: ['Primero, lee <em>esto</em>.'],
        verdict: 'reviewed',
      }),
      answerTo(rows.get('Good morning.'), { values: ['Buenos días.'] }),
    ]);
    expect(directory.read('docs/es/guide.md')).toBe('# Guía\n\nPrimero, lee *esto*.\n');
    expect(directory.read('film.es.srt')).toBe(cue('Buenos días.'));
    expect((await rowsOf(directory)).get('Read <em>this</em> first.')).toMatchObject({ state: 'reviewed' });
  });

  it('wait for a running sync', async () => {
    const directory = new ProjectDirectory(APP);
    const rows = await rowsOf(directory);
    const answers = ['Grabar', 'Guardar ya', 'Salvar'].map((text) =>
      answerTo(rows.get('save'), { values: [text] }),
    );
    const patience = 10_000;
    const saving: Promise<readonly SavedAnswer[]>[] = [];
    const engine = (): Promise<RecordingEngine> => {
      saving.push(...answers.map((answer) => save(directory, [answer], { patience })));
      return Promise.resolve(new RecordingEngine());
    };
    const synced = await directory.sync(new RecordingEngine(), { source: 'en', targets: ['es'], engine });
    const saved = await Promise.all(saving);
    expect(synced.languages[0]?.changes.translated).toBe(1);
    const kinds = saved.flat().map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['conflict', 'conflict', 'saved']);
    const winner = answers[kinds.indexOf('saved')]?.values?.[0];
    expect(directory.readJson('locales/es.json')).toEqual({
      save: winner,
      open: 'Abrir {{name}}',
      close: 'es:Close',
    });
  });
});
