import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mo } from 'gettext-parser';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

function header(language: string, forms: string, charset = 'UTF-8'): string {
  return [
    'msgid ""\nmsgstr ""',
    `"Last-Translator: Jane <jane@example.org>\\n"\n"Language: ${language}\\n"\n"MIME-Version: 1.0\\n"`,
    `"Content-Type: text/plain; charset=${charset}\\n"\n"Content-Transfer-Encoding: 8bit\\n"`,
    `"Plural-Forms: ${forms}\\n"\n\n`,
  ].join('\n');
}

const files = (...forms: readonly string[]): string =>
  [
    '#, c-format\nmsgid "%d file"\nmsgid_plural "%d files"',
    ...forms.map((form, i) => `msgstr[${i}] "${form}"`),
    '',
  ].join('\n');

async function translate(
  text: string | Uint8Array,
  target: string,
  ...options: readonly string[]
): Promise<{ exitCode: number; stderr: string; bytes: Buffer; text: string }> {
  const root = projectWith({ 'a.po': text });
  const argv = ['i18n', 'a.po', '-s', 'en', '-t', target, '--engine', 'pseudo', ...options];
  const { exitCode, stderr } = await dragoman(argv, { cwd: root });
  const bytes = readFileSync(join(root, `a_${target}.po`));
  return { exitCode, stderr, bytes, text: bytes.toString() };
}

describe('i18n of a PO file', () => {
  it.each([
    ['one form', 'nplurals=1; plural=0;', ['%d 個']],
    ['the first of two forms', 'nplurals=2; plural=(n != 1);', ['%d f']],
    ['three forms', 'nplurals=3; plural=n>2 ? 2 : n;', ['', 'x', '']],
  ])('fills all forms of the target, if the source has %s', async (_, forms, texts) => {
    const { exitCode, text } = await translate(header('ja', forms) + files(...texts), 'ru');
    expect(exitCode).toBe(0);
    expect(text).toContain('msgstr[0] "%d ƒîļé"\nmsgstr[1] "%d ƒîļéš"\nmsgstr[2] "%d ƒîļéš"\n');
  });

  it('keeps the translations of a file in the target language, and adds missing ones', async () => {
    const forms = 'nplurals=3; plural=n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2;';
    const source = `${header('fr', forms)}${files('%d fichier', '', '')}
#, fuzzy
#| msgid "Opened"
msgid "Open"
msgstr "Ouvert"

msgid "Save"
msgstr "Enregistrer"
`;
    const { exitCode, text } = await translate(source, 'fr');
    expect(exitCode).toBe(0);
    expect(text).toBe(`${header('fr', forms)}${files('%d fichier', '%d ƒîļéš', '%d ƒîļéš')}
msgid "Open"
msgstr "Öþéñ"

msgid "Save"
msgstr "Enregistrer"
`);
  });

  it('empties translations into another language, and removes the credits of their translators', async () => {
    const source = `${header('de_AT', 'nplurals=2; plural=(n != 1);')}msgid "Save"\nmsgstr "Sichern"\n`;
    const { text } = await translate(source, 'de');
    expect(text).toContain('msgid "Save"\nmsgstr "Šåṽé"\n');
    expect(text).toContain('"Last-Translator: Automatically generated\\n"');
  });

  it.each([
    ['# French translation for Demo.', '# German translation for Demo.'],
    ['# Translation of Demo to French', '# Translation of Demo to German'],
    ['# French translations for the Demo package.', '# German translations for the Demo package.'],
    ['# Canadian French translation for Demo.', '# Canadian French translation for Demo.'],
    ['# A program for French lessons', '# A program for French lessons'],
  ])('names the language of a new catalogue in its title: %s', async (title, expected) => {
    const head = header('fr', 'nplurals=2; plural=(n > 1);');
    const { text } = await translate(`${title}\n${head}msgid "Save"\nmsgstr "Enregistrer"\n`, 'de');
    expect(text.split('\n')[0]).toBe(expected);
    const own = await translate(`${title}\n${head}msgid "Save"\nmsgstr ""\n`, 'fr');
    expect(own.text.split('\n')[0]).toBe(title);
  });

  it('converts a file to UTF-8 only on request', async () => {
    const head = header('fr', 'nplurals=2; plural=(n > 1);', 'ISO-8859-1');
    const source = Buffer.from(`${head}# é\nmsgid "Save"\nmsgstr ""\n`, 'latin1');
    const refused = await translate(source, 'es');
    expect(refused.exitCode).toBe(7);
    expect(refused.stderr).toContain('--to-utf8');
    expect(refused.bytes.toString('latin1')).toContain('charset=ISO-8859-1');
    const { exitCode, stderr, text } = await translate(source, 'es', '--to-utf8');
    expect(exitCode).toBe(0);
    expect(stderr).toContain('written in UTF-8; its source is in iso-8859-1');
    expect(text).toContain('charset=UTF-8\\n"');
    expect(text).toContain('# é\nmsgid "Save"\nmsgstr "Šåṽé"\n');
  });
});

describe('i18n --mo', () => {
  it('compiles each output, and writes the result next to it', async () => {
    const cwd = projectWith({ 'app.pot': 'msgid ""\nmsgstr ""\n\nmsgid "Open %s"\nmsgstr ""\n' });
    const argv = [
      'i18n',
      'app.pot',
      '-s',
      'en',
      '-t',
      'fr',
      '-o',
      'out',
      '--mo',
      '--engine',
      'pseudo',
      '--json',
    ];
    const { exitCode, stdout } = await dragoman(argv, { cwd });
    expect(exitCode).toBe(0);
    const { files } = JSON.parse(stdout) as { files: readonly { path: string; mo_path: string }[] };
    expect(files.map(({ path, mo_path: mo }) => [path, mo])).toEqual([
      [join(cwd, 'out/app_fr.po'), join(cwd, 'out/app_fr.mo')],
    ]);
    const read = mo.parse(readFileSync(join(cwd, 'out/app_fr.mo')));
    expect(read.translations['']?.['Open %s']?.msgstr[0]).toContain('%s');
  });

  it('keeps an existing catalogue next to its source', async () => {
    const cwd = projectWith({
      'app.pot': 'msgid ""\nmsgstr ""\n\nmsgid "Open"\nmsgstr ""\n',
      'app_fr.mo': 'mine',
    });
    const argv = ['i18n', 'app.pot', '-s', 'en', '-t', 'fr', '--mo', '--engine', 'pseudo'];
    expect(await dragoman(argv, { cwd })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/app_fr\.mo already exists\n.*--force/),
    });
    expect([readFileSync(join(cwd, 'app_fr.mo'), 'utf8'), existsSync(join(cwd, 'app_fr.po'))]).toEqual([
      'mine',
      false,
    ]);
    expect((await dragoman([...argv, '--force'], { cwd })).exitCode).toBe(0);
    expect(mo.parse(readFileSync(join(cwd, 'app_fr.mo'))).translations['']).toHaveProperty('Open');
  });
});
