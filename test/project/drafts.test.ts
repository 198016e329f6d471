import { describe, expect, it } from 'vitest';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';
import type { SyncReport } from '../../src/project/plan/report.ts';

const HEADER = (language: string): string =>
  `msgid ""\nmsgstr ""\n"Language: ${language}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n`;
const template = (...ids: readonly string[]): string =>
  HEADER('') + ids.map((id) => `msgid "${id}"\nmsgstr ""\n`).join('\n');
const catalogue = (...messages: readonly string[]): string => HEADER('de') + messages.join('\n');
const options = { source: 'en', targets: ['de'] } as const;

interface Counts {
  readonly counts: object | undefined;
  readonly drift: readonly string[];
}

function countsOf({ languages }: SyncReport): Counts {
  const [language] = languages;
  const { translated, missing, review, edited, stale, outdated } = language?.coverage ?? {};
  const drift = language?.files.flatMap((file) =>
    file.drift.map(({ kind, file: name, line }) => `${kind} ${name}:${line}`),
  );
  return { counts: { translated, missing, review, edited, stale, outdated }, drift: drift ?? [] };
}

async function expectIdle(project: ProjectDirectory, more: object = {}): Promise<void> {
  const before = project.snapshot();
  const engine = new RecordingEngine();
  await project.sync(engine, { ...options, ...more });
  expect(engine.texts).toEqual([]);
  expect(project.snapshot()).toEqual(before);
}

describe('a person’s draft', () => {
  it('is a fuzzy entry without the source of another message, before the first sync', async () => {
    const target = catalogue(
      '#, fuzzy\nmsgid "Open"\nmsgstr "Auf?"\n',
      '#, fuzzy\n#| msgid "Store"\nmsgid "Save"\nmsgstr "Lagern"\n',
    );
    const project = new ProjectDirectory({ 'po/app.pot': template('Open', 'Save'), 'po/de.po': target });
    const engine = new RecordingEngine();
    const report = await project.sync(engine, options);
    expect(engine.texts).toEqual(['de Save']);
    expect(project.read('po/de.po')).toBe(
      target.replace('#, fuzzy\n#| msgid "Store"\n', '').replace('Lagern', 'de:Save'),
    );
    expect(countsOf(report)).toMatchObject({
      counts: { translated: 1, missing: 0, review: 1 },
      drift: ['review po/de.po:9'],
    });
    await expectIdle(project, { force: true, keys: ['.Open'] });
    await expectIdle(project);
  });

  it('is a text that differs from the one that we wrote, until the mark is removed', async () => {
    const project = new ProjectDirectory({ 'po/app.pot': template('Open', 'Save') });
    await project.sync(new RecordingEngine(), options);
    const written = project.read('po/de.po');
    const draft = written.replace('msgid "Open"\nmsgstr "de:Open"', '#, fuzzy\nmsgid "Open"\nmsgstr "Auf"');
    project.write('po/de.po', draft);
    const report = await project.sync(new RecordingEngine(), { ...options, force: true });
    expect(project.read('po/de.po')).toBe(draft);
    expect(countsOf(report).counts).toMatchObject({ translated: 1, review: 1, edited: 0 });
    expect(project.read('dragoman.lock')).toMatch(/Open\tde\t\w+\t\w+\thuman\n/);
    project.write('po/de.po', draft.replace('#, fuzzy\n', ''));
    expect(countsOf(await project.check(options))).toMatchObject({
      counts: { translated: 2, review: 0, edited: 1 },
      drift: [],
    });
  });

  it.each([
    ['with', '#| msgid "Save"\n'],
    ['without', ''],
  ])('is not a msgmerge guess %s the earlier source, unless a person edited it', async (_, previous) => {
    const project = new ProjectDirectory({ 'po/app.pot': template('Save', 'Open') });
    await project.sync(new RecordingEngine(), options);
    const written = project.read('po/de.po');
    const merged = (text: string): string =>
      written.replace(
        'msgid "Save"\nmsgstr "de:Save"',
        `#, fuzzy\n${previous}msgid "Save as"\nmsgstr "${text}"`,
      );
    project.write('po/app.pot', template('Save as', 'Open'));
    project.write('po/de.po', merged('Sichern als'));
    const engine = new RecordingEngine();
    const lock = project.read('dragoman.lock');
    await project.sync(engine, options);
    expect(engine.texts).toEqual([]);
    expect(project.read('po/de.po')).toBe(merged('Sichern als'));
    await expectIdle(project);
    project.write('po/de.po', merged('de:Save'));
    project.write('dragoman.lock', lock);
    await project.sync(engine, options);
    expect(engine.texts).toEqual(['de Save as']);
    expect(project.read('po/de.po')).toContain('\nmsgid "Save as"\nmsgstr "de:Save as"');
    expect(project.read('po/de.po')).not.toMatch(/fuzzy|#\|/);
  });

  it('keeps its mark next to new forms of its plural', async () => {
    const plural = (flags: string, one: string, other: string): string =>
      `#, ${flags}c-format\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "${one}"\nmsgstr[1] "${other}"\n`;
    const project = new ProjectDirectory({
      'po/app.pot': HEADER('') + plural('', '', ''),
      'po/de.po': catalogue(plural('fuzzy, ', '%d Akte', '')),
    });
    const report = await project.sync(new RecordingEngine(), options);
    expect(project.read('po/de.po')).toBe(catalogue(plural('fuzzy, ', '%d Akte', 'de:%d files')));
    expect(countsOf(report).counts).toMatchObject({ translated: 0, missing: 0, review: 1 });
    await expectIdle(project);
  });

  it('is kept with its mark when its key is renamed', async () => {
    const unit = (id: string, target: string): string =>
      `<xliff version="1.2"><file source-language="en" target-language="de" original="a"><body>\n` +
      `<trans-unit id="${id}"><source>Save</source>${target}</trans-unit>\n</body></file></xliff>\n`;
    const draft = '<target state="needs-review-translation">Sichern?</target>';
    const project = new ProjectDirectory({
      'messages.xlf': unit('a', '').replace(' target-language="de"', ''),
      'messages.de.xlf': unit('a', draft),
    });
    await project.sync(new RecordingEngine(), options);
    project.write('messages.xlf', unit('b', '').replace(' target-language="de"', ''));
    const report = await project.sync(new RecordingEngine(), options);
    expect(project.read('messages.de.xlf')).toContain(`<trans-unit id="b"><source>Save</source>${draft}`);
    expect(countsOf(report).counts).toMatchObject({ translated: 0, missing: 0, review: 1 });
    await expectIdle(project);
  });

  it('is an unfinished Qt entry, unless lupdate copied it from another source', async () => {
    const message = (source: string, translation: string, old = ''): string =>
      `<message><source>${source}</source>${old}${translation}</message>\n`;
    const unfinished = (text: string): string => `<translation type="unfinished">${text}</translation>`;
    const ts = (...messages: readonly string[]): string =>
      `<!DOCTYPE TS>\n<TS version="2.1" language="de" sourcelanguage="en"><context><name>W</name>\n${messages.join('')}</context></TS>\n`;
    const project = new ProjectDirectory({
      'app_de.ts': ts(
        message('Open', unfinished('Auf?')),
        message('Save', unfinished('Lagern'), '<oldsource>Store</oldsource>'),
      ),
    });
    const engine = new RecordingEngine();
    await project.sync(engine, options);
    expect(engine.texts).toEqual(['de Save']);
    expect(project.read('app_de.ts')).toContain(unfinished('Auf?'));
  });
});

interface MarkedFormat {
  readonly files: Readonly<Record<string, string>>;
  readonly target: string;
  /** The text of the message whose source changes. */
  readonly changed: string;
  readonly change: (source: string) => string;
  /** A text with its mark in the file. */
  readonly marked: (text: string) => string;
  readonly unmarked: (text: string) => string;
}

const po: MarkedFormat = {
  files: { 'po/app.pot': HEADER('') + '#. A\nmsgid "Open"\nmsgstr ""\n\nmsgid "Save"\nmsgstr ""\n' },
  target: 'po/de.po',
  changed: 'Open',
  change: (text) => text.replace('#. A', '#. B'),
  marked: (text) => `#, fuzzy\nmsgid "${text.replace(/^.*:/, '')}"\nmsgstr "${text}"`,
  unmarked: (text) => `msgid "${text.replace(/^.*:/, '')}"\nmsgstr "${text}"`,
};
const units = (content: (source: string) => string): string => content('Open') + content('Save');
const xliff1: MarkedFormat = {
  files: {
    'messages.xlf': `<xliff version="1.2"><file source-language="en" original="a"><body>\n${units((source) => `<trans-unit id="${source}"><source>${source}</source></trans-unit>\n`)}</body></file></xliff>\n`,
  },
  target: 'messages.de.xlf',
  changed: 'Open all',
  change: (text) => text.replace('<source>Open', '<source>Open all'),
  marked: (text) =>
    `<target state="needs-review-translation" state-qualifier="mt-suggestion">${text}</target>`,
  unmarked: (text) => `<target state="translated">${text}</target>`,
};
const xliff2: MarkedFormat = {
  files: {
    'messages.xlf': `<xliff version="2.0" srcLang="en"><file id="a">\n${units((source) => `<unit id="${source}"><segment><source>${source}</source></segment></unit>\n`)}</file></xliff>\n`,
  },
  target: 'messages.de.xlf',
  changed: 'Open all',
  change: xliff1.change,
  marked: (text) =>
    `<segment state="translated" subState="dragoman:needs-review-machine"><source>${text.replace(/^.*:/, '')}</source><target>${text}</target>`,
  unmarked: (text) =>
    `<segment state="translated"><source>${text.replace(/^.*:/, '')}</source><target>${text}</target>`,
};
const unit = (state: string, text: string): string =>
  `{ "stringUnit" : { "state" : "${state}", "value" : "${text}" } }`;
const xcstrings: MarkedFormat = {
  files: {
    'Localizable.xcstrings': `{ "sourceLanguage" : "en", "strings" : { "a" : { "localizations" : { "en" : ${unit('translated', 'Open')} } }, "b" : { "localizations" : { "en" : ${unit('translated', 'Save')} } } }, "version" : "1.0" }\n`,
  },
  target: 'Localizable.xcstrings',
  changed: 'Open all',
  change: (text) => text.replace('"Open"', '"Open all"'),
  marked: (text) => `"state" : "needs_review", "value" : "${text}"`,
  unmarked: (text) => `"state" : "translated", "value" : "${text}"`,
};
const qt: MarkedFormat = {
  files: {
    'app_de.ts': `<!DOCTYPE TS>\n<TS version="2.1" language="de" sourcelanguage="en"><context><name>W</name>\n${units((source) => `<message><source>${source}</source><extracomment>A</extracomment><translation type="unfinished"></translation></message>\n`)}</context></TS>\n`,
  },
  target: 'app_de.ts',
  changed: 'Open',
  change: (text) => text.replace('>A<', '>B<'),
  marked: (text) => `<translation type="unfinished">${text}</translation>`,
  unmarked: (text) => `<translation>${text}</translation>`,
};

describe.each(Object.entries({ po, 'xliff 1.2': xliff1, 'xliff 2': xliff2, xcstrings, qt }))(
  'markForReview in %s',
  (_, { files, target, changed, change, marked, unmarked }) => {
    const forReview = { ...options, markForReview: true };
    const [source = ''] = Object.keys(files);
    const start = async (): Promise<ProjectDirectory> => {
      const project = new ProjectDirectory(files);
      await project.sync(new RecordingEngine(), forReview);
      return project;
    };
    const replace = (project: ProjectDirectory, from: string, to: string): void => {
      const text = project.read(target);
      expect(text).toContain(from);
      project.write(target, text.replace(from, to));
    };

    it('marks new translations, which are neither missing nor done nor drafts', async () => {
      const project = await start();
      for (const text of ['de:Open', 'de:Save']) expect(project.read(target)).toContain(marked(text));
      const counts = { translated: 0, missing: 0, review: 2, edited: 0, stale: 0, outdated: 0 };
      expect(countsOf(await project.check(options))).toEqual({ counts, drift: [] });
      await expectIdle(project, { markForReview: true });
      await expectIdle(project);
      expect(countsOf(await project.check(options))).toEqual({ counts, drift: [] });
    });

    it('marks translations that were written without a mark, if the engine repeats them', async () => {
      const project = new ProjectDirectory(files);
      await project.sync(new RecordingEngine(), options);
      expect(project.read(target)).not.toContain(marked('de:Open'));
      await project.sync(new RecordingEngine(), { ...forReview, force: true });
      for (const text of ['de:Open', 'de:Save']) expect(project.read(target)).toContain(marked(text));
      expect(countsOf(await project.check(options)).counts).toMatchObject({ review: 2, edited: 0 });
    });

    it('makes a text human when a person removes its mark', async () => {
      const project = await start();
      replace(project, marked('de:Open'), unmarked('de:Open'));
      const engine = new RecordingEngine();
      const report = await project.sync(engine, { ...forReview, force: true });
      expect(engine.texts).toEqual(['de Save']);
      expect(countsOf(report).counts).toMatchObject({ translated: 1, edited: 1, review: 1 });
      project.write(source, change(project.read(source)));
      const after = countsOf(await project.sync(engine, forReview));
      expect(after.counts).toMatchObject({ outdated: 1, review: 1 });
      expect(project.read(target)).toMatch(/de:Open["<]/);
    });

    it('translates its own text again when its source changes, and keeps a draft', async () => {
      const project = await start();
      replace(project, marked('de:Save'), marked('de:Save').replace('de:Save', 'Sichern'));
      project.write(source, change(project.read(source)));
      const engine = new RecordingEngine();
      const report = await project.sync(engine, forReview);
      expect(engine.texts).toEqual([`de ${changed}`]);
      expect(project.read(target)).toContain(marked(`de:${changed}`));
      expect(project.read(target)).toContain(marked('de:Save').replace('de:Save', 'Sichern'));
      expect(countsOf(report).counts).toMatchObject({ translated: 0, review: 2 });
      expect(countsOf(report).drift).toMatchObject([expect.stringMatching(/^review /)]);
      await project.sync(engine, { ...options, force: true });
      expect(project.read(target)).toContain(unmarked(`de:${changed}`));
      expect(project.read(target)).toContain(marked('de:Save').replace('de:Save', 'Sichern'));
    });
  },
);
