import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import SCHEMA from '../../schema/dragoman.schema.json' with { type: 'json' };
import { RULES, type Finding, atLeast } from '../../src/project/lint/finding.ts';
import { lintFile, lintProject } from '../../src/project/lint/lint.ts';
import { BUILT_IN_FORMATS } from '../../src/formats/registry.ts';
import { HARMLESS } from '../../src/text/review/remark.ts';
import { openProjects } from '../../src/project/state/project.ts';

const signal = new AbortController().signal;

function write(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = mkdtempSync(join(tmpdir(), 'dragoman-lint-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

async function lint(files: Readonly<Record<string, string | Uint8Array>>): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const project of await openProjects([write(files)], { source: 'en' })) {
    findings.push(...(await lintProject(project, signal)));
  }
  return findings;
}

/** The default report. */
const reported = (findings: readonly Finding[]): string[] =>
  brief(atLeast(findings, 'warning')).map((line) => line.replace(/:\d+:\d+/, ''));

const brief = (findings: readonly Finding[]): string[] =>
  findings.map(
    ({ rule, file, line, column, key }) => `${file}:${line}:${column} ${rule} ${key?.join('.') ?? ''}`,
  );

const android = (body: string): string => `<resources>\n${body}\n</resources>\n`;

describe('lint', () => {
  it('finds nothing in correct files', async () => {
    const findings = await lint({
      'en.json': '{"a": "Hello {name}", "b": "{n, plural, one {# file} other {# files}}", "c": "5 % off"}',
      'ru.json':
        '{"a": "Привет, {name}", "b": "{n, plural, one {# файл} few {# файла} many {# файлов} other {# файла}}", "c": "скидка 5 %"}',
      'res/values/strings.xml': android('<string name="a">Don\\\'t <b>panic</b>, %1$s</string>'),
      'res/values-fr/strings.xml': android('<string name="a">"N\'aie <b>pas</b> peur", %1$s</string>'),
    });
    expect(brief(findings)).toEqual([]);
  });

  it.each<[string, string, string, string]>([
    ['a placeholder that was translated', 'Hello {name}', 'Hallo {Name}', 'placeholder-mismatch'],
    ['a placeholder that is missing', 'Hello %s', 'Hallo', 'placeholder-mismatch'],
    ['a plural without other', '{n, plural, one {x} other {y}}', '{n, plural, one {x}}', 'missing-other'],
    [
      'a plural without the categories of the language',
      '{n, plural, one {x} other {y}}',
      '{n, plural, one {x} zero {z} other {y}}',
      'plural-categories',
    ],
    [
      'ICU that does not parse',
      '{n, plural, one {x} other {y}}',
      '{n, plural, one {x} other {y}',
      'icu-syntax',
    ],
    ['a tag that is not closed', 'a <b>bold</b> word', 'ein <b>fettes Wort', 'tag-mismatch'],
    ['an entity that was escaped again', 'a &lt; b', 'a &amp;lt; b', 'double-escaped'],
    ['text in the wrong encoding', 'coffee', 'cafÃ©', 'mojibake'],
  ])('finds %s', async (_, source, target, rule) => {
    const icu = '{k, plural, one {#} other {#}}';
    const findings = await lint({
      'en.json': JSON.stringify({ icu, a: source }),
      'de.json': `{"icu": "${icu}",\n  "a": ${JSON.stringify(target)}}`,
    });
    const [finding] = findings;
    expect(findings.length, JSON.stringify(findings)).toBeGreaterThan(0);
    expect(findings.map((each) => each.rule)).toContain(rule);
    expect(finding).toMatchObject({ file: 'de.json', line: 2, column: 8, key: ['a'], locale: 'de' });
  });

  it('finds duplicate keys, and leaves missing and extra ones to check', async () => {
    const findings = await lint({
      'en.json': '{\n"a": "One",\n"b": "Two",\n"c": "Three"\n}',
      'de.json': '{\n"a": "Eins",\n"a": "Erstens",\n"d": "Vier",\n"c": ""\n}',
    });
    expect(brief(findings)).toEqual([expect.stringMatching(/^de\.json:3:\d repeated-key a$/)]);
  });

  it('compares a translation with the last text of a duplicate key, which is the text that programs read', async () => {
    const findings = await lint({
      'en.json': '{\n"a": "Hello {name}",\n"a": "Good bye"\n}',
      'de.json': '{"a": "Auf Wiedersehen"}',
      'es.json': '{"a": "Hola {name}"}',
    });
    expect(brief(findings)).toEqual([
      expect.stringMatching(/^en\.json:3:\d repeated-key a$/),
      expect.stringMatching(/^es\.json:1:\d placeholder-mismatch a$/),
    ]);
  });

  it('reports a duplicate ARB message once, including its notes', async () => {
    const twice = '"@@locale": "en", "a": "x", "@a": {"description": "d"}';
    const findings = await lint({
      'lib/l10n/app_en.arb': `{${twice}, ${twice.slice(18).replace('x', 'y')}}`,
    });
    expect(findings.map(({ rule, keyName }) => `${rule} ${keyName}`)).toEqual(['repeated-key a']);
  });

  it('reports a difference as an error only if the syntax is known', async () => {
    const texts = {
      'locales/en.json': '{"a": "Hello {name}", "b": "<a>x</a>", "c": "%s x", "d": "x"}',
      'locales/de.json': '{"a": "Hallo", "b": "<a>x", "c": "x", "d": "Ã©"}',
    };
    const severities = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> =>
      (await lint({ ...texts, ...files })).map(({ key, severity }) => `${key?.join('.')} ${severity}`);
    const shown = ['a error', 'b error', 'c warning', 'd error'];
    expect(await severities({})).toEqual(['a warning', 'b warning', 'c warning', 'd error']);
    expect(await severities({ 'package.json': '{"dependencies": {"vue-i18n": "1"}}' })).toEqual(shown);
    expect(
      await severities({ 'dragoman.config.yaml': 'source: en\ntargets: [de]\nframework: vue-i18n\n' }),
    ).toEqual(shown);
    const header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n';
    const findings = await lint({
      'po/de.po': `${header}#, c-format\nmsgid "Hi %s"\nmsgstr "Hallo"\n\nmsgid "Hi {name}"\nmsgstr "Hallo"\n\n#, python-brace-format\nmsgid "{a}"\nmsgstr "b"\n`,
      'res/values/strings.xml': android('<string name="a">%s {{Name}}</string><string name="b">%s</string>'),
      'res/values-de/strings.xml': android(
        '<string name="a">%s {{Nahme}}</string><string name="b">x</string>',
      ),
    });
    expect(findings.map(({ message, severity }) => `${severity} ${message}`)).toEqual([
      'error %s is missing',
      'warning {name} is missing',
      'error {a} is missing',
      'warning {{Name}} is missing; {{Nahme}} is not in the source',
      'error %s is missing',
    ]);
  });

  it('reports duplicate keys according to the format’s parsers', async () => {
    const header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n';
    const entry = 'msgid "Open"\nmsgstr "Öffnen"\n';
    const findings = await lint({
      'en.lproj/Localizable.strings': '"a" = "A";\n"b" = "B";\n',
      'de.lproj/Localizable.strings': '"a" = "Ä";\n"a" = "Ä";\n"b" = "B";\n"b" = "C";\n',
      'po/de.po': `${header}${entry}\n${entry}`,
      'config/locales/en.yml': 'en:\n  a: A\n  b: B\n',
      'config/locales/de.yml': 'de:\n  a: Ä\n  a: Ä\n  b: B\n  b: C\n',
      Gemfile: "gem 'rails'\n",
      'lang/en.yaml': 'a: A\n',
      'lang/de.yaml': 'a: Ä\na: Ä\n',
      'res/values/strings.xml': android('<string name="a">A</string>\n<string name="a">A</string>'),
    });
    expect(findings.map(({ file, rule, severity }) => `${file} ${rule} ${severity}`)).toEqual([
      'config/locales/de.yml repeated-key warning',
      'de.lproj/Localizable.strings repeated-key warning',
      'lang/de.yaml duplicate-key warning',
      'po/de.po duplicate-key error',
      'res/values/strings.xml duplicate-key error',
    ]);
  });

  it('finds texts that Android would drop', async () => {
    const findings = await lint({
      'res/values/strings.xml': android(
        '<string name="a">It\'s</string>\n<plurals name="p"><item quantity="one">%d x</item><item quantity="other">%d x</item></plurals>',
      ),
      'res/values-ja/strings.xml': android(
        '<string name="a">a</string>\n<plurals name="p"><item quantity="one">%d x</item></plurals>',
      ),
    });
    expect(findings.map(({ file, rule }) => `${file} ${rule}`)).toEqual([
      'res/values-ja/strings.xml missing-other',
      'res/values/strings.xml unescaped-apostrophe',
    ]);
  });

  it('requires the Android forms that whole numbers select', async () => {
    const plurals = (...forms: readonly string[]): string =>
      android(
        `<plurals name="p">${forms.map((form) => `<item quantity="${form}">%d x</item>`).join('')}</plurals>`,
      );
    const findings = await lint({
      'res/values/strings.xml': plurals('one', 'other'),
      'res/values-cs/strings.xml': plurals('one', 'few', 'other'),
      'res/values-sk/strings.xml': plurals('one', 'few', 'other'),
      'res/values-lt/strings.xml': plurals('one', 'few', 'other'),
      'res/values-ru/strings.xml': plurals('one', 'few', 'many'),
      'res/values-uk/strings.xml': plurals('one', 'few', 'many'),
      'res/values-pl/strings.xml': plurals('one', 'few', 'many'),
      'res/values-iw/strings.xml': plurals('one', 'two', 'many', 'other'),
      'res/values-de/strings.xml': plurals('other'),
      'res/values-be/strings.xml': plurals('one', 'other'),
      'res/values-fr/strings.xml': plurals('zero', 'one', 'other'),
    });
    expect(reported(findings)).toEqual([
      'res/values-be/strings.xml plural-categories p',
      'res/values-fr/strings.xml plural-categories p',
    ]);
  });

  it('accepts zero for Apple in every language, otherwise only in languages that have it', async () => {
    const plural = (...forms: readonly string[]): string =>
      `{"variations": {"plural": {${forms.map((form) => `"${form}": {"stringUnit": {"state": "translated", "value": "%d x"}}`).join(', ')}}}}`;
    const findings = await lint({
      'App.xcstrings': `{"sourceLanguage": "en", "strings": {"a": {"localizations": {
        "ar": ${plural('zero', 'one', 'two', 'few', 'many', 'other')},
        "en": ${plural('zero', 'one', 'other')},
        "ja": ${plural('zero', 'other')},
        "lv": ${plural('one', 'other')}}}}, "version": "1.0"}`,
    });
    expect(findings.map(({ message }) => message)).toEqual(['the plural lacks zero for lv']);
  });

  it('lets forms for few numbers omit the number, in every format with forms', async () => {
    const header = (language: string, forms: string): string =>
      `msgid ""\nmsgstr ""\n"Language: ${language}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: ${forms};\\n"\n\n`;
    const item = (form: string, text: string): string => `<item quantity="${form}">${text}</item>`;
    const findings = await lint({
      'po/sl.po':
        header('sl', 'nplurals=4; plural=(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3)') +
        '#, c-format\nmsgid "%d file in %s"\nmsgid_plural "%d files in %s"\nmsgstr[0] "%2$s: datoteka"\nmsgstr[1] "%2$s: dve datoteki"\nmsgstr[2] "%d datoteke, %s"\nmsgstr[3] "%2$s: datotek"\n',
      'res/values/strings.xml': android(
        `<plurals name="p">${item('one', '%d file')}${item('other', '%d files')}</plurals>`,
      ),
      'res/values-ar/strings.xml': android(
        `<plurals name="p">${['zero', 'one', 'two'].map((form) => item(form, 'x')).join('')}${item('few', '%d x')}${item('many', 'x')}${item('other', 'x')}</plurals>`,
      ),
      'locales/en.json': '{"item_one": "{{count}} item", "item_other": "{{count}} items"}',
      'locales/ar.json':
        '{"item_zero": "x", "item_one": "x", "item_two": "x", "item_few": "x", "item_other": "{{count}} x"}',
      'config/locales/en.yml': 'en:\n  a:\n    one: one file\n    other: "%{count} files"\n',
      'config/locales/ru.yml':
        'ru:\n  a:\n    one: "%{count} файл"\n    few: "%{count} файла"\n    many: файлов\n    other: "%{count} файла"\n',
    });
    // Forms that several numbers select must show the number; one finding covers all of them.
    expect(
      findings
        .filter(({ severity }) => severity !== 'info')
        .map(({ file, keyName, message }) => `${file}: ${message} (${keyName})`),
    ).toEqual([
      'config/locales/ru.yml: %{count} is missing (a.many)',
      'locales/ar.json: {{count}} is missing (item_few)',
      'po/sl.po: %d is missing (msgid "%d file in %s" [other])',
      'res/values-ar/strings.xml: %d is missing (p [many, other])',
    ]);
  });

  it('names keys as their files do, on one line', async () => {
    const header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n';
    const findings = await lint({
      'po/de.po': `${header}msgctxt "menu"\nmsgid "Open \\"%s\\"\\n"\nmsgstr "Öffnen"\n`,
      'res/values/strings.xml': android(
        '<string-array name="list"><item>a</item><item>It\'s</item></string-array>',
      ),
      'locales/en.json':
        '{"a": {"b.c": ["x", "{\\n  name\\n}"], "d e": "{x}"}, "f.g": "{y}", "h": {"i": "{z}"}}',
      'locales/de.json': '{"a": {"b.c": ["x", "y"], "d e": "y"}, "f.g": "y", "h": {"i": "y"}}',
      'en.lproj/Localizable.strings': '"%d of %@" = "%d of %@";\n',
      'de.lproj/Localizable.strings': '"%d of %@" = "%d von";\n',
      'l10n/app.properties': 'a.b = {0}\n',
      'l10n/app_de.properties': 'a.b = x\n',
    });
    expect(findings.map(({ keyName, message }) => `${keyName}: ${message}`)).toEqual([
      '"%d of %@": %@ is missing',
      'a.b: {0} is missing',
      'a["b.c"][1]: {\\n  name\\n} is missing',
      'a["d e"]: {x} is missing',
      'f.g: {y} is missing',
      'h.i: {z} is missing',
      'msgctxt "menu" msgid "Open \\"%s\\"\\n": %s is missing',
      "list[1]: an apostrophe must be written \\'",
    ]);
  });

  it('reports all differences of a message in one finding', async () => {
    const findings = await lint({
      'en.json': '{"a": "{one} {two} %s"}',
      'de.json': '{"a": "{eins} {two}"}',
    });
    expect(findings.map(({ message }) => message)).toEqual([
      '{one} is missing; %s is missing; {eins} is not in the source',
    ]);
  });

  it('ignores untranslated texts, and ids in place of texts', async () => {
    const header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n';
    const findings = await lint({
      'po/de.po': `${header}#, fuzzy\nmsgid "Hi %s"\nmsgstr "Hallo"\n\nmsgid "menu.open_file"\nmsgstr "Öffne {name}"\n`,
    });
    expect(brief(findings)).toEqual([]);
  });

  it.each([{ Gemfile: "gem 'rails'\n" }, {}])(
    'takes into account the arguments of Rails validators, %j',
    async (files) => {
      const findings = await lint({
        ...files,
        'config/locales/en.yml':
          'en:\n  errors:\n    format: "%{attribute} %{message}"\n    messages:\n      blank: can\'t be blank\n  hello: Hello\n',
        'config/locales/ar.yml':
          'ar:\n  errors:\n    format: "%{message}"\n    messages:\n      blank: "%{attribute} x"\n  hello: "%{attribute}"\n',
      });
      expect(brief(findings)).toEqual(['config/locales/ar.yml:6:10 placeholder-mismatch hello']);
    },
  );

  it('uses the configured severities', async () => {
    const files = {
      'package.json': '{"dependencies": {"vue-i18n": "1"}}',
      'en.json': '{"a": "Hello {name}", "b": "<b>x</b>", "c": "x"}',
      'de.json': '{"a": "Hallo", "b": "x", "c": "Ã©"}',
    };
    const severities = async (rules: string): Promise<readonly string[]> =>
      (
        await lint({
          ...files,
          'dragoman.config.yaml': `source: en\ntargets: [de]\n${rules}`,
        })
      ).map(({ rule, severity }) => `${rule} ${severity}`);
    expect(await severities('')).toEqual([
      'placeholder-mismatch error',
      'markup-changed info',
      'mojibake error',
    ]);
    expect(
      await severities(
        'lint: {rules: {mojibake: off, markup-changed: error, placeholder-mismatch: warning}}\n',
      ),
    ).toEqual(['placeholder-mismatch warning', 'markup-changed error']);
    await expect(severities('lint: {rules: {mojibak: off}}\n')).rejects.toMatchObject({
      code: 'configuration',
      hint: expect.stringMatching(/^Did you mean mojibake\? Allowed here: /) as string,
    });
    await expect(severities('lint: {rules: {mojibake: warn}}\n')).rejects.toMatchObject({
      code: 'configuration',
      hint: 'One of: off, error, warning, info.',
    });
    // An unreadable file is not correct.
    await expect(severities('lint: {rules: {unreadable: off}}\n')).rejects.toMatchObject({
      code: 'configuration',
    });
  });

  it('compares PO entries with their own msgid, and plurals with msgid or msgid_plural', async () => {
    const header =
      'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n';
    const findings = await lint({
      'po/app.pot': `${header}#, c-format\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] ""\nmsgstr[1] ""\n\n#, c-format\nmsgid "Hi %s"\nmsgstr ""\n`,
      'po/de.po': `${header}#, c-format\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "%d Datei"\nmsgstr[1] "%s Dateien"\n\n#, c-format\nmsgid "Hi %s"\nmsgstr "Hallo"\n`,
    });
    expect(findings.map(({ rule, line }) => `${rule} ${line}`)).toEqual([
      'placeholder-mismatch 10',
      'placeholder-mismatch 14',
    ]);
  });

  it('has a schema with all rules except the one that cannot be switched off', () => {
    const { rules } = SCHEMA.properties.lint.properties;
    const defaults = Object.entries(rules.properties).map(([rule, { description }]) => [rule, description]);
    const known = Object.entries(RULES).filter(([rule]) => rule !== 'unreadable');
    expect(defaults).toEqual(known.map(([rule, { severity }]) => [rule, `Default: ${severity}.`]));
    const notes = known.filter(([, { severity }]) => severity === 'info').map(([rule]) => rule);
    expect([...notes, 'too-long']).toEqual([...HARMLESS]);
  });

  it('reports an unreadable file as a finding and continues', async () => {
    const findings = await lint({
      'en.json': '{"a": "One"}',
      'de.json': '{"a": "Eins"',
      'fr.json': Buffer.from([0x7b, 0xff, 0x7d]),
      'es.json': '{}',
    });
    expect(findings.map(({ rule, file }) => `${rule} ${file}`)).toEqual([
      'unreadable de.json',
      'unreadable fr.json',
    ]);
  });

  it('checks a single file by itself', async () => {
    const root = write({ 'app.properties': 'a = {0} caf\u00c3\u00a9\n' });
    const findings = await lintFile(
      join(root, 'app.properties'),
      'app.properties',
      undefined,
      BUILT_IN_FORMATS,
    );
    expect(brief(findings)).toEqual(['app.properties:1:5 mojibake a']);
  });
});
