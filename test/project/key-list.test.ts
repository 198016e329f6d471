import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { createJobTranslations } from '../../src/client/job-translations.ts';
import type { FileKeys, KeysListener, ListedKey } from '../../src/project/plan/key-list.ts';
import { NO_COVERAGE, sumCoverage, type LanguageReport } from '../../src/project/plan/report.ts';
import { CountingJobs } from '../client/counting-jobs.ts';
import { CountingService } from '../client/counting-service.ts';
import { MemoryFake } from '../memory/memory-fake.ts';
import { countTexts } from '../../src/project/state/text-counts.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

interface Listed extends Omit<FileKeys, 'keys'> {
  readonly keys: readonly ListedKey[];
}

function listener(): { readonly listed: Listed[]; readonly onKeys: KeysListener } {
  const listed: Listed[] = [];
  const onKeys: KeysListener = (file) => {
    listed.push({ ...file, keys: [...file.keys] });
    return Promise.resolve();
  };
  return { listed, onKeys };
}

const brief = ({ key, status, source, value, result }: ListedKey): unknown[] => [
  key.join('.'),
  status,
  source,
  value,
  result?.action,
];

/** The counts of a language computed from its keys, for comparison with the report. */
function counted(listed: readonly Listed[], locale: string): Partial<LanguageReport> {
  const keys = listed.filter((file) => file.locale === locale).flatMap((file) => file.keys);
  const count = (...standings: readonly string[]): number =>
    keys.filter(({ status }) => standings.includes(status)).length;
  const coverage = {
    ...NO_COVERAGE,
    keys: keys.length - count('extra'),
    translated: keys.length - count('extra', 'missing', 'pending'),
    missing: count('missing', 'pending'),
    stale: count('stale'),
    edited: count('edited'),
    unknown: count('unknown'),
    outdated: count('outdated'),
    extra: count('extra'),
    invalid: keys.filter(({ faults }) => faults.length > 0).length,
    ...countTexts(
      (state) => keys.filter((key) => key.state?.state === state).length,
      (reason) => keys.filter((key) => key.state?.needsReview === reason).length,
    ),
  };
  return { coverage };
}

describe('the list of keys', () => {
  it('lists the translations, their author and position', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', { save: 'Save', nested: { open: 'Open {file}' } });
    const { listed, onKeys } = listener();
    await project.sync(new RecordingEngine(), { targets: ['es'], onKeys });
    expect(
      listed.map(({ locale, report }) => [locale, report.source, report.target, report.written]),
    ).toEqual([['es', 'en.json', 'es.json', true]]);
    expect(listed[0]?.keys).toMatchObject([
      {
        key: ['save'],
        status: 'translated',
        source: 'Save',
        value: 'es:Save',
        sourcePlace: { line: 2, column: 11 },
        targetPlace: { line: 2, column: 11 },
        faults: [],
        result: { action: 'translated', engine: 'recording' },
      },
      { key: ['nested', 'open'], value: 'es:Open {file}', sourcePlace: { line: 4, column: 13 } },
    ]);
  });

  it('is complete if there is nothing to do, remembered or not', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', { save: 'Save' });
    project.json('app/en.json', { open: 'Open' });
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es', 'fr'] });
    const expected = [
      [['open', 'translated', 'Open', 'es:Open', undefined]],
      [['save', 'translated', 'Save', 'es:Save', undefined]],
      [['open', 'translated', 'Open', 'fr:Open', undefined]],
      [['save', 'translated', 'Save', 'fr:Save', undefined]],
    ];
    const before = project.snapshot();
    for (const remembered of [true, false]) {
      if (!remembered) rmSync(project.cache, { recursive: true });
      for (const run of ['sync', 'check'] as const) {
        const { listed, onKeys } = listener();
        const report = await (run === 'sync' ? project.sync(engine, { onKeys }) : project.check({ onKeys }));
        expect(listed.map(({ keys }) => keys.map(brief))).toEqual(expected);
        expect(report.languages.map(({ changes }) => changes.kept)).toEqual([2, 2]);
      }
    }
    expect(project.snapshot()).toEqual(before);
  });

  it('has the state and the action of each key', async () => {
    const project = new ProjectDirectory();
    const source = { a: 'One', b: 'Two', c: 'Three', d: 'Four', e: 'Five {n}', old: 'Six' };
    project.json('en.json', source);
    const engine = new RecordingEngine();
    await project.sync(engine, { targets: ['es'] });
    const { old: _, ...rest } = source;
    project.json('en.json', { ...rest, b: 'Two more', c: 'Three more', hard: 'Hard', renamed: 'Six', z: '' });
    const target = project.readJson('es.json') as Record<string, string>;
    project.json('es.json', { ...target, c: 'tres', d: 'cuatro', e: 'cinco {m}', gone: 'ido' });
    engine.broken.add('Hard');

    const checked = listener();
    const found = await project.check({ onKeys: checked.onKeys });
    expect(checked.listed[0]?.keys.map(brief)).toEqual([
      ['a', 'translated', 'One', 'es:One', undefined],
      ['b', 'stale', 'Two more', 'es:Two', undefined],
      ['c', 'outdated', 'Three more', 'tres', undefined],
      ['d', 'edited', 'Four', 'cuatro', undefined],
      ['e', 'edited', 'Five {n}', 'cinco {m}', undefined],
      ['hard', 'missing', 'Hard', undefined, undefined],
      ['renamed', 'missing', 'Six', undefined, undefined],
      ['gone', 'extra', undefined, 'ido', undefined],
    ]);
    expect(counted(checked.listed, 'es').coverage).toMatchObject({
      ...found.languages[0]?.coverage,
      characters: 0,
    });

    const synced = listener();
    const report = await project.sync(engine, { onKeys: synced.onKeys });
    expect(synced.listed[0]?.keys.map(brief)).toEqual([
      ['a', 'translated', 'One', 'es:One', undefined],
      ['b', 'translated', 'Two more', 'es:Two more', 'translated'],
      ['c', 'outdated', 'Three more', 'tres', undefined],
      ['d', 'edited', 'Four', 'cuatro', undefined],
      ['e', 'edited', 'Five {n}', 'cinco {m}', undefined],
      ['hard', 'missing', 'Hard', undefined, 'failed'],
      ['renamed', 'translated', 'Six', 'es:Six', 'reused'],
      ['gone', 'extra', undefined, 'ido', undefined],
    ]);
    const keys = new Map(synced.listed[0]?.keys.map((key) => [key.key.join('.'), key]));
    expect(keys.get('hard')?.result?.reason).toContain('too hard');
    expect(keys.get('renamed')?.result?.from).toEqual(['old']);
    expect(keys.get('e')?.faults.join()).toMatch(/\{[nm]\}/);
    expect(keys.get('d')?.faults).toEqual([]);
    expect(keys.get('gone')?.targetPlace).toMatchObject({ column: 11 });
    expect(counted(synced.listed, 'es').coverage).toEqual({
      ...report.languages[0]?.coverage,
      characters: 0,
    });
    const [file] = synced.listed;
    expect(file?.report.changes).toEqual(report.languages[0]?.changes);
    expect(sumCoverage([file?.report.coverage ?? NO_COVERAGE])).toEqual(report.languages[0]?.coverage);
  });

  it('marks source texts in place of translations', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', { a: 'Easy', b: 'Hard' });
    const engine = new RecordingEngine();
    engine.broken.add('Hard');
    const { listed, onKeys } = listener();
    await project.sync(engine, { targets: ['es'], onKeys });
    expect(listed[0]?.keys.map(brief)).toEqual([
      ['a', 'translated', 'Easy', 'es:Easy', 'translated'],
      ['b', 'pending', 'Hard', 'Hard', 'failed'],
    ]);
  });

  it('names matches from the memory, and missing terms', async () => {
    const memory = new MemoryFake();
    const glossary = {
      terms: [
        {
          term: 'folder',
          translations: new Map([['es', ['carpeta']]]),
          doNotTranslate: false,
          caseSensitive: false,
        },
      ],
    };
    for (const name of ['first', 'second']) {
      const project = new ProjectDirectory();
      project.json('en.json', { save: 'Save', [name]: `Open the folder ${name}` });
      const { listed, onKeys } = listener();
      await project.sync(new RecordingEngine(), { targets: ['es'], memory, glossary, onKeys });
      const [save, open] = listed[0]?.keys ?? [];
      expect(save?.result).toEqual(
        name === 'first'
          ? { action: 'translated', engine: 'recording', memory: undefined, missingTerms: undefined }
          : { action: 'translated', engine: undefined, memory: 'machine', missingTerms: undefined },
      );
      expect(open?.result?.missingTerms).toMatchObject([{ term: 'folder', translation: 'carpeta' }]);
    }
  });

  it('lists unfinished keys when the run stops early', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', { a: 'Save' });
    const engine = new RecordingEngine();
    engine.before = () => {
      throw new DragomanError('insufficient_credits', 'no credits are left');
    };
    const { listed, onKeys } = listener();
    await project.sync(engine, { targets: ['es', 'fr'], onKeys });
    expect(listed.map(({ locale, keys }) => [locale, keys.map(brief)])).toEqual([
      ['es', [['a', 'missing', 'Save', undefined, 'left']]],
      ['fr', [['a', 'missing', 'Save', undefined, 'left']]],
    ]);
    expect(listed[0]?.keys[0]?.result?.reason).toContain('no credits');
  });

  it('lists the translations of a service job', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', { a: 'Save {file}' });
    const translator = createJobTranslations({ service: new CountingService(), jobs: new CountingJobs() });
    const { listed, onKeys } = listener();
    await project.sync(new RecordingEngine(), {
      targets: ['es', 'fr'],
      fileTranslator: () => Promise.resolve(translator),
      onKeys,
    });
    expect(listed.map(({ locale, keys }) => [locale, keys[0]?.value, keys[0]?.result])).toEqual([
      ['es', 'es:Save {file}', expect.objectContaining({ action: 'translated', engine: 'service' })],
      ['fr', 'fr:Save {file}', expect.objectContaining({ action: 'translated', engine: 'service' })],
    ]);
  });

  it('has the languages that were done before an interruption', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', { a: 'Save' });
    const engine = new RecordingEngine();
    const controller = new AbortController();
    engine.before = ({ target }) => {
      if (target === 'fr') controller.abort();
    };
    const { listed, onKeys } = listener();
    const report = await project.sync(engine, {
      targets: ['es', 'fr', 'it'],
      signal: controller.signal,
      onKeys,
    });
    expect(report.interrupted).toBe(true);
    expect(listed.map(({ locale }) => locale)).toEqual(report.languages.map(({ locale }) => locale));
    expect(listed[0]?.keys.map(brief)).toEqual([['a', 'translated', 'Save', 'es:Save', 'translated']]);
    expect(listed.find(({ locale }) => locale === 'it')).toBeUndefined();
  });

  it('lists an unreadable file with the reason, and none of its keys', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', { a: 'Save' });
    project.write('es.json', '{"a": ');
    const { listed, onKeys } = listener();
    await project.sync(new RecordingEngine(), { targets: ['es', 'fr'], onKeys });
    expect(listed.map(({ locale, report, keys }) => [locale, report.error?.code, keys.length])).toEqual([
      ['es', 'unreadable_input', 0],
      ['fr', undefined, 1],
    ]);
  });

  it('includes plural forms, notes, and values without words', async () => {
    const project = new ProjectDirectory();
    project.write(
      'po/app.pot',
      'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n' +
        '#. Of the menu\nmsgid "Save"\nmsgstr ""\n\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] ""\nmsgstr[1] ""\n',
    );
    const { listed, onKeys } = listener();
    await project.sync(new RecordingEngine(), { targets: ['ru'], onKeys });
    const keys = listed[0]?.keys ?? [];
    expect(keys[0]).toMatchObject({ comment: 'Of the menu', value: 'ru:Save' });
    expect(keys.length).toBeGreaterThanOrEqual(4);
    expect(new Set(keys.slice(1).map(({ source }) => source))).toEqual(new Set(['%d file', '%d files']));
  });

  it('is not created without a listener, and waits for it', async () => {
    const project = new ProjectDirectory();
    project.json('en.json', { a: 'Save' });
    project.json('app/en.json', { b: 'Open' });
    let under = 0;
    let most = 0;
    await project.sync(new RecordingEngine(), {
      targets: ['es'],
      onKeys: async () => {
        most = Math.max(most, ++under);
        await new Promise((resolve) => setImmediate(resolve));
        under--;
      },
    });
    expect(most).toBe(1);
    const failing = project.check({
      onKeys: () => Promise.reject(new DragomanError('unwritable_output', 'the disk is full')),
    });
    await expect(failing).rejects.toThrow('the disk is full');
    expect(project.list()).toContain(join('app', 'es.json'));
  });
});
