import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';
import { processorTime } from '../processor-time.ts';

const PSEUDO = ['--engine', 'pseudo'];

describe('i18n', () => {
  it('writes {name}_{lang}.{ext} for every file and language, and prints the paths', async () => {
    const root = projectWith({
      'app.json': '{ "a": "One {x}" }\r\n',
      'menu.po': 'msgid "Open"\nmsgstr "left alone"\n',
      'text.properties': 'a = One\n',
    });
    const files = ['app.json', 'menu.po', 'text.properties'];
    const result = await dragoman(['i18n', ...files, '-s', 'en', '-t', 'fr,pt-BR', '-o', 'out', ...PSEUDO], {
      cwd: root,
    });
    expect(result.exitCode, result.stderr).toBe(0);
    expect(readdirSync(join(root, 'out')).sort()).toEqual(
      [
        'app_fr.json',
        'app_pt-BR.json',
        'menu_fr.po',
        'menu_pt-BR.po',
        'text_fr.properties',
        'text_pt-BR.properties',
      ].sort(),
    );
    expect(result.stdout.trimEnd().split('\n')).toHaveLength(6);
    const json = readFileSync(join(root, 'out/app_fr.json'), 'utf8');
    expect(json).toMatch(/^\{ "a": ".+\{x\}" \}\r\n$/);
    const po = readFileSync(join(root, 'out/menu_fr.po'), 'utf8');
    expect(po).not.toContain('left alone');
    expect(po).not.toContain('msgstr ""\n\n');
  });

  it.each([
    ['i18n', ['i18n', 'en.json', '-s', 'en', '-t', 'fr', '-o', 'fr.yml']],
    ['sync', ['sync', '-t', 'fr']],
  ])('%s refuses a target whose extension belongs to another format', async (_, argv) => {
    const files = [{ source: 'en.json', target: 'out/{locale}.yml' }];
    const root = projectWith({
      'en.json': '{ "a": "One" }\n',
      'dragoman.config.json': JSON.stringify({ source: 'en', files }),
    });
    const result = await dragoman([...argv, ...PSEUDO], { cwd: root });
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toMatch(
      /\.yml has an extension of YAML, but the source is JSON\n.*extension \.json/,
    );
    expect(readdirSync(root).sort()).toEqual(['dragoman.config.json', 'en.json']);
  });

  it('writes into the target language’s version if an XML file has all languages', async () => {
    const versions = (en: string, fr: string): string =>
      `<doc><title><v xml:lang="en">${en}</v><v xml:lang="fr">${fr}</v></title></doc>\n`;
    const root = projectWith({ 'app.xml': versions('Title', 'Old') });
    const argv = ['i18n', 'app.xml', '-s', 'en', '-t', 'fr', '-o', 'out', ...PSEUDO];
    const result = await dragoman(argv, { cwd: root });
    expect(result.exitCode, result.stderr).toBe(0);
    const written = readFileSync(join(root, 'out/app_fr.xml'), 'utf8');
    const [, fr = ''] = /<v xml:lang="fr">(.*?)<\/v>/.exec(written) ?? [];
    expect(written).toBe(versions('Title', fr));
    expect(fr).not.toBe('Old');
  });

  it('translates the readable files, reports the others, and ends with 7', async () => {
    const root = projectWith({
      'a.json': '{"a":"One"}',
      'bad.json': '{"a":',
      'c.json': '{"c":"Two"}',
      'd.yaml': 'a: [',
    });
    const argv = [
      'i18n',
      'bad.json',
      'a.json',
      'd.yaml',
      'none.json',
      'c.json',
      '-s',
      'en',
      '-t',
      'fr',
      '-o',
      'out',
      ...PSEUDO,
    ];
    const result = await dragoman(argv, { cwd: root });
    expect(result.exitCode).toBe(7);
    expect(result.stdout).toBe('out/a_fr.json\nout/c_fr.json\n');
    expect(result.stderr).toMatch(/bad\.json:1:6: [^]*d\.yaml:[^]*none\.json/);
    const { stdout, exitCode } = await dragoman([...argv, '--force', '--json'], { cwd: root });
    expect(exitCode).toBe(7);
    const { files } = JSON.parse(stdout) as { readonly files: readonly object[] };
    expect(files).toMatchObject([
      { source: join(root, 'a.json'), path: join(root, 'out/a_fr.json') },
      { source: join(root, 'c.json') },
      { source: join(root, 'bad.json'), path: null, error: { code: 'unreadable_input' } },
      { source: join(root, 'd.yaml'), error: { code: 'unreadable_input' } },
      { source: join(root, 'none.json'), error: { code: 'unreadable_input' } },
    ]);
    const alone = await dragoman(['i18n', 'bad.json', 'd.yaml', '-s', 'en', '-t', 'fr', ...PSEUDO], {
      cwd: root,
    });
    expect(alone).toMatchObject({ exitCode: 2, stdout: '' });
    expect(alone.stderr).toMatch(/d\.yaml:[^]*bad\.json:1:6/);
  });

  it('continues with the next file when the language of one is unknown', async () => {
    const root = projectWith({ 'a.json': '{"a":"1 2 3"}', 'b.json': '{"b":"Where is the station?"}' });
    const result = await dragoman(['i18n', 'a.json', 'b.json', '-t', 'fr', '-o', 'out', ...PSEUDO], {
      cwd: root,
    });
    expect(result).toMatchObject({ exitCode: 7, stdout: 'out/b_fr.json\n' });
    expect(result.stderr).toMatch(/a\.json was not translated into fr: cannot detect the language/);
  });

  it('does not refuse values because of their neighbours, and keeps placeholders in every notation', async () => {
    const source = {
      g: 'Hello {name}, you have {{count}} points',
      p: '{count, plural, one {# letter} other {# letters}}',
      m: 'See [your settings](command:x.open?%5B%22a%22%5D) or github.com/x/y',
      u: 'From <Unknown Sender>',
      k: 'all %keyurls%a',
    };
    const root = projectWith({
      'app.json': JSON.stringify(source),
      'menu.po': '#, lisp-format\nmsgid "Take ~a of ~{~d~^, ~}"\nmsgstr ""\n',
    });
    const files = ['app.json', 'menu.po', '-o', 'out', ...PSEUDO];
    const result = await dragoman(['i18n', '-s', 'en', '-t', 'de', ...files], { cwd: root });
    expect(result.exitCode, result.stderr).toBe(0);
    const json = JSON.parse(readFileSync(join(root, 'out/app_de.json'), 'utf8')) as typeof source;
    expect(json.g).toMatch(/^Ĥ.* \{name\}, .* \{\{count\}\} /);
    expect(json.p).toMatch(/^\{count, plural, one \{# ļ.*\} other \{# ļ.*\}\}$/);
    expect(json.m).toMatch(/ \[ý.*\]\(command:x\.open\?%5B%22a%22%5D\) .* github\.com\/x\/y$/);
    expect(json.u).toMatch(/^Ƒ.* <Û.* Š.*>$/);
    expect(json.k).toMatch(/ %keyurls%/);
    expect(readFileSync(join(root, 'out/menu_de.po'), 'utf8')).toMatch(/msgstr "Ţ.* ~a .* ~\{~d~\^, ~\}"/);
  });

  it('does not replace a file next to the source without --force', async () => {
    const root = projectWith({ 'm.properties': 'a=One\n', 'm_fr.properties': 'a=Un\n' });
    const refused = await dragoman(['i18n', 'm.properties', '-s', 'en', '-t', 'fr', ...PSEUDO], {
      cwd: root,
    });
    expect(refused.exitCode).toBe(2);
    expect(readFileSync(join(root, 'm_fr.properties'), 'utf8')).toBe('a=Un\n');
    const forced = await dragoman(['i18n', 'm.properties', '-s', 'en', '-t', 'fr', '--force', ...PSEUDO], {
      cwd: root,
    });
    expect(forced.exitCode).toBe(0);
    expect(readFileSync(join(root, 'm_fr.properties'), 'utf8')).not.toBe('a=Un\n');
  });

  it('detects the language of short texts from the whole file', async () => {
    const root = projectWith({
      'a.json': '{"a":"Abbrechen","b":"Speichern","c":"Datei öffnen","d":"Nicht gefunden"}',
    });
    const { exitCode, stderr } = await dragoman(['i18n', 'a.json', '-t', 'fr', ...PSEUDO], { cwd: root });
    expect(exitCode, stderr).toBe(0);
  });

  it('counts failures', async () => {
    const root = projectWith({
      'a.json': '{\n "a": "{n, plural, one {x}",\n "b": "{n, plural, other {Two}}"\n}',
    });
    const { exitCode, stdout } = await dragoman(
      ['i18n', 'a.json', '-s', 'en', '-t', 'fr', '--json', ...PSEUDO],
      { cwd: root },
    );
    expect(exitCode).toBe(7);
    const { files } = JSON.parse(stdout) as { files: Record<string, unknown>[] };
    expect(files[0]).toMatchObject({ language_code: 'fr', translated_keys: 1, failed_keys: 1 });
    expect(files[0]?.['failures']).toMatchObject([{ key: ['a'], line: 2, column: 7 }]);
  });
});

describe('a file without texts', () => {
  it.each([
    ['a.json', '{}', ''],
    ['a.po', 'msgid ""\nmsgstr ""\n"Language: en\\n"\n', ''],
    ['a.properties', '# nothing\n', ''],
    [
      'a.ts',
      "import a from './a';\nexport default a;\n",
      ', which would be in an object or array literal that is its default or only export',
    ],
    ['a.php', "<?php\necho 'Hello';\n", ', which would be in the arrays that it returns or assigns'],
  ])('is copied, and the copy is reported: %s', async (name, text, why) => {
    const cwd = projectWith({ [name]: text });
    const argv = ['i18n', name, '-s', 'en', '-t', 'fr', '--engine', 'pseudo', '-o', 'out'];
    const { exitCode, stderr } = await dragoman(argv, { cwd });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining(`${name} has no texts to translate${why}: its translation is a copy`),
    });
  });
});

describe('bad input', () => {
  const nested = (open: string, close: string, depth = 10_000): string =>
    open.repeat(depth) + close.repeat(depth);
  const bomb = (declare: (name: string, of: string) => string): string =>
    Array.from({ length: 12 }, (_, i) => declare(`a${i + 1}`, `a${i}`)).join('\n');

  it.each<[string, string, string | Uint8Array, RegExp]>([
    ['an unterminated JSON string', 'a.json', '{\n  "a": "One\n}', /a\.json:2:\d+: /],
    ['an unterminated .strings string', 'a.strings', '"a" = "One;\n', /a\.strings:1:\d+: /],
    ['an unterminated YAML quote', 'a.yml', 'a: "One\nb: 2\n', /a\.yml:\d+:\d+: /],
    ['an unterminated PO string', 'a.po', 'msgid "a\nmsgstr ""\n', /a\.po:1:\d+: /],
    ['a tag that is not closed', 'a.xml', '<resources>\n<string name="a">One</resources>', /a\.xml:2:\d+: /],
    ['a bad escape', 'a.properties', 'a = \\u00g0\n', /a\.properties:1:\d+: /],
    [
      'an entity bomb',
      'a.xml',
      `<!DOCTYPE r [<!ENTITY a0 "xxxxxxxxxx">\n${bomb((name, of) => `<!ENTITY ${name} "${`&${of};`.repeat(10)}">`)}]>\n<r>&a12;</r>`,
      /a\.xml:\d+:\d+: /,
    ],
    ['10,000-deep JSON', 'a.json', nested('[', ']'), /a\.json:1:\d+: .*nest/],
    ['10,000-deep YAML', 'a.yml', nested('[', ']'), /a\.yml:1:\d+: .*nest/],
    ['10,000-deep XML', 'a.xml', nested('<a>', '</a>'), /a\.xml:1:\d+: .*nest/],
    [
      'bytes that are not UTF-8',
      'a.json',
      Buffer.concat([Buffer.from('{\n"a": "'), Buffer.from([0xe9]), Buffer.from('"}')]),
      /a\.json:2:7: .*UTF-8/,
    ],
    ['half a UTF-16 character', 'a.strings', Buffer.from([0xff, 0xfe, 0x22]), /a\.strings:1:\d+: .*UTF-16/],
    ['an empty JSON file', 'a.json', '', /a\.json:1:1: /],
  ])('ends with 2 and reports the position: %s', async (_, name, content, message) => {
    const root = projectWith({ [name]: content });
    const started = processorTime();
    const result = await dragoman(['i18n', name, '-s', 'en', '-t', 'fr', ...PSEUDO], { cwd: root });
    expect(processorTime() - started).toBeLessThan(5000);
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toMatch(message);
    expect(result.stderr.split('\n').length).toBeLessThan(5);
    expect(readdirSync(root)).toEqual([name]);
  });

  it.each([
    ['a directory', 'dir.json/x', 'dir.json', /is a directory/],
    ['a missing file', 'other.json', 'none.json', /no such file/],
    ['an unknown extension', 'a.txt', 'a.txt', /not supported/],
  ])('ends with 2 for %s', async (_, present, asked, message) => {
    const root = projectWith({ [present]: '{}' });
    const result = await dragoman(['i18n', asked, '-s', 'en', '-t', 'fr', ...PSEUDO], { cwd: root });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toMatch(message);
  });

  it('with an alias bomb is read without expanding it', async () => {
    const yaml = `a0: &a0 [lol, lol]\n${bomb((name, of) => `${name}: &${name} [${`*${of},`.repeat(10)}]`)}\n`;
    const root = projectWith({ 'a.yml': yaml });
    const result = await dragoman(['i18n', 'a.yml', '-s', 'en', '-t', 'fr', ...PSEUDO], { cwd: root });
    expect(result.exitCode, result.stderr).toBe(0);
    expect(readFileSync(join(root, 'a_fr.yml'), 'utf8').length).toBe(yaml.length);
  });

  it('of 10 MB on one line is translated in bounded time', async () => {
    const json = `{${Array.from({ length: 200_000 }, (_, i) => `"key${i}":"Some words to translate ${i % 500}"`).join(',')}}`;
    const root = projectWith({ 'a.json': json });
    const result = await dragoman(['i18n', 'a.json', '-s', 'en', '-t', 'fr', ...PSEUDO], { cwd: root });
    expect(result.exitCode, result.stderr).toBe(0);
  });
});
