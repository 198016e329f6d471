import { describe, expect, it } from 'vitest';
import { describeNote } from '../../src/project/plan/report.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

/** A message as one text and as a plural, in the source and in a person's translation. */
interface Shapes {
  readonly source: string;
  readonly target: string;
  readonly single: readonly [source: string, target: string];
  readonly plural: readonly [source: string, target: string];
  /** The plural with the person's form for 1, and the engine's other forms. */
  readonly grown: string;
}

const json = (f: unknown): string => `${JSON.stringify({ f, z: 'Z' }, null, 2)}\n`;
const resources = (f: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<resources>\n${f}    <string name="z">Z</string>\n</resources>\n`;
const item = (quantity: string, text: string): string =>
  `        <item quantity="${quantity}">${text}</item>\n`;
const plurals = (...items: readonly string[]): string =>
  resources(`    <plurals name="f">\n${items.join('')}    </plurals>\n`);
const php = (f: string): string => `<?php\nreturn [\n    'f' => ${f},\n    'z' => 'Z',\n];\n`;
const po = (language: string, ...texts: readonly string[]): string =>
  [
    'msgid ""',
    'msgstr ""',
    '"Content-Type: text/plain; charset=UTF-8\\n"',
    ...(language === ''
      ? []
      : [`"Language: ${language}\\n"`, '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"']),
    '',
    ...(language === '' ? [] : ['# ask Ana']),
    '#, c-format',
    'msgid "%d file"',
    ...(texts.length > 1 ? ['msgid_plural "%d files"'] : []),
    ...texts.map((text, i) => `msgstr${texts.length > 1 ? `[${i}]` : ''} "${text}"`),
    '',
  ].join('\n');

const FORMATS: Readonly<Record<string, Shapes>> = {
  PO: {
    source: 'po/app.pot',
    target: 'po/es.po',
    single: [po('', ''), po('es', 'un fichero %d')],
    plural: [po('', '', ''), po('es', 'un fichero %d', 'unos ficheros %d')],
    grown: po('es', 'un fichero %d', 'es:%d files'),
  },
  Android: {
    source: 'res/values/strings.xml',
    target: 'res/values-es/strings.xml',
    single: [
      resources('    <string name="f">%d file</string>\n'),
      resources('    <string name="f">un fichero %d</string>\n'),
    ],
    plural: [
      plurals(item('one', '%d file'), item('other', '%d files')),
      plurals(item('one', 'un fichero %d'), item('many', 'millones %d'), item('other', 'unos ficheros %d')),
    ],
    grown: plurals(item('one', 'un fichero %d'), item('many', 'es:%d files'), item('other', 'es:%d files')),
  },
  JSON: {
    source: 'locales/en.json',
    target: 'locales/es.json',
    single: [json('%d file'), json('un fichero %d')],
    plural: [
      json({ one: '%d file', other: '%d files' }),
      json({ one: 'un fichero %d', other: 'unos ficheros %d' }),
    ],
    grown: json({ one: 'un fichero %d', other: 'es:%d files' }),
  },
  Rails: {
    source: 'config/locales/en.yml',
    target: 'config/locales/es.yml',
    single: ['en:\n  f: "%d file"\n  z: Z\n', 'es:\n  f: "un fichero %d"\n  z: Z\n'],
    plural: [
      'en:\n  f:\n    one: "%d file"\n    other: "%d files"\n  z: Z\n',
      'es:\n  f:\n    one: un fichero %d\n    other: unos ficheros %d\n  z: Z\n',
    ],
    grown: 'es:\n  f:\n    one: "un fichero %d"\n    other: "es:%d files"\n  z: Z\n',
  },
  Fluent: {
    source: 'locales/en/app.ftl',
    target: 'locales/es/app.ftl',
    single: [
      'f = { $n } file\n    .title = Files\nz = Z\n',
      'f = un fichero { $n }\n    .title = Los ficheros\nz = Z\n',
    ],
    plural: [
      'f =\n    { $n ->\n        [one] { $n } file\n       *[other] { $n } files\n    }\n    .title = Files\nz = Z\n',
      'f =\n    { $n ->\n        [one] un fichero { $n }\n        [many] millones { $n }\n       *[other] unos ficheros { $n }\n    }\n    .title = Los ficheros\nz = Z\n',
    ],
    grown:
      'f =\n    { $n ->\n        [one] un fichero { $n }\n        [many] es:{ $n } files\n       *[other] es:{ $n } files\n    }\n    .title = Los ficheros\nz = Z\n',
  },
  PHP: {
    source: 'lang/en/m.php',
    target: 'lang/es/m.php',
    single: [php("'%d file'"), php("'un fichero %d'")],
    plural: [
      php("['one' => '%d file', 'other' => '%d files']"),
      php("['one' => 'un fichero %d', 'other' => 'unos ficheros %d']"),
    ],
    grown: php("['one' => 'un fichero %d', 'other' => 'es:%d files']"),
  },
};

const options = { source: 'en', targets: ['es'] } as const;

function notesOf({ languages }: Awaited<ReturnType<ProjectDirectory['sync']>>): readonly string[] {
  return languages.flatMap(({ files }) => files.flatMap(({ notes = [] }) => notes.map(describeNote)));
}

describe.each(Object.entries(FORMATS))('a message of %s', (_, { source, target, single, plural, grown }) => {
  it.each(['after an earlier sync', 'before the first sync'])(
    'keeps a person’s text as the form for 1 when it becomes a plural, %s',
    async (when) => {
      const project = new ProjectDirectory({ [source]: single[0], [target]: single[1] });
      const engine = new RecordingEngine();
      if (when === 'after an earlier sync') await project.sync(engine, options);
      project.write(source, plural[0]);
      const report = await project.sync(engine, options);
      expect(project.read(target)).toBe(grown);
      expect(notesOf(report)).toEqual([]);
      expect(report.languages[0]?.changes.failed).toBe(0);
      expect(engine.texts).not.toContain('es %d file');
      const after = project.snapshot();
      const { languages } = await project.sync(engine, options);
      expect(project.snapshot()).toEqual(after);
      expect(languages[0]?.coverage).toMatchObject({ missing: 0, stale: 0, outdated: 0, extra: 0 });
    },
  );

  it('keeps a person’s form for 1 when it stops being a plural, and reports the others', async () => {
    const project = new ProjectDirectory({ [source]: plural[0], [target]: plural[1] });
    const engine = new RecordingEngine();
    await project.sync(engine, options);
    project.write(source, single[0]);
    const report = await project.sync(engine, options);
    expect(project.read(target)).toBe(single[1]);
    const forms = [...plural[1].matchAll(/(?:unos ficheros|millones) (?:%d|\{ \$n \})/g)].map(
      ([text]) => text,
    );
    expect(notesOf(report).map((note) => /"([^"]+)" is gone$/.exec(note)?.[1])).toEqual(forms);
    expect(engine.texts.filter((text) => text.endsWith('file'))).toEqual([]);
    const after = project.snapshot();
    await project.sync(engine, options);
    expect(project.snapshot()).toEqual(after);
  });

  it('changes its shape if all of its texts are ours, and loses nothing when the engine fails', async () => {
    const project = new ProjectDirectory({ [source]: single[0] });
    const engine = new RecordingEngine();
    await project.sync(engine, options);
    project.write(source, plural[0]);
    await project.sync(engine, options);
    const ours = project.read(target);
    project.write(source, single[0]);
    await project.sync(engine, options);
    project.write(source, plural[0]);
    await project.sync(engine, options);
    expect(project.read(target)).toBe(ours);
    const human = new ProjectDirectory({ [source]: single[0], [target]: single[1] });
    await human.sync(engine, options);
    human.write(source, plural[0]);
    engine.broken.add('files');
    await human.sync(engine, options);
    expect(human.read(target)).toContain('un fichero');
    engine.broken.clear();
    await human.sync(engine, options);
    expect(human.read(target)).toBe(grown);
  });
});

describe('a plain text in go-i18n and Hugo is the form for all numbers', () => {
  const files = (source: string, target: string) => ({
    'hugo.toml': 'baseURL = "x"\n',
    'i18n/en.toml': source,
    'i18n/pl.toml': target,
  });
  const PLURAL = '[f]\none = "{{ .Count }} file"\nother = "{{ .Count }} files"\n';
  const PLAIN = 'f = "Files: {{ .Count }}"\n';
  const to = { source: 'en', targets: ['pl'] } as const;

  it.each([
    [
      'a plural beside a person’s text gets its other forms in its place',
      PLURAL,
      '# by Ana\r\n  f = "pliki: {{ .Count }}"  # kept\r\n',
      '# by Ana\r\n  f = { one = "pl:{{ .Count }} file", few = "pl:{{ .Count }} files", many = "pl:{{ .Count }} files", other = "pliki: {{ .Count }}" }  # kept\r\n',
    ],
    [
      'a plural in braces gets its other forms',
      PLURAL,
      'f = { few = "{{ .Count }} pliki", other = "{{ .Count }} pliku" }\n',
      'f = { one = "pl:{{ .Count }} file", few = "{{ .Count }} pliki", many = "pl:{{ .Count }} files", other = "{{ .Count }} pliku" }\n',
    ],
    [
      'a plural in braces that has only the form for all numbers gets its other forms',
      PLURAL,
      "f = { other = '''{{ .Count }} pliku''' }\n",
      'f = { one = "pl:{{ .Count }} file", few = "pl:{{ .Count }} files", many = "pl:{{ .Count }} files", ' +
        "other = '''{{ .Count }} pliku''' }\n",
    ],
    [
      'a person’s plural beside a text stays',
      PLAIN,
      '  # by Ana\n  [f] # kept\n  few = "{{ .Count }} pliki"\n  # rest\n  other = "{{ .Count }} pliku"\n',
      '  # by Ana\n  [f] # kept\n  few = "{{ .Count }} pliki"\n  # rest\n  other = "{{ .Count }} pliku"\n',
    ],
    [
      'a plural that lacks the form for all numbers gets it',
      PLAIN,
      '[f]\n  few = "{{ .Count }} pliki" # kept\n\n[g]\nother = "G"\n',
      '[f]\n  few = "{{ .Count }} pliki" # kept\n  other = "pl:Files: {{ .Count }}"\n\n[g]\nother = "G"\n',
    ],
  ])('%s', async (_, source, target, expected) => {
    const project = new ProjectDirectory(files(source, target));
    const engine = new RecordingEngine();
    const report = await project.sync(engine, to);
    expect(project.read('i18n/pl.toml')).toBe(expected);
    expect(notesOf(report)).toEqual([]);
    const { languages } = await project.sync(engine, to);
    expect(project.read('i18n/pl.toml')).toBe(expected);
    expect(languages[0]?.coverage).toMatchObject({ missing: 0, stale: 0, outdated: 0 });
  });

  it('a source that stops being a plural leaves forms that sync wrote, which can be pruned', async () => {
    const project = new ProjectDirectory({ 'hugo.toml': 'baseURL = "x"\n', 'i18n/en.toml': PLURAL });
    const engine = new RecordingEngine();
    await project.sync(engine, to);
    project.write('i18n/en.toml', PLAIN);
    const { languages } = await project.sync(engine, to);
    expect(project.read('i18n/pl.toml')).toContain('\nother = "pl:Files: {{ .Count }}"\n');
    expect(languages[0]?.coverage).toMatchObject({ missing: 0, stale: 0, extra: 1 });
  });
});

describe('a text in another place', () => {
  it('keeps its form, and is outdated if the source has changed', async () => {
    const project = new ProjectDirectory({
      'locales/en.json': json('%d files'),
      'locales/es.json': json('unos ficheros %d'),
    });
    const engine = new RecordingEngine();
    await project.sync(engine, options);
    project.write('locales/en.json', json({ one: '%d file', other: '%d files' }));
    await project.sync(engine, options);
    expect(project.read('locales/es.json')).toBe(json({ one: 'es:%d file', other: 'unos ficheros %d' }));
    project.write('locales/en.json', json('Some files'));
    const { languages } = await project.sync(engine, options);
    expect(project.read('locales/es.json')).toBe(json('unos ficheros %d'));
    expect(languages[0]?.files[0]?.drift).toMatchObject([{ kind: 'outdated', key: ['f'] }]);
  });

  it('is the only form of a language with one', async () => {
    const header = '"Language: ja\\n"\n"Plural-Forms: nplurals=1; plural=0;\\n"\n';
    const catalogue = (...lines: readonly string[]): string =>
      `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n${header}\n${lines.join('\n')}\n`;
    const project = new ProjectDirectory({
      'po/app.pot': po('', '', ''),
      'po/ja.po': catalogue('msgid "%d file"', 'msgstr "%d のファイル"'),
    });
    await project.sync(new RecordingEngine(), { source: 'en', targets: ['ja'] });
    expect(project.read('po/ja.po')).toBe(
      catalogue('msgid "%d file"', 'msgid_plural "%d files"', 'msgstr[0] "%d のファイル"'),
    );
  });

  it('stays fuzzy as long as nothing takes its place', async () => {
    const guess = po('es', 'un fichero %d').replace(
      '#, c-format',
      '#, fuzzy, c-format\n#| msgid "%d document"',
    );
    const project = new ProjectDirectory({ 'po/app.pot': po('', '', ''), 'po/es.po': guess });
    const engine = new RecordingEngine();
    engine.broken.add('files');
    await project.sync(engine, options);
    expect(project.read('po/es.po')).toBe(guess);
    engine.broken.clear();
    await project.sync(engine, options);
    expect(project.read('po/es.po')).toBe(po('es', 'es:%d file', 'es:%d files'));
  });

  it('moves into an object with its former name', async () => {
    const project = new ProjectDirectory({
      'locales/en.json': json('Open'),
      'locales/es.json': json('Abrir'),
    });
    const engine = new RecordingEngine();
    await project.sync(engine, options);
    project.write('locales/en.json', json({ label: 'Open', hint: 'Now' }));
    await project.sync(engine, options);
    expect(project.read('locales/es.json')).toBe(json({ label: 'Abrir', hint: 'es:Now' }));
  });

  it('stays in place if its new place is taken', async () => {
    const target = "<?php\nreturn [\n    'f' => 'Abrir',\n    'g' => strtoupper('x'),\n];\n";
    const project = new ProjectDirectory({
      'lang/en/m.php': "<?php\nreturn [\n    'f' => 'Open',\n];\n",
      'lang/es/m.php': target,
    });
    const engine = new RecordingEngine();
    await project.sync(engine, options);
    project.write('lang/en/m.php', "<?php\nreturn [\n    'g' => ['label' => 'Open'],\n];\n");
    await project.sync(engine, options);
    expect(project.read('lang/es/m.php')).toBe(target);
  });

  it('is not a form just because a neighbour is named like one', async () => {
    const project = new ProjectDirectory();
    project.write('locales/en.json', json({ home: 'Home', other: 'Else' }));
    project.write('locales/es.json', json({ home: 'Casa', other: 'Otro' }));
    const engine = new RecordingEngine();
    await project.sync(engine, options);
    project.write('locales/en.json', json('Address'));
    await project.sync(engine, options);
    expect(project.read('locales/es.json')).toBe(json({ home: 'Casa', other: 'Otro' }));
  });
});

describe('forms that a program never looks up', () => {
  it.each(['ru', 'uk', 'pl'])('are not missing in an Android plural (%s)', async (code) => {
    const target = `res/values-${code}/strings.xml`;
    const forms = plurals(item('one', 'a %d'), item('few', 'b %d'), item('many', 'c %d'));
    const project = new ProjectDirectory({
      'res/values/strings.xml': plurals(item('one', '%d file'), item('other', '%d files')),
      [target]: forms,
    });
    const { languages } = await project.sync(new RecordingEngine(), { source: 'en', targets: [code] });
    expect(languages[0]?.coverage).toMatchObject({ keys: 2, translated: 2, missing: 0, extra: 0 });
    expect(project.read(target)).toBe(forms);
  });

  it('are not extra if older rules of the language use them', async () => {
    const target = 'res/values-iw/strings.xml';
    const forms = plurals(
      item('one', 'a %d'),
      item('two', 'b %d'),
      item('many', 'c %d'),
      item('other', 'd %d'),
    );
    const project = new ProjectDirectory({
      'res/values/strings.xml': plurals(item('one', '%d file'), item('other', '%d files')),
      [target]: forms,
    });
    const { languages } = await project.sync(new RecordingEngine(), { source: 'en', targets: ['he'] });
    expect(languages[0]?.coverage).toMatchObject({ keys: 2, translated: 2, missing: 0, extra: 0 });
    expect(project.read(target)).toBe(forms);
  });

  it('are not missing if i18next before version 21 shows the key without a number', async () => {
    const text = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
    const japanese = text({ day: '{{count}}日', day_plural: '{{count}}日', hour_0: '{{count}}時間' });
    const project = new ProjectDirectory({
      'package.json': text({ dependencies: { i18next: '^19.6.2' } }),
      'locales/en.json': text({
        day: '{{count}} day',
        day_plural: '{{count}} days',
        hour: '{{count}} hour',
        hour_plural: '{{count}} hours',
      }),
      'locales/ja.json': japanese,
    });
    const { languages } = await project.sync(new RecordingEngine(), { source: 'en', targets: ['ja', 'ko'] });
    expect(project.read('locales/ja.json')).toBe(japanese);
    // Japanese does not use the form `day_plural`.
    expect(languages[0]?.coverage).toMatchObject({ keys: 2, translated: 2, missing: 0, extra: 1 });
    expect(project.read('locales/ko.json')).toContain('"day_0"');
  });
});
