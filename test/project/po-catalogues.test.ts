import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { po as parser } from 'gettext-parser';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { readPluralForms } from '../../src/formats/po/plural-expression.ts';
import { PLURAL_FORMS, pluralFormsOf } from '../../src/formats/po/plural-forms.ts';
import { parseLocale } from '../../src/languages/locale.ts';
import { runs } from '../property-runs.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

const hasMsgfmt = spawnSync('msgfmt', ['--version']).status === 0;

interface Head {
  readonly language?: string;
  readonly charset?: string;
  readonly forms?: string | undefined;
}

function headerOf({ language = '', charset = 'UTF-8', forms }: Head): string {
  const fields = [
    'Project-Id-Version: demo 1.0',
    'PO-Revision-Date: 2024-02-03 09:12+0100',
    'Last-Translator: Jane <jane@example.org>',
    'Language-Team: none',
    `Language: ${language}`,
    'MIME-Version: 1.0',
    `Content-Type: text/plain; charset=${charset}`,
    'Content-Transfer-Encoding: 8bit',
    ...(forms === undefined ? [] : [`Plural-Forms: ${forms}`]),
  ];
  return ['msgid ""', 'msgstr ""', ...fields.map((field) => `"${field}\\n"`), '', ''].join('\n');
}

/** Plural entries with these forms; empty if there are none. */
function entry(id: string, plural: string, forms: readonly string[]): string {
  const lines = forms.map((form, i) => `msgstr[${i}] "${form}"`);
  return ['#, c-format', `msgid "${id}"`, `msgid_plural "${plural}"`, ...lines, ''].join('\n');
}

const TEMPLATE = [
  headerOf({ charset: 'CHARSET', forms: 'nplurals=INTEGER; plural=EXPRESSION;' }),
  entry('%d file', '%d files', ['', '']),
  entry('One day', '%d days', ['', '']),
  'msgid "Save"\nmsgstr ""\n',
].join('\n');

function complaint(path: string): string {
  const { status, stderr } = spawnSync('msgfmt', ['-c', '-o', '/dev/null', path], { encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}

/** The forms of a message, as gettext-parser reads them. */
function formsIn(text: string, id: string): readonly string[] {
  return parser.parse(text).translations['']?.[id]?.msgstr ?? [];
}

/** The rules of gettext's own table, and those that platforms and older tools write. */
const RULES: readonly (readonly [locale: string, forms: string])[] = [
  ...[...PLURAL_FORMS.keys()]
    // Excludes replaced codes and the source's.
    .filter((locale) => parseLocale(locale) === locale && locale !== 'en')
    .map((locale) => [locale, pluralFormsOf(locale)] as const),
  ['fr', 'nplurals=3; plural=n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2;'],
  ['fr', 'nplurals=3; plural=(n == 0 || n == 1) ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2;'],
  ['es', 'nplurals=3; plural=n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2;'],
  ['fr', 'nplurals=2; plural=(n != 1);'],
  ['pt-BR', 'nplurals=2; plural=n != 1;'],
  ['lv', 'nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2);'],
  ['ga', 'nplurals=3; plural=n==1 ? 0 : n==2 ? 1 : 2;'],
  [
    'lt',
    'nplurals=4; plural=(n % 10 == 1 && (n % 100 > 19 || n % 100 < 11) ? 0 : (n % 10 >= 2 && n % 10 <=9) && (n % 100 > 19 || n % 100 < 11) ? 1 : n % 1 != 0 ? 2: 3);',
  ],
  [
    'cs',
    'nplurals=4; plural=(n == 1 && n % 1 == 0) ? 0 : (n >= 2 && n <= 4 && n % 1 == 0) ? 1: (n % 1 != 0 ) ? 2 : 3;',
  ],
  [
    'ru',
    'nplurals=4; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : n%10==0 || (n%10>=5 && n%10<=9) || (n%100>=11 && n%100<=14)? 2 : 3);',
  ],
  [
    'he',
    'nplurals=4; plural=(n == 1 && n % 1 == 0) ? 0 : (n == 2 && n % 1 == 0) ? 1: (n % 10 == 0 && n % 1 == 0 && n > 10) ? 2 : 3;',
  ],
  ['cy', 'nplurals=4; plural=(n==1) ? 0 : (n==2) ? 1 : (n != 8 && n != 11) ? 2 : 3;'],
  ['mk', 'nplurals=2; plural= n==1 || n%10==1 ? 0 : 1;'],
  ['ja', 'nplurals=2; plural=(n > 1);'],
  ['ru', 'nplurals=1; plural=0;'],
  ['ru', 'nplurals=2; plural=(n != 1);'],
  ['de', 'nplurals=3; plural=n>2 ? 2 : n;'],
  ['de', 'nplurals=4; plural=n>3 ? 3 : n;'],
  ['de', 'nplurals=5; plural=n>4 ? 4 : n;'],
  ['de', 'nplurals=6; plural=n%6;'],
  ['tlh', 'nplurals=3; plural=n==1 ? 0 : n==2 ? 1 : 2;'],
  ['de', 'plural=n != 1; nplurals=2;'],
  ['de', 'nplurals=2, plural=n != 1'],
];

/** Invalid, from a template, or malicious: the catalogue gets the rule of its language. */
const NO_RULES: readonly (string | undefined)[] = [
  undefined,
  '',
  'nplurals=INTEGER; plural=EXPRESSION;',
  'nplurals=2',
  'nplurals=2; plural=process.exit(1);',
  'nplurals=0; plural=0;',
  'nplurals=4294967297; plural=n;',
  `nplurals=2; plural=${'('.repeat(120)}n${')'.repeat(120)};`,
];

/** Existing forms, of which some may be empty. */
const standing = (count: number): fc.Arbitrary<readonly string[]> =>
  fc
    .array(fc.constantFrom('', 'mine %d'), { minLength: 1, maxLength: count })
    .filter((forms) => forms.length > 0);

async function expectCompleted(
  locale: string,
  forms: string | undefined,
  human: readonly string[],
): Promise<void> {
  const spelling = locale.replace('-', '_');
  const existing = headerOf({ language: spelling, forms }) + entry('%d file', '%d files', human);
  const project = new ProjectDirectory({ 'po/demo.pot': TEMPLATE, [`po/${spelling}.po`]: existing });
  const { languages } = await project.sync(new RecordingEngine(), { source: 'en-US', targets: [locale] });
  expect(languages.flatMap(({ files }) => files.flatMap(({ failures }) => failures))).toEqual([]);
  const text = project.read(`po/${spelling}.po`);
  const rule = readPluralForms(/Plural-Forms: (.*)\\n/.exec(text)?.[1] ?? '');
  if (!rule) throw new Error(`no rule in ${text}`);
  if (forms !== undefined && readPluralForms(forms)) expect(text).toContain(`Plural-Forms: ${forms}\\n`);
  const written = formsIn(text, '%d file');
  expect(written).toHaveLength(rule.nplurals);
  for (const [i, form] of written.entries())
    expect(form).toMatch(human[i] ? /^mine %d$/ : new RegExp(`^${locale}:%d files?$`));
  for (const form of formsIn(text, 'One day'))
    expect(form).toMatch(new RegExp(`^${locale}:(?:One day|%d days)$`));
  const { languages: after } = await project.check({ source: 'en-US', targets: [locale] });
  expect(after.map(({ coverage: { missing, extra } }) => [missing, extra])).toEqual([[0, 0]]);
  if (hasMsgfmt) expect(complaint(join(project.path, 'po', `${spelling}.po`))).toBe('');
}

describe('plural forms of a catalogue', () => {
  it('are completed by its own rule, and keep a person’s texts', async () => {
    const cases = fc
      .constantFrom(...RULES)
      .chain(([locale, forms]) =>
        fc.tuple(fc.constant(locale), fc.constant(forms), standing(readPluralForms(forms)?.nplurals ?? 1)),
      );
    const property = fc.asyncProperty(cases, (values) => expectCompleted(...values));
    await fc.assert(property, { numRuns: runs(60) });
  });

  it.each(RULES.filter(([locale, forms]) => forms !== pluralFormsOf(locale)))(
    'are all filled in %s with %s',
    (locale, forms) => expectCompleted(locale, forms, ['']),
  );

  it.each(NO_RULES)('follow the language if the header contains %j', async (forms) => {
    await expectCompleted('ru', forms, ['mine %d', '', 'mine %d']);
    await expectCompleted('de', forms, ['', 'mine %d']);
    await expectCompleted('ja', forms, ['mine %d', '']);
  });

  it('come from msgid and msgid_plural, no matter how many forms the source file has', async () => {
    for (const [forms, texts] of [
      ['nplurals=1; plural=0;', ['']],
      ['nplurals=2; plural=(n != 1);', ['']],
      ['nplurals=3; plural=n>2 ? 2 : n;', ['', '', '']],
    ] as const) {
      const source = headerOf({ language: 'en', forms }) + entry('%d file', '%d files', texts);
      const project = new ProjectDirectory({ 'po/en.po': source });
      await project.sync(new RecordingEngine(), { source: 'en', targets: ['ru', 'ja'] });
      expect(formsIn(project.read('po/ru.po'), '%d file')).toEqual([
        'ru:%d file',
        'ru:%d files',
        'ru:%d files',
      ]);
      expect(formsIn(project.read('po/ja.po'), '%d file')).toEqual(['ja:%d files']);
    }
  });

  it('are reported if one of them fails, and the existing ones stay', async () => {
    const forms = 'nplurals=3; plural=n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2;';
    const existing = headerOf({ language: 'fr', forms }) + entry('One day', '%d days', ['Un jour', '', '']);
    const project = new ProjectDirectory({ 'po/demo.pot': TEMPLATE, 'po/fr.po': existing });
    const engine = new RecordingEngine();
    engine.broken.add('days');
    const { languages } = await project.sync(engine, { source: 'en-US', targets: ['fr'] });
    const failed = languages.flatMap(({ files }) => files.flatMap(({ failures }) => failures));
    expect(failed.map(({ key }) => key.slice(0, 2))).toEqual([
      ['', 'One day'],
      ['', 'One day'],
    ]);
    expect(formsIn(project.read('po/fr.po'), 'One day')).toEqual(['Un jour', '', '']);
  });
});

describe('the charset of a catalogue', () => {
  it.each(['ASCII', 'US-ASCII', 'ANSI_X3.4-1968'])('becomes UTF-8 if it was %s', async (charset) => {
    const forms = 'nplurals=2; plural=(n > 1);';
    const project = new ProjectDirectory({
      'po/demo.pot': TEMPLATE,
      'po/fr.po': `${headerOf({ language: 'fr', charset, forms })}msgid "Save"\nmsgstr ""\n`,
    });
    const engine = new RecordingEngine();
    engine.translate = ({ texts }) => Promise.resolve(texts.map((text) => ({ translation: `é ${text}` })));
    await project.sync(engine, { source: 'en-US', targets: ['fr'] });
    expect(project.read('po/fr.po')).toContain('charset=UTF-8\\n');
    expect(project.read('po/fr.po')).toContain('é Save');
    if (hasMsgfmt) expect(complaint(join(project.path, 'po/fr.po'))).toBe('');
  });
});

describe('a catalogue in another charset', () => {
  const forms = 'nplurals=2; plural=(n != 1);';
  const body =
    '# Übersetzung\nmsgid "Open"\nmsgstr "Öffnen"\n\n#, c-format\nmsgid "%d file"\nmsgid_plural "%d files"\n' +
    'msgstr[0] ""\nmsgstr[1] ""\n\nmsgid "Save"\nmsgstr ""\n';
  const catalogue = headerOf({ language: 'de', charset: 'ISO-8859-1', forms }) + body;
  const setUp = (): [ProjectDirectory, RecordingEngine] => {
    const project = new ProjectDirectory({ 'po/demo.pot': `${TEMPLATE}\nmsgid "Open"\nmsgstr ""\n` });
    writeFileSync(join(project.path, 'po/de.po'), Buffer.from(catalogue, 'latin1'));
    const engine = new RecordingEngine();
    // Latin-1 has no ellipsis.
    engine.translate = ({ texts }) =>
      Promise.resolve(texts.map((text) => ({ translation: text === 'Save' ? 'Sichern …' : `ü ${text}` })));
    return [project, engine];
  };
  const options = { source: 'en-US', targets: ['de'] };

  it('keeps it, and reports characters it cannot hold, with a remedy', async () => {
    const [project, engine] = setUp();
    const { languages } = await project.sync(engine, options);
    const failures = languages.flatMap(({ files }) => files.flatMap((file) => file.failures));
    expect(failures.map(({ key, reason }) => [key[1], reason])).toEqual([
      ['Save', 'the charset of the file lacks some of these characters: --to-utf8 converts the file'],
    ]);
    const text = readFileSync(join(project.path, 'po/de.po'), 'latin1');
    expect(text).toContain('charset=ISO-8859-1');
    expect(text).toContain('msgstr[0] "ü %d file"');
  });

  it('becomes UTF-8 if requested and needed', async () => {
    const [project, engine] = setUp();
    const { languages } = await project.sync(engine, { ...options, toUtf8: true });
    const files = languages.flatMap((language) => language.files);
    expect(files.map(({ convertedFrom, failures }) => [convertedFrom, failures])).toEqual([
      ['iso-8859-1', []],
    ]);
    const text = project.read('po/de.po');
    expect(text).toContain('charset=UTF-8\\n');
    expect(text).toContain('# Übersetzung\nmsgid "Open"\nmsgstr "Öffnen"\n');
    expect(text).toContain('msgid "Save"\nmsgstr "Sichern …"\n');
    if (hasMsgfmt) expect(complaint(join(project.path, 'po/de.po'))).toBe('');
  });

  it('stays if it can hold everything', async () => {
    const [project] = setUp();
    await project.sync(new RecordingEngine(), { ...options, toUtf8: true });
    expect(readFileSync(join(project.path, 'po/de.po'), 'latin1')).toContain('charset=ISO-8859-1');
  });

  it('is not converted if it spells bytes of that charset', async () => {
    const [project, engine] = setUp();
    const bytes = catalogue.replace('Öffnen', '\\326ffnen');
    writeFileSync(join(project.path, 'po/de.po'), Buffer.from(bytes, 'latin1'));
    const { languages } = await project.sync(engine, { ...options, toUtf8: true });
    const failures = languages.flatMap(({ files }) => files.flatMap((file) => file.failures));
    expect(failures.map(({ reason }) => reason)).toEqual(['this byte has a different meaning in UTF-8']);
    expect(readFileSync(join(project.path, 'po/de.po'), 'latin1')).toContain('msgstr[0] "ü %d file"');
  });

  it('loses backslashes that only escape bytes of Shift_JIS characters', async () => {
    const head = headerOf({ language: 'ja', charset: 'Shift_JIS', forms: 'nplurals=1; plural=0;' });
    const text = `${head}msgid "Show"\nmsgstr "表\\示"\n\nmsgid "Save"\nmsgstr ""\n`;
    const template = `${TEMPLATE}\nmsgid "Show"\nmsgstr ""\n`;
    const project = new ProjectDirectory({ 'po/demo.pot': template });
    writeFileSync(join(project.path, 'po/ja.po'), iconv.encode(text, 'shift_jis'));
    const engine = new RecordingEngine();
    engine.translate = ({ texts }) => Promise.resolve(texts.map((one) => ({ translation: `é${one}` })));
    await project.sync(engine, { source: 'en-US', targets: ['ja'], toUtf8: true });
    expect(project.read('po/ja.po')).toContain('msgid "Show"\nmsgstr "表示"\n');
    expect(project.read('po/ja.po')).toContain('msgid "Save"\nmsgstr "éSave"\n');
    if (hasMsgfmt) expect(complaint(join(project.path, 'po/ja.po'))).toBe('');
  });
});

describe('catalogues without a template', () => {
  const dated = (date: string): string =>
    `msgid ""\nmsgstr ""\n"POT-Creation-Date: ${date}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n`;
  const save = 'msgid "Save"\nmsgstr "x"\n\n';
  const days = '#. of a week\nmsgid "%d day"\nmsgid_plural "%d days"\nmsgstr[0] "x %d"\nmsgstr[1] "x %d"\n\n';
  const files = {
    // The newest catalogues have one message each, because they belong to parts of the program.
    'po/fr.po': dated('2026-05-01 10:00+0000') + save,
    'po/de.po': `${dated('2024-05-01 10:00+0000')}${days}${save}msgid "Open"\nmsgstr ""\n`,
    'po/es.po': `${dated('2026-05-01 10:00+0000')}msgid "Close"\nmsgstr "x"\n`,
  };

  it('together have the messages that each of them should have', async () => {
    const project = new ProjectDirectory(files);
    const coverageOf = async (): Promise<unknown> =>
      (await project.check()).languages.map(({ locale, coverage: { keys, missing, extra } }) => ({
        locale,
        keys,
        missing,
        extra,
      }));
    expect(await coverageOf()).toEqual([
      { locale: 'de', keys: 4, missing: 2, extra: 0 },
      { locale: 'es', keys: 4, missing: 3, extra: 0 },
      { locale: 'fr', keys: 4, missing: 3, extra: 0 },
    ]);
    await project.sync(new RecordingEngine(), { targets: ['de', 'es', 'fr', 'nl'] });
    for (const code of ['de', 'es', 'fr', 'nl']) {
      const messages = Object.keys(parser.parse(project.read(`po/${code}.po`)).translations[''] ?? {});
      expect(messages.toSorted(), code).toEqual(['', '%d day', 'Close', 'Open', 'Save']);
    }
    expect(project.read('po/es.po')).toContain('#. of a week');
    expect(project.read('po/de.po')).toContain('msgstr[0] "x %d"');
    const before = ['de', 'es', 'fr', 'nl'].map((code) => project.read(`po/${code}.po`));
    await project.sync(new RecordingEngine(), { targets: ['de', 'es', 'fr', 'nl'] });
    expect(['de', 'es', 'fr', 'nl'].map((code) => project.read(`po/${code}.po`))).toEqual(before);
  });

  it('are one set if the language is in the directory and in the name', async () => {
    const date = '2026-05-01 10:00+0000';
    const project = new ProjectDirectory({
      'help/de/de.po': dated(date) + save + days,
      'help/fr/fr.po': dated(date) + save + days,
      // An older British catalogue with fewer messages than the others.
      'help/en_GB/en_GB.po': dated('2012-05-01 10:00+0000') + save.replace('"x"', '"Save"'),
    });
    const { resources } = await project.open({ targets: ['de', 'fr', 'nl'] });
    expect(resources.map((one) => [one.source, one.targetPath('nl')])).toEqual([
      ['help/de/de.po', 'help/nl/nl.po'],
    ]);
  });

  it('do not request the messages of an old catalogue, however many, if several newer ones lack them', async () => {
    const message = (id: string): string => `msgid "${id}"\nmsgstr "x"\n\n`;
    const old = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map(message).join('');
    const project = new ProjectDirectory({
      'po/de.po': dated('2026-05-01 10:00+0000') + save,
      'po/es.po': dated('2026-04-01 10:00+0000') + save + message('One'),
      'po/fr.po': dated('2026-03-01 10:00+0000') + save + message('Two'),
      'po/it.po': dated('2026-02-01 10:00+0000') + save + message('Three'),
      'po/oc.po': dated('2008-01-01 10:00+0000') + save + old,
    });
    const { languages } = await project.check();
    expect(languages.map(({ coverage }) => coverage.keys)).toEqual([1, 1, 1, 1, 1]);
  });

  it('show missing entries that exist without a translation', async () => {
    const { languages } = await new ProjectDirectory(files).check();
    const open = languages
      .flatMap((language) => language.files)
      .flatMap(({ drift }) => drift)
      .find(({ key }) => key.includes('Open'));
    expect(open).toMatchObject({ kind: 'missing', file: 'po/de.po', line: 16 });
  });
});

describe('an English catalogue added to a project without a template', () => {
  const head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n';
  const messages = (save: string, open: string): string =>
    `${head}msgid "Save"\nmsgstr "${save}"\n\nmsgid "Open"\nmsgstr "${open}"\n`;
  const at = (code: string): string => `locale/${code}/LC_MESSAGES/django.po`;

  it('rewrites nothing, and a person’s text stays that person’s', async () => {
    const project = new ProjectDirectory({
      [at('de')]: messages('Sichern', ''),
      [at('fr')]: messages('', ''),
    });
    await project.sync(new RecordingEngine(), { targets: ['de', 'fr'] });
    const edited = project.read(at('fr')).replace('"fr:Save"', '"Enregistrer"');
    expect(edited).toContain('Enregistrer');
    project.write(at('fr'), edited);
    await project.sync(new RecordingEngine(), { targets: ['de', 'fr'] });
    project.write(at('en'), messages('', ''));
    const { resources } = await project.open({ targets: ['de', 'fr'] });
    expect(resources.map(({ source }) => source)).toEqual([at('en')]);
    const before = [at('de'), at('fr')].map((path) => project.read(path));
    const engine = new RecordingEngine();
    for (let i = 0; i < 2; i++) await project.sync(engine, { targets: ['de', 'fr'] });
    expect([at('de'), at('fr')].map((path) => project.read(path))).toEqual(before);
    const { languages } = await project.check({ targets: ['de', 'fr'] });
    expect(
      languages.map(({ coverage: { edited: own, unknown, missing } }) => [own, unknown, missing]),
    ).toEqual([
      [0, 1, 0],
      [1, 0, 0],
    ]);
  });
});
