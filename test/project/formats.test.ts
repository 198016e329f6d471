import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lintProject } from '../../src/project/lint/lint.ts';
import { dragoman, projectWith } from '../cli/harness.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

async function twice(project: ProjectDirectory, targets: string[]): Promise<void> {
  const engine = new RecordingEngine();
  const report = await project.sync(engine, { targets });
  for (const language of report.languages) {
    expect(
      language.files.flatMap((file) => [
        ...file.failures,
        ...file.drift,
        ...(file.error ? [file.error] : []),
      ]),
    ).toEqual([]);
    expect(language.coverage).toMatchObject({ missing: 0, stale: 0, edited: 0, extra: 0 });
  }
  const before = project.snapshot();
  // A different version ignores the remembered clean state.
  await project.sync(engine, { version: 'other' });
  expect(project.snapshot()).toEqual(before);
}

describe('sync, format by format', () => {
  it('creates PO from its template, with the plural forms of the target', async () => {
    const project = new ProjectDirectory({
      'po/app.pot':
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Language: \\n"\n\n#. A button\nmsgid "Save"\nmsgstr ""\n\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] ""\nmsgstr[1] ""\n',
      'po/fr.po':
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Language: fr\\n"\n"Plural-Forms: nplurals=2; plural=n > 1;\\n"\n\n#, fuzzy\n#| msgid "Store"\nmsgid "Save"\nmsgstr "Enregistrer"\n',
    });
    await twice(project, ['fr', 'ru']);
    expect(project.read('po/ru.po')).toContain('msgstr[2] "ru:%d files"');
    expect(project.read('po/ru.po')).toContain('nplurals=3');
    expect(project.read('po/fr.po')).toContain('msgstr "fr:Save"');
    expect(project.read('po/fr.po')).not.toContain('fuzzy');
  });

  it('translates a CDATA section in Symfony’s XLIFF, even if it is translated later', async () => {
    const file = (targets: readonly string[]): string =>
      `<xliff version="1.2"><file source-language="en" datatype="plaintext" original="file.ext"><body>\n` +
      targets
        .map(
          (target, i) =>
            `<trans-unit id="${i}"><source>key.${i}</source><target>${target}</target></trans-unit>\n`,
        )
        .join('') +
      `</body></file></xliff>\n`;
    const project = new ProjectDirectory({
      'composer.json': '{ "require": { "symfony/translation": "7" } }',
      'translations/messages.en.xlf': file(['Title', '<![CDATA[A <b>bold</b> text]]>']),
    });
    const engine = new RecordingEngine();
    engine.broken.add('bold');
    const options = { source: 'en', targets: ['de'] } as const;
    const { languages } = await project.sync(engine, options);
    expect(languages[0]?.changes).toMatchObject({ translated: 1, failed: 1 });
    expect(project.read('translations/messages.de.xlf')).toContain('<![CDATA[A <b>bold</b> text]]>');
    engine.broken.clear();
    await project.sync(engine, options);
    expect(project.read('translations/messages.de.xlf')).toContain('<![CDATA[de:A <b>bold</b> text]]>');
    const after = project.snapshot();
    await project.sync(engine, options);
    expect(project.snapshot()).toEqual(after);
  });

  it('translates PO plurals as a whole: if one form fails, so do the others', async () => {
    const header = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n';
    const entry = 'msgid "%d apple"\nmsgid_plural "%d apples"\n';
    const existing = `${header}"Language: fr\\n"\n"Plural-Forms: nplurals=2; plural=n > 1;\\n"\n\n#, fuzzy, c-format\n#| msgid "%d pear"\n${entry}msgstr[0] "%d poire"\nmsgstr[1] "%d poires"\n`;
    const project = new ProjectDirectory({
      'po/app.pot': `${header}\n#, c-format\n${entry}msgstr[0] ""\nmsgstr[1] ""\n\nmsgid "Save"\nmsgstr ""\n`,
      'po/fr.po': existing,
    });
    const engine = new RecordingEngine();
    engine.broken.add('apples');
    const report = await project.sync(engine, { targets: ['de', 'fr'] });
    expect(report.languages.map(({ changes }) => changes)).toMatchObject([
      { translated: 1, failed: 1 },
      { translated: 1, failed: 1 },
    ]);
    expect(project.read('po/fr.po')).toBe(`${existing}\nmsgid "Save"\nmsgstr "fr:Save"\n`);
    expect(project.read('po/de.po')).toContain(`${entry}msgstr[0] ""\nmsgstr[1] ""\n`);
    expect((await project.check()).languages.map(({ coverage }) => coverage.missing)).toEqual([1, 1]);
    engine.broken.clear();
    await project.sync(engine);
    expect(project.read('po/fr.po')).toContain('msgstr[0] "fr:%d apple"\nmsgstr[1] "fr:%d apples"');
    expect(project.read('po/fr.po')).not.toMatch(/fuzzy|#\|/);
    expect((await project.check()).languages.map(({ coverage }) => coverage.missing)).toEqual([0, 0]);
  });

  it('translates the msgids of PO files without a template', async () => {
    const header = (locale: string, rule: string): string =>
      `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Language: ${locale}\\n"\n"Plural-Forms: ${rule};\\n"\n\n`;
    const pot = (forms: string): string =>
      `#: a.c\nmsgid "Hi"\nmsgstr ""\n\n#, c-format\nmsgid "%d file"\nmsgid_plural "%d files"\n${forms}`;
    const french = header('fr', 'nplurals=2; plural=n > 1') + pot('msgstr[0] "%d fichier"\nmsgstr[1] ""\n');
    const czech = 'nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2';
    const project = new ProjectDirectory({
      'locale/fr/LC_MESSAGES/django.po': french,
      'locale/cs/LC_MESSAGES/django.po':
        header('cs', czech) + pot('msgstr[0] ""\nmsgstr[1] ""\nmsgstr[2] ""\n'),
    });
    const found = await project.open();
    expect(found).toMatchObject({ source: 'en', targets: ['cs', 'fr'] });
    const before = await project.check();
    expect(before.languages.map(({ coverage }) => coverage.missing)).toEqual([2, 2]);
    // The first key keeps its position in the file.
    expect(before.languages[0]?.files[0]?.drift[0]).toMatchObject({ line: 9, kind: 'missing' });
    const report = await project.sync(new RecordingEngine(), { targets: ['cs', 'de', 'fr'] });
    expect(report.languages.map(({ changes }) => changes.translated)).toEqual([2, 2, 2]);
    const written = project.snapshot();
    await project.sync(new RecordingEngine(), { version: 'other' });
    expect(project.snapshot()).toEqual(written);
    const read = (locale: string): string => project.read(`locale/${locale}/LC_MESSAGES/django.po`);
    expect(read('fr')).toBe(
      french
        .replace('msgstr ""\n\n#,', 'msgstr "fr:Hi"\n\n#,')
        .replace('msgstr[1] ""', 'msgstr[1] "fr:%d files"'),
    );
    expect(read('cs')).toContain('msgstr[0] "cs:%d file"\nmsgstr[1] "cs:%d files"\nmsgstr[2] "cs:%d files"');
    expect(read('de')).toContain('msgstr[0] "de:%d file"\nmsgstr[1] "de:%d files"\n');
    expect(read('de')).toContain('"Language: de\\n"');
    expect(await lintProject(await project.open(), new AbortController().signal)).toEqual([]);
  });

  it('uses the configured path for PO without a template', async () => {
    const project = new ProjectDirectory({
      'dragoman.config.json':
        '{"targets": ["de", "fr"], "files": [{"source": "i18n/{locale}/*.po", "target": "i18n/{locale}/*.po"}]}',
      'i18n/fr/a.po':
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Hi"\nmsgstr "Salut"\n\nmsgid "Bye"\nmsgstr ""\n',
    });
    const engine = new RecordingEngine();
    await project.sync(engine);
    expect([...engine.texts].sort()).toEqual(['de Bye', 'de Hi', 'fr Bye']);
    expect(project.read('i18n/fr/a.po')).toContain('msgstr "Salut"\n\nmsgid "Bye"\nmsgstr "fr:Bye"\n');
    expect(project.read('i18n/de/a.po')).toContain('msgstr "de:Hi"');
  });

  it('writes the locale as the root key of Rails YAML', async () => {
    const project = new ProjectDirectory({
      'config/locales/en.yml':
        'en:\n  # greeting\n  hello: "Hello"\n  files:\n    one: "%{count} file"\n    other: "%{count} files"\n',
    });
    await twice(project, ['pl']);
    expect(project.read('config/locales/pl.yml')).toMatch(/^pl:\n {2}# greeting\n {2}hello: "pl:Hello"/);
    // Key sets never change, except that the translator may add a form that the target language needs.
    project.write('config/locales/pl.yml', `${project.read('config/locales/pl.yml')}    few: "x %{count}"\n`);
    const report = await project.check();
    expect(report.languages[0]?.coverage).toMatchObject({ extra: 0, missing: 0 });
    project.write('config/locales/pl.yml', `${project.read('config/locales/pl.yml')}    two: "x %{count}"\n`);
    expect((await project.check()).languages[0]?.coverage.extra).toBe(1);
  });

  it('translates properties with a base file', async () => {
    const project = new ProjectDirectory({ 'messages.properties': '# c\nsave = Save\nopen: Open {0}\n' });
    await twice(project, ['es']);
    expect(project.read('messages_es.properties')).toBe('# c\nsave = es:Save\nopen: es:Open {0}\n');
  });

  it('translates Apple strings', async () => {
    const project = new ProjectDirectory({
      'en.lproj/Localizable.strings': '/* A */\n"save" = "Save %@";\n',
    });
    await twice(project, ['zh-CN']);
    expect(project.read('zh-Hans.lproj/Localizable.strings')).toBe('/* A */\n"save" = "zh-CN:Save %@";\n');
  });

  it('translates Android files with plurals', async () => {
    const project = new ProjectDirectory({
      'res/values/strings.xml':
        '<resources>\n    <string name="a">Save</string>\n    <string name="b" translatable="false">x</string>\n    <plurals name="n">\n        <item quantity="one">%d file</item>\n        <item quantity="other">%d files</item>\n    </plurals>\n</resources>\n',
      'res/values/colors.xml': '<resources>\n    <color name="c">#fff</color>\n</resources>\n',
    });
    await twice(project, ['pl']);
    expect(project.read('res/values-pl/strings.xml')).toContain('<item quantity="few">pl:%d files</item>');
    expect(project.list()).not.toContain('res/values-pl/colors.xml');
  });

  it('translates ARB and i18next files', async () => {
    const project = new ProjectDirectory();
    project.json('l10n/app_en.arb', { '@@locale': 'en', hi: 'Hi {name}', '@hi': { description: 'd' } });
    project.json('web/en/t.json', { item_one: '{{count}} item', item_other: '{{count}} items', x: 'X' });
    await twice(project, ['pl']);
    expect(project.readJson('l10n/app_pl.arb')).toMatchObject({ '@@locale': 'pl', hi: 'pl:Hi {name}' });
    project.json('web/pl/t.json', { item_one: 'a', item_few: 'b', item_other: 'c', x: 'X' });
    const coverage = async (): Promise<unknown> => (await project.check()).languages[0]?.coverage;
    // Five things are `many` in Polish. The forms of a plural are one key.
    expect(await coverage()).toMatchObject({ keys: 3, extra: 0, missing: 1, edited: 1 });
    project.json('web/pl/t.json', { item_one: 'a', item_few: 'b', item_many: 'd', item_other: 'c', x: 'X' });
    expect(await coverage()).toMatchObject({ keys: 3, extra: 0, missing: 0, edited: 2 });
  });
});

describe('languages with the same plural forms', () => {
  it('have the same Qt file together as each language alone', async () => {
    const source = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>Planner</name>
    <message>
        <source>Save</source>
        <translation>Save</translation>
    </message>
    <message numerus="yes">
        <source>%n task(s)</source>
        <translation>
            <numerusform>%n task</numerusform>
            <numerusform>%n tasks</numerusform>
        </translation>
    </message>
</context>
</TS>
`;
    const locales = ['fr', 'de', 'ru', 'uk', 'pl', 'ja', 'ko', 'ar'];
    const filesAfter = async (...targets: readonly string[]): Promise<readonly string[]> => {
      const root = projectWith({ 'i18n/planner_en.ts': source });
      for (const argv of [['sync', '-t', targets.join(','), '--engine', 'pseudo'], ['check']])
        expect(await dragoman(argv, { cwd: root })).toMatchObject({ exitCode: 0 });
      return targets.map((code) => readFileSync(join(root, `i18n/planner_${code}.ts`), 'utf8'));
    };
    const together = await filesAfter(...locales);
    for (const [i, code] of locales.entries()) {
      expect([together[i]]).toEqual(await filesAfter(code));
      expect(together[i]).toContain(`language="${code}"`);
    }
  });
});
