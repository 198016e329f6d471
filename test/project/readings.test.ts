import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from '../cli/harness.ts';

interface Status {
  readonly source_language: string;
  readonly languages: readonly {
    readonly language_code: string;
    readonly coverage: { readonly keys: number; readonly missing: number; readonly extra: number };
  }[];
}

async function statusOf(root: string, ...argv: readonly string[]): Promise<Status> {
  const { stdout } = await dragoman(['status', '--json', ...argv], { cwd: root });
  const { projects } = JSON.parse(stdout) as { projects: readonly Status[] };
  const [project] = projects;
  if (!project) throw new Error('no project');
  return project;
}

function jsonOf(texts: Readonly<Record<string, string>>): string {
  return JSON.stringify(texts, null, 2);
}

describe('the source among variants of English', () => {
  const WHOLE = { colour: 'Colour of the page', save: 'Save the page', close: 'Close the page' };

  it('is the one with all texts, not the one with different spellings', async () => {
    const root = projectWith({
      'locales/en-GB.json': jsonOf(WHOLE),
      'locales/en-US.json': jsonOf({ colour: 'Color' }),
      'locales/de-DE.json': jsonOf({ colour: 'Farbe der Seite', save: 'Seite sichern' }),
    });
    const { source_language: source, languages } = await statusOf(root, '-t', 'de-DE');
    expect(source).toBe('en-GB');
    expect(languages[0]?.coverage).toMatchObject({ keys: 3, missing: 1, extra: 0 });
  });

  it('is the American one if both have all texts', async () => {
    const root = projectWith({
      'locales/en-GB.json': jsonOf(WHOLE),
      'locales/en-US.json': jsonOf({ ...WHOLE, colour: 'Color' }),
      'locales/de-DE.json': jsonOf({ colour: 'Farbe der Seite' }),
    });
    expect((await statusOf(root)).source_language).toBe('en-US');
  });
});

describe('a language code that is also a country code', () => {
  it.each([
    ['br', 'br', 'Degemer mat ! Kit gant ar c’hemmoù eus ar c’hoari, e región Região.'],
    ['br', 'pt-BR', 'Configurações da região: não há opções (Español).'],
    ['si', 'si', 'භාෂාව: čeština, සිංහල, slovenščina'],
    ['si', 'sl', 'Jezik: čeština, සිං, slovenščina, več'],
    ['am', 'am', 'ቋንቋ: Հայ, አማርኛ ሰነድ'],
    ['se', 'se', 'Giella: čeština, sámegiella, áššit, Sverige på'],
  ])('%s.json is %s, even if it names other languages: %#', async (code, language, text) => {
    const root = projectWith({
      'locales/en.json': jsonOf({ a: 'Hello', b: 'World' }),
      'locales/de.json': jsonOf({ a: 'Hallo' }),
      [`locales/${code}.json`]: jsonOf({ a: text }),
    });
    const { languages } = await statusOf(root);
    expect(languages.map(({ language_code: one }) => one)).toEqual(['de', language].sort());
  });
});

it('i18next’s keys are the texts if the English file only has empty values', async () => {
  const root = projectWith({
    'package.json': '{"dependencies": {"i18next": "^23"}}',
    'locales/en/translation.json': jsonOf({ 'Save the page': '', 'Close all': '', Delete: '' }),
  });
  const { languages } = await statusOf(root, '-t', 'de');
  expect(languages[0]?.coverage).toMatchObject({ keys: 3, missing: 3 });
  const sync = () => dragoman(['sync', '-t', 'de', '--engine', 'pseudo'], { cwd: root });
  expect(await sync()).toMatchObject({ exitCode: 0 });
  const written = readFileSync(join(root, 'locales/de/translation.json'), 'utf8');
  expect(JSON.parse(written)).toEqual({
    'Save the page': 'Šåṽé ţĥé þåĝé',
    'Close all': 'Çļöšé åļļ',
    Delete: 'Ðéļéţé',
  });
  expect(readFileSync(join(root, 'locales/en/translation.json'), 'utf8')).toContain('"Delete": ""');
  expect((await sync()).stdout).not.toContain('translated');
});

it('Mozilla’s list of languages is not a catalogue', async () => {
  const root = projectWith({
    'web/locale/locale.properties':
      '[de]\n@import url(de/viewer.properties)\n\n[en-US]\n@import url(en-US/viewer.properties)\n',
    'web/locale/en-US/viewer.properties': 'previous.title=Previous Page\nnext.title=Next Page\n',
    'web/locale/de/viewer.properties': 'previous.title=Eine Seite zurück\n',
  });
  expect((await statusOf(root)).languages[0]?.coverage).toMatchObject({ keys: 2, missing: 1 });
  expect(await dragoman(['sync', '-t', 'fr', '--engine', 'pseudo'], { cwd: root })).toMatchObject({
    exitCode: 0,
  });
  expect(existsSync(join(root, 'web/locale/locale_fr.properties'))).toBe(false);
  expect(existsSync(join(root, 'web/locale/fr/viewer.properties'))).toBe(true);
  expect((await dragoman(['lint'], { cwd: root })).stdout).not.toContain('repeated-key');
});

it('a Patchouli book with ids and text keys is not translated', async () => {
  const assets = 'src/main/resources/assets/x';
  const root = projectWith({
    'src/main/resources/fabric.mod.json': '{}',
    [`${assets}/lang/en_us.json`]: jsonOf({ 'x.page.intro0': 'Hello' }),
    [`${assets}/lang/de_de.json`]: jsonOf({ 'x.page.intro0': 'Hallo' }),
    [`${assets}/patchouli_books/book/en_us/entries/intro.json`]: jsonOf({
      type: 'text',
      text: 'x.page.intro0',
    }),
  });
  const sync = await dragoman(['sync', '-t', 'fr', '--engine', 'pseudo'], { cwd: root });
  expect(sync).toMatchObject({ exitCode: 0 });
  expect(sync.stderr).toContain('1 .json file with data for programs instead of texts, skipped');
  expect(existsSync(join(root, `${assets}/lang/fr_fr.json`))).toBe(true);
  expect(existsSync(join(root, `${assets}/patchouli_books/book/fr_fr`))).toBe(false);
});

it('the labels in the navigation of an Rspress site are translated', async () => {
  const entries = [
    { type: 'dir', name: 'start', label: 'First steps', collapsed: true },
    'install',
    { type: 'custom-link', label: 'Questions', link: '/questions' },
  ];
  const navigation = JSON.stringify(entries, null, 2);
  const root = projectWith({
    'site/package.json': '{"dependencies": {"@rspress/core": "2"}}',
    'site/rspress.config.ts': "export default { root: 'pages', lang: 'en', locales: [{ lang: 'zh' }] };\n",
    'site/pages/en/index.md': '# Welcome\n\nRead this page first.\n',
    'site/pages/zh/index.md': '# 欢迎\n\n请先阅读本页。\n',
    'site/pages/en/guide/_meta.json': navigation,
    'site/pages/zh/guide/_meta.json': navigation.replace('First steps', '开始'),
    'site/pages/en/_nav.json': '[{ "text": "Guide", "link": "/guide/" }]',
    'site/pages/en/guide/start/_meta.json': '["install", "run"]',
    'site/pages/en/guide/data.json': '{ "name": "Example" }',
  });
  expect(await dragoman(['sync', '-t', 'zh,fr', '--engine', 'pseudo'], { cwd: root })).toMatchObject({
    exitCode: 0,
  });
  const read = (path: string): unknown => JSON.parse(readFileSync(join(root, 'site/pages', path), 'utf8'));
  const text = expect.stringMatching(/[^ -~]/);
  expect(read('fr/guide/_meta.json')).toEqual([
    { type: 'dir', name: 'start', label: text, collapsed: true },
    'install',
    { type: 'custom-link', label: text, link: '/questions' },
  ]);
  expect(read('zh/guide/_meta.json')).toMatchObject([
    { label: '开始' },
    'install',
    { label: expect.stringMatching(/./) },
  ]);
  expect(read('zh/_nav.json')).toEqual([{ text, link: '/guide/' }]);
  for (const path of ['fr/guide/start/_meta.json', 'fr/guide/data.json'])
    expect(existsSync(join(root, 'site/pages', path))).toBe(false);
});

it('only the texts of a Patchouli book are translated', async () => {
  const book = 'src/main/resources/assets/x/patchouli_books/guide';
  const entry = (name: string, text: string): string =>
    JSON.stringify({
      name,
      category: 'x:basics',
      icon: 'minecraft:book',
      pages: [
        text,
        { type: 'patchouli:text', title: name, text },
        { type: 'patchouli:crafting', recipe: 'x:guide', item: { name: 'x:lexicon' } },
      ],
    });
  const root = projectWith({
    'src/main/resources/fabric.mod.json': '{}',
    [`${book}/en_us/entries/a.json`]: entry('Getting started', 'Mana powers machines.'),
    [`${book}/en_us/entries/b.json`]: entry(
      'Formatting',
      'One $(item)gem$() of $(thing)mana$(0).$(br2)Read $(l:basics/start#top)this entry$(/l), press $(k:use).',
    ),
    [`${book}/de_de/entries/a.json`]: entry('Erste Schritte', 'Mana treibt Maschinen an.'),
  });
  expect(await dragoman(['sync', '-t', 'fr', '--engine', 'pseudo'], { cwd: root })).toMatchObject({
    exitCode: 0,
  });
  const french = readFileSync(join(root, `${book}/fr_fr/entries/a.json`), 'utf8');
  expect(french).not.toContain('Mana powers machines.');
  expect(french).not.toContain('Getting started');
  for (const kept of ['"x:basics"', '"minecraft:book"', '"patchouli:crafting"', '"x:guide"', '"x:lexicon"'])
    expect(french).toContain(kept);
  const formatted = readFileSync(join(root, `${book}/fr_fr/entries/b.json`), 'utf8');
  for (const kept of [
    '$(item)',
    '$()',
    '$(thing)',
    '$(0)',
    '$(br2)',
    '$(l:basics/start#top)',
    '$(/l)',
    '$(k:use)',
  ])
    expect(formatted).toContain(kept);
  expect(formatted).not.toContain('this entry');
});

it('PHP catalogues with the extension .inc are reported', async () => {
  const root = projectWith({
    'lang/en.json': jsonOf({ a: 'Hello' }),
    'program/localization/de_DE/labels.inc': "<?php\n$labels['login'] = 'Anmelden';\n",
    'program/include/main.inc': '<?php\n',
  });
  expect((await dragoman(['status', '-t', 'de'], { cwd: root })).stderr).toContain(
    '1 .inc file, not supported (for example program/localization/de_DE/labels.inc)',
  );
});

it('the direction of writing is copied', async () => {
  const root = projectWith({
    Gemfile: "gem 'rails'\n",
    'config/locales/en.yml': 'en:\n  html:\n    dir: ltr\n  a: Hello\n',
  });
  expect(await dragoman(['sync', '-t', 'de', '--engine', 'pseudo'], { cwd: root })).toMatchObject({
    exitCode: 0,
  });
  expect(readFileSync(join(root, 'config/locales/de.yml'), 'utf8')).toContain('dir: ltr');
});

describe('gettext’s plural rule as a value', () => {
  const RULE = 'nplurals=2; plural=(n != 1);';

  it.each([
    [
      'pl',
      'nplurals=3; plural=(n == 1 ? 0 : n%10 >= 2 && n%10 <= 4 && (n%100 < 10 || n%100 >= 20) ? 1 : 2);',
    ],
    ['fr', 'nplurals=2; plural=(n > 1);'],
    ['ja', 'nplurals=1; plural=0;'],
  ])('is replaced by the rule of %s, and is not a text', async (language, rule) => {
    const root = projectWith({
      'l10n/en.json': jsonOf({ 'Save file': 'Save file', pluralForm: RULE }),
      'l10n/de.json': jsonOf({ 'Save file': 'Datei sichern' }),
      'lang/en.yml': `open: Open\nrule: "${RULE}"\n`,
    });
    expect((await statusOf(root, '-t', 'de')).languages[0]?.coverage).toMatchObject({ keys: 2, missing: 1 });
    const sync = ['sync', '-t', `${language},de`, '--engine', 'pseudo'];
    expect(await dragoman(sync, { cwd: root })).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(root, `l10n/${language}.json`), 'utf8')).toContain(`"pluralForm": "${rule}"`);
    expect(readFileSync(join(root, `lang/${language}.yml`), 'utf8')).toContain(`rule: "${rule}"`);
    expect(readFileSync(join(root, 'l10n/de.json'), 'utf8')).not.toContain('pluralForm');
    expect(await dragoman(['check'], { cwd: root })).toMatchObject({ exitCode: 0 });
  });

  it('stays if the file has lists with a different number of forms', async () => {
    const root = projectWith({
      'l10n/en.json': JSON.stringify({ 'one_::_many': ['%n file', '%n files'], pluralForm: RULE }, null, 2),
      'l10n/de.json': jsonOf({ 'Save file': 'Datei sichern' }),
    });
    expect(await dragoman(['sync', '-t', 'pl,fr', '--engine', 'pseudo'], { cwd: root })).toMatchObject({
      exitCode: 0,
    });
    expect(readFileSync(join(root, 'l10n/pl.json'), 'utf8')).toContain(RULE);
    expect(readFileSync(join(root, 'l10n/fr.json'), 'utf8')).toContain('plural=(n > 1)');
  });
});

const TWICE = ['One', 'Two', 'Three'] as const;

it.each<
  [what: string, source: string, target: string, write: (texts: readonly [string, string][]) => string]
>([
  [
    '.properties',
    'lang/app_en.properties',
    'lang/app_de.properties',
    (all) => linesOf(all, (k, v) => `${k}=${v}`),
  ],
  ['JSON', 'lang/en.json', 'lang/de.json', (all) => `{${all.map(([k, v]) => `"${k}": "${v}"`).join()}}`],
  [
    'a YAML map',
    'lang/en.yml',
    'lang/de.yml',
    (all) => linesOf(all, (k, v) => (k === 'a' ? `a:\n  b: ${v}` : `${k}: ${v}`)),
  ],
  ['YAML', 'lang/en.yml', 'lang/de.yml', (all) => linesOf(all, (k, v) => `${k}: ${v}`)],
  [
    '.strings',
    'en.lproj/App.strings',
    'de.lproj/App.strings',
    (all) => linesOf(all, (k, v) => `"${k}" = "${v}";`),
  ],
  ['INI', 'lang/en.ini', 'lang/de.ini', (all) => linesOf(all, (k, v) => `${k}=${v}`)],
  [
    'Android',
    'res/values/strings.xml',
    'res/values-de/strings.xml',
    (all) => `<resources>\n${linesOf(all, (k, v) => `<string name="${k}">${v}</string>`)}</resources>\n`,
  ],
])('a duplicate key of the source counts once: %s', async (_, source, target, write) => {
  const root = projectWith({
    [source]: write(['a', 'b', 'a'].map((key, i) => [key, TWICE[i] ?? ''])),
    [target]: write([['b', 'Zwei']]),
  });
  const { languages } = await statusOf(root, '-t', 'de,fr');
  expect(languages.map(({ coverage: { keys, missing } }) => [keys, missing])).toEqual([
    [2, 1],
    [2, 2],
  ]);
  expect(await dragoman(['sync', '-t', 'de,fr', '--engine', 'pseudo'], { cwd: root })).toMatchObject({
    exitCode: 0,
  });
  const after = await statusOf(root, '-t', 'de,fr');
  expect(after.languages.map(({ coverage: { keys, missing } }) => [keys, missing])).toEqual([
    [2, 0],
    [2, 0],
  ]);
});

function linesOf(texts: readonly [string, string][], write: (key: string, value: string) => string): string {
  return texts.map(([key, value]) => `${write(key, value)}\n`).join('');
}

it('American English stays the source if its many files are beside one long British file', async () => {
  const names = ['common', 'home', 'cart', 'account', 'help'];
  const root = projectWith({
    ...Object.fromEntries(
      names.flatMap((name) => [
        [`locales/en-US/${name}.json`, jsonOf({ a: 'Color' })],
        [`locales/de/${name}.json`, jsonOf({ a: 'Farbe' })],
      ]),
    ),
    'locales/en-GB/legal.json': jsonOf({ a: 'A long text. '.repeat(100) }),
  });
  expect((await statusOf(root)).source_language).toBe('en-US');
});

it('XLIFF is read beside JSON files that have the source language', async () => {
  const xliff = (language: string) =>
    `<xliff version="1.2"><file original="a" source-language="en" target-language="${language}" datatype="plaintext"><body><trans-unit id="a"><source>Save</source><target>x</target></trans-unit></body></file></xliff>`;
  const root = projectWith({
    'locale/en/strings.json': jsonOf({ a: 'Hello' }),
    'locale/de/strings.json': jsonOf({ a: 'Hallo' }),
    'locale/de/messages.xlf': xliff('de'),
    'locale/fr/messages.xlf': xliff('fr'),
  });
  const { languages } = await statusOf(root);
  expect(languages.map(({ coverage }) => coverage.keys)).toEqual([2, 2]);
});

it('a list of records is translated, unless all records have codes and the user does not name the list', async () => {
  const countries = 'locales/en/countries.json';
  const root = projectWith({
    'locales/en/common.json': jsonOf({ a: 'Hello' }),
    'locales/de/common.json': jsonOf({ a: 'Hallo' }),
    'locales/en/faq.json': JSON.stringify([{ question: 'How does it work?', answer: 'Press the button' }]),
    'locales/en/steps.yaml': '- title: Open the app\n  text: Then wait\n',
    [countries]: JSON.stringify([{ name: 'United States', code: 'US' }]),
    'locales/en/currencies.yaml': '- name: Euro\n  code: EUR\n',
  });
  expect((await statusOf(root)).languages[0]?.coverage.keys).toBe(5);
  expect((await statusOf(root, countries, '-t', 'de')).languages[0]?.coverage.keys).toBe(2);
});
