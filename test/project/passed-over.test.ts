import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from '../cli/harness.ts';
import { processorTime } from '../processor-time.ts';
import { ProjectDirectory } from './project-directory.ts';

const RES = 'app/src/main/res';
const resources = (body: string): string => `<?xml version="1.0"?>\n<resources>\n${body}\n</resources>\n`;

async function sourcesOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { resources: found } = await new ProjectDirectory({ 'locales/en.json': '{}', ...files }).open();
  return found.map(({ source }) => source).filter((source) => source !== 'locales/en.json');
}

describe('the list of skipped files', () => {
  const FILES = {
    'locales/en.json': '{"a": "One"}',
    'locales/fr.json': '{"a": "Un"}',
    'ios/de.wxl': '',
    'ios/fr.wxl': '',
    'test/locales/en.json': '{"a": "Test"}',
    'locales/en_es.json': '{"a": "Uno"}',
  };
  const LINES = [
    '2 .wxl files, not supported (for example ios/de.wxl)',
    '1 .json file in test directories, skipped (for example test/locales/en.json)',
    '1 .json file written by dragoman i18n, skipped (for example locales/en_es.json)',
  ];

  it.each([
    ['status'],
    ['sync', '--engine', 'pseudo'],
    ['sync', '--frozen'],
    ['sync', '--dry-run', '--engine', 'pseudo'],
    ['check'],
    ['init'],
  ])('is printed by %s %s, on stderr and in its document', async (...argv) => {
    const said = await dragoman(argv, { cwd: projectWith(FILES) });
    expect(said.stderr.split('\n')).toEqual(expect.arrayContaining(LINES));
    expect(said.stdout).not.toContain('.wxl');
    const document = await dragoman([...argv, '--json'], { cwd: projectWith(FILES) });
    expect(JSON.parse(document.stdout).passed_over).toMatchObject([
      { reason: 'not_supported', extension: '.wxl', count: 2, is_at_least: false, example: 'ios/de.wxl' },
      { reason: 'test_directory', extension: '.json', count: 1, example: 'test/locales/en.json' },
      { reason: 'written_by_i18n', extension: '.json', count: 1, example: 'locales/en_es.json' },
    ]);
  });

  it('names translations of texts in programs, in build output and elsewhere', async () => {
    const { stderr } = await dragoman(['status'], {
      cwd: projectWith({
        'package.json': '{"devDependencies": {"vscode-nls": "1"}}',
        'package.nls.json': '{"a": "One"}',
        'i18n/deu/out/src/errors.i18n.json': '{"a": "Eins"}',
        'i18n/fra/src/errors.i18n.json': '{"a": "Un"}',
      }),
    });
    expect(stderr).toContain(
      '2 .json files for texts in programs, not supported (for example i18n/deu/out/src/errors.i18n.json)',
    );
  });

  it.each([
    ['package.json', '{"devDependencies": {"vscode-nls": "1"}}', 'eng', 'deu'],
    ['README.txt', 'Texts in codes of three letters.', 'eng', 'deu'],
    ['README.txt', 'Filipino has three letters.', 'en', 'fil'],
  ])('does not include translations like those of programs if they have a source', async (...files) => {
    const [name, text, source, target] = files;
    const project = new ProjectDirectory({
      [name]: text,
      [`i18n/${source}/main.i18n.json`]: '{"a": "One"}',
      [`i18n/${target}/main.i18n.json`]: '{"a": "Eins"}',
    });
    const { resources, passedOver } = await project.open();
    expect(resources.map(({ source, existing }) => [source, ...existing.values()])).toEqual([
      [`i18n/${source}/main.i18n.json`, `i18n/${target}/main.i18n.json`],
    ]);
    expect(passedOver).toEqual([]);
  });

  it('includes files written by memory export, in any directory', async () => {
    const cwd = projectWith({
      'locales/en.json': '{"a": "Open", "b": "Save"}',
      'locales/id.json': '{"a": "Buka", "b": "Simpan"}',
    });
    const memory = ['--memory', 'memory.db'];
    await dragoman(['memory', 'import', '.', '-s', 'en', ...memory], { cwd });
    const exportTo = (path: string, source: string, target: string): Promise<unknown> =>
      dragoman(['memory', 'export', path, '-s', source, '-t', target, ...memory], { cwd });
    mkdirSync(join(cwd, 'po'));
    await exportTo('po/id.po', 'en', 'id');
    await exportTo('locales/id.csv', 'en', 'id');
    expect(readFileSync(join(cwd, 'po/id.po'), 'utf8')).toContain('msgstr "Buka"');
    expect(readFileSync(join(cwd, 'locales/id.csv'), 'utf8')).toContain('Buka');
    // The code of Indonesian may also be the name of a key column.
    writeFileSync(
      join(cwd, 'locales/keys.csv'),
      'id,en,context,origin,category,engine\r\nBuka,Open,a,human,,\r\n',
    );
    const { stdout } = await dragoman(['status', '-s', 'en', '--json'], { cwd });
    const { projects, passed_over } = JSON.parse(stdout);
    expect(projects[0].languages[0].coverage).toMatchObject({ keys: 2, translated: 2 });
    expect(passed_over).toMatchObject([
      { reason: 'own_export', extension: '.csv', count: 1, example: 'locales/id.csv' },
      { reason: 'own_export', extension: '.po', count: 1, example: 'po/id.po' },
    ]);
  });

  const xliff = (language: string): string =>
    `<xliff version="1.2"><file source-language="en" target-language="${language}" original="a"><body>\n<trans-unit id="a"><source>A</source><target>${language}</target></trans-unit>\n</body></file></xliff>\n`;
  const NAMED = JSON.stringify({
    projects: {
      app: { i18n: { sourceLocale: 'en', locales: { de: { translation: 'l/messages.de.xlf' } } } },
    },
  });

  it.each([
    ['by name', {}, '.xlf'],
    ['by angular.json', { 'angular.json': NAMED }, '.xlf'],
    ['by name, .NET', {}, '.resx'],
  ])('includes a file with an unknown language code beside a source: %s', async (_, more, end) => {
    const resx = '<root>\n  <data name="a"><value>A</value></data>\n</root>\n';
    const text = (language: string): string => (end === '.xlf' ? xliff(language) : resx);
    const project = new ProjectDirectory({
      ...more,
      [`l/messages${end}`]: text('en'),
      [`l/messages.de${end}`]: text('de'),
      [`l/messages.qxz${end}`]: text('qxz'),
    });
    const { resources: found, passedOver } = await project.open();
    expect(found.map(({ source }) => source)).toEqual([`l/messages${end}`]);
    expect(passedOver).toMatchObject([{ reason: 'odd_locale', example: `l/messages.qxz${end}` }]);
  });

  it('does not include Java bundles whose name Java does not look up', async () => {
    const project = new ProjectDirectory({
      'ui/locales/en.json': '{"a": "A"}',
      'ui/locales/zh-TW.json': '{"a": "B"}',
      'build.gradle': "plugins { id 'java' }\n",
      'src/main/resources/messages.properties': 'a = A\n',
      'src/main/resources/messages_es.properties': 'a = B\n',
    });
    const { resources: found } = await project.open();
    expect(found.map((resource) => resource.targetPath('zh-TW'))).toEqual([
      'src/main/resources/messages_zh_TW.properties',
      'ui/locales/zh-TW.json',
    ]);
  });

  it('includes every file of a Minecraft mod that is not named after a language', async () => {
    const lang = 'src/main/resources/assets/mod/lang';
    const odd = ['enws', 'esan', 'por_aa', 'sah_sah', 'en_7s', 'zlm_arab', 'io_en', 'jbo_en'];
    const names = ['en_us', 'de_de', ...odd].map((name) => [`${lang}/${name}.json`, '{"a": "b"}']);
    const { targets, passedOver } = await new ProjectDirectory(Object.fromEntries(names)).open();
    expect(targets).toEqual(['de-DE']);
    expect(passedOver).toMatchObject([{ reason: 'odd_locale', count: odd.length }]);
  });

  it('includes rules for languages, with their tables of numbers', async () => {
    const rules = (word: string): string =>
      `phrases:\n  now: ${word}\nwordsToNumber:\n${Array.from({ length: 14 }, (_, i) => `  ${word}${i}: ${i}\n`).join('')}`;
    const project = new ProjectDirectory({
      'src/Library/Locales/en.yml': rules('now'),
      'src/Library/Locales/de.yml': rules('jetzt'),
      'src/Library/Locales/de-LI.yml': "variantOf: 'de'\n",
      'src/App/locales/en.yml': 'title: Hello\nlimits:\n  files: 3\n  users: 4\n',
      'src/App/locales/de.yml': 'title: Hallo\n',
    });
    const { resources: found, passedOver } = await project.open();
    expect([found.length, found[0]?.source]).toEqual([1, 'src/App/locales/en.yml']);
    expect(passedOver).toMatchObject([{ reason: 'settings', count: 3 }]);
  });

  it.each(['toml', 'yaml'])('includes the menus of a Hugo site in .%s', async (extension) => {
    const project = new ProjectDirectory({
      [`config/_default/menus.en.${extension}`]: '',
      [`config/_default/menus.de.${extension}`]: '',
      'i18n/en.toml': 'hello = "Hello"\n',
      'i18n/de.toml': 'hello = "Hallo"\n',
    });
    const { resources: found, passedOver } = await project.open();
    expect(found.map(({ source }) => source)).toEqual(['i18n/en.toml']);
    expect(passedOver).toMatchObject([{ reason: 'not_supported', extension: `.${extension}`, count: 2 }]);
  });

  it('does not include files in rare languages next to those that angular.json names', async () => {
    const project = new ProjectDirectory({
      'angular.json': NAMED,
      'l/messages.xlf': xliff('en'),
      'l/messages.de.xlf': xliff('de'),
      'l/messages.bqi.xlf': xliff('bqi'),
    });
    const { targets, passedOver } = await project.open();
    expect([targets, passedOver]).toEqual([['bqi', 'de'], []]);
  });

  it('does not include MkDocs configurations', async () => {
    const root = projectWith({
      'docs/en/mkdocs.yml': 'site_name: Site\n',
      'docs/es/mkdocs.yml': 'INHERIT: ../en/mkdocs.yml\n',
      'docs/en/docs/a.md': '# Page\n',
      'docs/es/docs/a.md': '# Page\n',
    });
    const { stderr } = await dragoman(['sync', '--engine', 'pseudo'], { cwd: root });
    expect(stderr).toBe('no translations changed; updated dragoman.lock\n');
    // Without `mkdocs.yml` beside them, files of these names are texts.
    const texts = { 'mkdocs.yml': 'site_name: Site\n', 'locales/mkdocs.en.yml': 'a: One\n' };
    expect(await sourcesOf({ ...texts, 'locales/mkdocs.fr.yml': 'a: Un\n' })).toEqual([
      'locales/mkdocs.en.yml',
    ]);
  });

  it('includes documents of a layout whose source was removed', async () => {
    const page = '# Page\n';
    const root = projectWith({
      'docs/en/a.md': page,
      'docs/fr/a.md': page,
      'docs/fr/old.md': page,
      'other/fr/b.md': page,
    });
    const { stderr } = await dragoman(['status'], { cwd: root });
    expect(stderr).toContain('1 .md file without a source file, skipped (for example docs/fr/old.md)\n');
    expect(stderr).not.toContain('other/fr/b.md');
  });

  it('covers the requested paths', async () => {
    const root = projectWith({ ...FILES, 'dragoman.config.yaml': 'targets: [fr]\n' });
    const { stderr } = await dragoman(['status', 'locales'], { cwd: root });
    expect(stderr.split('\n').filter((line) => line.includes('for example'))).toEqual(LINES.slice(2));
  });

  it('is omitted with --quiet, and does not contain excluded files', async () => {
    const root = projectWith({ ...FILES, 'dragoman.config.yaml': "exclude: ['ios/**', 'test/**']\n" });
    expect((await dragoman(['status', '--quiet'], { cwd: root })).stderr).toBe('');
    expect((await dragoman(['status'], { cwd: root })).stderr).not.toMatch(/wxl|test/);
  });

  it('is in the error if nothing else is found', async () => {
    const root = projectWith({ 'ios/de.wxl': '', 'ios/fr.wxl': '', 'spec/locales/en.json': '{}' });
    const { exitCode, stderr } = await dragoman(['sync', '-t', 'de', '--engine', 'pseudo'], { cwd: root });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('2 .wxl files, not supported (for example ios/de.wxl)');
    expect(stderr).toContain('1 .json file in test directories');
  });

  it('is limited for large build output', async () => {
    const project = new ProjectDirectory({ 'locales/en.json': '{}', 'zoo/build/locales/en.json': '{}' });
    mkdirSync(join(project.path, 'build/locales'), { recursive: true });
    for (let i = 0; i < 5_100; i++) writeFileSync(join(project.path, `build/locales/a${i}.de.json`), '');
    const { passedOver } = await project.open();
    expect(passedOver).toMatchObject([{ reason: 'build_output', isAtLeast: true }]);
    expect(passedOver[0]?.count).toBeLessThanOrEqual(5_000);
  });

  it('excludes installed packages', async () => {
    const project = new ProjectDirectory({
      'dragoman.config.yaml': 'targets: [fr]\n',
      'locales/en.json': '{}',
      'node_modules/lib/locales/en.json': '{}',
      'node_modules/lib/de.wxl': '',
    });
    expect(await project.open()).toMatchObject({ passedOver: [] });
    // Third-party directories: a path that names one does not make it part of the project.
    const named = await dragoman(['status', 'node_modules/lib', '-t', 'de'], { cwd: project.path });
    expect(named).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/node_modules/) as string });
  });
});

describe('Android resource files', () => {
  it.each([
    ['only colours', '<color name="a">#fff</color>', false],
    ['a string', '<string name="a">Text</string>', true],
    ['a plural', '<plurals name="a"><item quantity="other">Texts</item></plurals>', true],
    ['an array', '<string-array name="a"><item>Text</item></string-array>', true],
    ['an array of numbers', '<integer-array name="a"><item>1</item></integer-array>', false],
    ['an item that is a string', '<item name="a" type="string">Text</item>', true],
    ['an item of a style', '<style name="a"><item name="b">@color/c</item></style>', false],
    ['only an untranslatable string', '<string name="a" translatable="false">Text</string>', false],
    ['only references', '<string name="a">@string/b</string>', false],
    ['a string in a comment', '<!-- <string name="a">Text</string> -->', false],
    ['a string after a comment', '<!-- a --><string name="a">Text</string>', true],
  ])('are sources only if they have texts: %s', async (_what, body, isSource) => {
    const path = `${RES}/values/any.xml`;
    expect(await sourcesOf({ [path]: resources(body) })).toEqual(isSource ? [path] : []);
  });

  it.each([
    ['tags that never end', '<string '.repeat(130_000)],
    ['comments that never end', '<!--'.repeat(260_000)],
    ['references that never end', '<string>@a'.repeat(100_000)],
  ])('with %s are examined quickly', async (_what, body) => {
    const start = processorTime();
    await sourcesOf({ [`${RES}/values/any.xml`]: `<resources>${body}` });
    expect(processorTime() - start).toBeLessThan(1_500);
  });

  it('keep translations of entries that only values/ has', async () => {
    const root = projectWith({
      [`${RES}/values/strings.xml`]: resources(
        '<string name="color">Color</string>\n<string name="new_one">New</string>',
      ),
      [`${RES}/values-en-rGB/strings.xml`]: resources('<string name="color">Colour</string>'),
      [`${RES}/values-es/strings.xml`]: resources(
        '<string name="color">Color</string>\n<string name="new_one">Nuevo</string>',
      ),
    });
    const before = readFileSync(join(root, RES, 'values-es/strings.xml'), 'utf8');
    for (const source of [[], ['-s', 'en']]) {
      const { exitCode } = await dragoman(['sync', '--prune', ...source, '--engine', 'pseudo'], {
        cwd: root,
      });
      expect(exitCode).toBe(0);
      expect(readFileSync(join(root, RES, 'values-es/strings.xml'), 'utf8')).toBe(before);
    }
  });
});

describe('.properties files', () => {
  it.each([
    ['messages.properties', 'welcome=Welcome\n', true],
    ['messages.properties', 'welcome=\\u041F\\u0440\n', true],
    ['messages.properties', '', true],
    ['messages.properties', 'greeting=hello\n', true],
    ['messages.properties', "a = Save {0}\n# note\nb: Don't\n", true],
    ['resources.properties', 'jdbc=jdbc:h2:mem;DB_CLOSE=1\njvm=-Xmx2g -Dx=y\nlang=zh_TW\n', false],
    ['resources.properties', 'unqualifiedResLocale=en-US\n', false],
    ['i18n/settings.properties', 'languages=en,de\ndefault=en\n', false],
    ['application.properties', 'name=Planner\nport=80\nurl=http://localhost\n', false],
  ])('are sources only if they have texts: %s with %j', async (path, content, isSource) => {
    expect(await sourcesOf({ [path]: content })).toEqual(isSource ? [path] : []);
  });

  it('are translations if their name has a locale, for any source language', async () => {
    const project = new ProjectDirectory({
      'i18n/labels_en.properties': 'a=One\n',
      'i18n/labels_de.properties': 'a=Eins\n',
      'i18n/fr.json': '{}',
    });
    const { resources: found } = await project.open({ source: 'fr' });
    expect(found.map(({ source }) => source)).toEqual(['i18n/fr.json']);
  });
});

describe('catalogues without a template', () => {
  const dated = (date: string): string => `msgid ""\nmsgstr ""\n"POT-Creation-Date: ${date}\\n"\n`;

  it.each([
    ['the newest', { 'po/a.po': dated('2024-05-01 10:00+0000') }, 'po/fr.po', '2024-05-02 10:00+0000'],
    [
      'the newest in UTC',
      { 'po/de.po': dated('2024-05-01 10:00+0000') },
      'po/fr.po',
      '2024-05-01 09:00-0200',
    ],
    ['one with a date', { 'po/de.po': dated('YEAR-MO-DA HO:MI+ZONE') }, 'po/fr.po', '1999-01-01 00:00+0000'],
    [
      'the first of the same age',
      { 'po/es.po': dated('2024-05-01 10:00+0000') },
      'po/de.po',
      '2024-05-01 10:00+0000',
    ],
    [
      'one whose date is not just a comment',
      { 'po/de.po': `# POT-Creation-Date: 2030-01-01 00:00\n${dated('x')}` },
      'po/fr.po',
      '1999-01-01 00:00+0000',
    ],
  ])('a new language is based on %s', async (_what, others, path, date) => {
    const project = new ProjectDirectory({ ...others, [path]: dated(date) });
    const { resources: found, source } = await project.open({ targets: ['nl'] });
    expect({ source, files: found.map((each) => [each.source, each.catalogues !== undefined]) }).toEqual({
      source: 'en',
      files: [[path, true]],
    });
  });
});

describe('catalogues of keys', () => {
  const keyed = 'msgid "menu.save"\nmsgstr "Save"\n\nmsgid "menu.open"\nmsgstr ""\n"Open "\n"a file"\n';
  const plain = 'msgid "Save"\nmsgstr "Save"\n\nmsgid "Colour"\nmsgstr "Color"\n\nmsgid "Open"\nmsgstr ""\n';

  it.each([
    ['keyed', keyed, false],
    ['plain', plain, false],
    ['plain, with one of three messages', plain.slice(0, plain.indexOf('msgid "Colour"')), true],
  ])('%s: the English one is the source only if it has the messages', async (_what, en, carries) => {
    const others = carries ? plain : en;
    const files = { 'po/en.po': en, 'po/de.po': others.replaceAll(/msgstr "[^"]+"/g, 'msgstr "x"') };
    const rule = 'files: [{ source: "po/{locale}.po" }]\n';
    for (const configured of [{}, { 'dragoman.config.yaml': rule }]) {
      const { resources: found } = await new ProjectDirectory({ ...files, ...configured }).open({
        targets: ['fr'],
      });
      expect(found.map(({ source, catalogues }) => [source, catalogues !== undefined])).toEqual([
        carries ? ['po/de.po', true] : ['po/en.po', false],
      ]);
    }
  });
});
