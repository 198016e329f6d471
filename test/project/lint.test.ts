import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findBareApostrophe } from '../../src/project/lint/apostrophe.ts';
import type { Finding } from '../../src/project/lint/finding.ts';
import { lintFile, lintProject } from '../../src/project/lint/lint.ts';
import { findMojibake } from '../../src/project/lint/mojibake.ts';
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

const brief = (findings: readonly Finding[]): string[] =>
  findings.map(
    ({ rule, file, line, column, key }) => `${file}:${line}:${column} ${rule} ${key?.join('.') ?? ''}`,
  );

const android = (body: string): string => `<resources>\n${body}\n</resources>\n`;

describe('lint', () => {
  it('finds nothing in files that are well', async () => {
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

  it('finds missing, extra and duplicate keys', async () => {
    const findings = await lint({
      'en.json': '{\n"a": "One",\n"b": "Two",\n"c": "Three"\n}',
      'de.json': '{\n"a": "Eins",\n"a": "Eins",\n"d": "Vier",\n"c": ""\n}',
    });
    expect(brief(findings)).toEqual([
      'de.json:1:1 missing-key b',
      'de.json:1:1 missing-key c',
      expect.stringMatching(/^de\.json:3:\d duplicate-key a$/),
      'de.json:4:6 extra-key d',
    ]);
  });

  it('finds what Android would drop or never use', async () => {
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
      'res/values-ja/strings.xml plural-categories',
      'res/values/strings.xml unescaped-apostrophe',
    ]);
  });

  it('compares PO entries with the msgid they carry, either form of a plural', async () => {
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

  it('reports a file that cannot be read as a finding and goes on', async () => {
    const findings = await lint({
      'en.json': '{"a": "One"}',
      'de.json': '{"a": "Eins"',
      'fr.json': Buffer.from([0x7b, 0xff, 0x7d]),
      'es.json': '{}',
    });
    expect(findings.map(({ rule, file }) => `${rule} ${file}`)).toEqual([
      'unreadable de.json',
      'missing-key es.json',
      'unreadable fr.json',
    ]);
  });

  it('checks a single file by itself', async () => {
    const root = write({ 'app.properties': 'a = {0} caf\u00c3\u00a9\n' });
    const findings = await lintFile(join(root, 'app.properties'), 'app.properties', undefined);
    expect(brief(findings)).toEqual(['app.properties:1:5 mojibake a']);
  });
});

describe('findMojibake', () => {
  it.each(['cafÃ©', 'â€™', 'Ã¼ber', '\ufffd', 'Ð¿Ñ€Ð¸Ð²ÐµÑ‚', 'Â©'])('finds it in %s', (text) => {
    expect(findMojibake(text)).toBeDefined();
  });

  it.each([
    'café',
    'Ãlvaro São João ÂNGULO',
    'naïve',
    'привет',
    'Ñandú',
    'Đặng',
    '€ 5',
    '“quoted”',
    '日本語',
    'Âge',
    'CORAÇÃO',
    'Â ',
  ])('leaves %s alone', (text) => {
    expect(findMojibake(text)).toBeUndefined();
  });
});

describe('findBareApostrophe', () => {
  it.each<[string, number | undefined]>([
    ["don't", 3],
    ["don\\'t", undefined],
    ['"don\'t"', undefined],
    ['"a" don\'t', 7],
    ["<a href='x'>y</a>", undefined],
    ["<![CDATA[it's]]>", 11],
    ["<!-- it's -->", undefined],
    ["a\\\\'", 3],
  ])('%s', (source, expected) => {
    expect(findBareApostrophe(source)).toBe(expected);
  });
});
