import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBuilt } from './built-program.ts';
import { dragoman, projectWith } from './harness.ts';

const PSEUDO = ['-s', 'en', '-t', 'fr', '--engine', 'pseudo'];

/** A text in a wide encoding, with a byte order mark. */
function wide(name: 'UTF-16LE' | 'UTF-32LE' | 'UTF-32BE', text: string): Buffer {
  const marked = `\ufeff${text}`;
  if (name === 'UTF-16LE') return Buffer.from(marked, 'utf16le');
  const bytes = Buffer.alloc(marked.length * 4);
  for (let i = 0; i < marked.length; i++) {
    if (name === 'UTF-32LE') bytes.writeUInt32LE(marked.charCodeAt(i), i * 4);
    else bytes.writeUInt32BE(marked.charCodeAt(i), i * 4);
  }
  return bytes;
}

describe.each(['UTF-32LE', 'UTF-32BE'] as const)('a file in %s', (name) => {
  it.each([
    ['sync', 'messages.properties', 'greeting=Hello\n'],
    ['sync', 'en.json', '{"greeting": "Hello"}'],
    ['sync', 'en.lproj/Localizable.strings', '"greeting" = "Hello";\n'],
    ['html', 'page.html', '<p>Hello</p>'],
    ['email', 'mail.eml', 'Subject: Hello\n\nHello\n'],
    ['subtitles', 'film.srt', '1\n00:00:01,000 --> 00:00:02,000\nHello\n'],
    ['batch', 'texts.txt', 'Hello\n'],
    ['i18n', 'messages.properties', 'greeting=Hello\n'],
  ])('is refused, and the encoding is named: %s %s', (command, file, text) => {
    const root = projectWith({ [file]: wide(name, text) });
    const visible = readdirSync(root);
    const argv = command === 'sync' ? [command, ...PSEUDO] : [command, file, ...PSEUDO];
    const { status, stdout, stderr } = runBuilt(argv, root);
    expect(stderr).toContain(name);
    expect(stderr).toContain('iconv');
    expect([stdout.includes('Ĥ'), status === 0]).toEqual([false, false]);
    expect(readFileSync(join(root, file))).toEqual(wide(name, text));
    expect(readdirSync(root).filter((entry) => !entry.startsWith('.'))).toEqual(visible);
  });
});

describe.each(['UTF-16LE', 'UTF-32LE', 'UTF-32BE'] as const)('%s', (name) => {
  it.each([['translate'], ['batch']])(
    'on standard input is refused, and the encoding is named: %s',
    async (command) => {
      const result = await dragoman([command, ...PSEUDO], { stdin: wide(name, 'Hello\n') });
      expect(result).toMatchObject({ exitCode: 2, stdout: '' });
      expect(result.stderr).toMatch(new RegExp(`standard input:1:1: .*${name}`));
    },
  );

  it('in a glossary or a configuration is refused, and the encoding is named', async () => {
    const glossary = projectWith({
      'en.json': '{"a": "One"}',
      'glossary.csv': wide(name, 'term,fr\none,un\n'),
    });
    const withGlossary = await dragoman(['sync', ...PSEUDO], { cwd: glossary });
    expect(withGlossary.stderr).toMatch(new RegExp(`glossary\\.csv:1:1: .*${name}`));
    const configuration = projectWith({
      'en.json': '{"a": "One"}',
      'dragoman.config.yaml': wide(name, 'source: en\n'),
    });
    const withConfiguration = await dragoman(['sync', ...PSEUDO], { cwd: configuration });
    expect(withConfiguration.stderr).toMatch(new RegExp(`dragoman\\.config\\.yaml:1:1: .*${name}`));
    expect([withGlossary.exitCode, withConfiguration.exitCode]).toEqual([2, 2]);
  });
});

it('a configuration with a byte that is not UTF-8 is refused with its position', async () => {
  const cwd = projectWith({
    'en.json': '{"a": "One"}',
    'dragoman.config.yaml': Buffer.from('source: en\ninclude: [caf\xe9.json]\n', 'latin1'),
  });
  const { exitCode, stderr } = await dragoman(['sync', ...PSEUDO], { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/dragoman\.config\.yaml:2:14: .*0xe9/);
});

it('batch accepts short lines in any encoding', async () => {
  const result = await dragoman(['batch', ...PSEUDO], { stdin: 'a\nb' });
  expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^.\n.\n$/u) });
});

it('a compiled .strings file is refused with the command that converts it', () => {
  const binary = Buffer.from('bplist00\xd1\x01\x02Qa\x00\xff\x00', 'latin1');
  const root = projectWith({ 'a.strings': binary });
  const { status, stderr } = runBuilt(['i18n', 'a.strings', ...PSEUDO], root);
  expect(status).toBe(2);
  expect(stderr).toMatch(/a\.strings:1:1: .*binary/);
  expect(stderr).toContain('plutil -convert json');
});

describe('one ISO-8859-1 byte in a UTF-8 .properties file', () => {
  const lines = Array.from({ length: 300 }, (_, i) => `key${i}=Größe ${i}\n`);
  const broken = (text: string): Buffer =>
    Buffer.concat([Buffer.from(text), Buffer.from('odd=caf\xe9\n', 'latin1'), Buffer.from(lines.join(''))]);

  it('is one finding, and stays unchanged while additions are ASCII', () => {
    const root = projectWith({
      'messages.properties': `${lines.join('')}odd=coffee\nnew=New words\n`,
      'messages_fr.properties': broken('# Überschrift\n'),
    });
    const lint = runBuilt(['lint', '-s', 'de', '--json'], root);
    const findings = (JSON.parse(lint.stdout) as { findings: { rule: string; file: string; line: number }[] })
      .findings;
    expect(findings.filter(({ rule }) => rule !== 'missing-key')).toEqual([
      expect.objectContaining({
        rule: 'invalid-byte',
        file: 'messages_fr.properties',
        line: 2,
        column: 8,
        key: ['odd'],
        message: expect.stringContaining('the byte 0xe9 is not UTF-8'),
      }),
    ]);
    const sync = runBuilt(['sync', '-s', 'de', '-t', 'fr', '--engine', 'pseudo'], root);
    expect(sync.status, sync.stderr).toBe(0);
    const written = readFileSync(join(root, 'messages_fr.properties')).toString('latin1');
    const added = /^new=.*\n/m.exec(written)?.[0] ?? '';
    expect(added).toMatch(/^new=[\0-\x7f]*\\u[\0-\x7f]*\n$/);
    expect(written.replace(added, '')).toBe(broken('# Überschrift\n').toString('latin1'));
    expect(runBuilt(['sync', '--frozen', '-s', 'de', '-t', 'fr', '--engine', 'pseudo'], root).status).toBe(0);
  });

  it('in the source is translated as its character', () => {
    const root = projectWith({ 'messages.properties': broken('') });
    const sync = runBuilt(['sync', '-s', 'de', '-t', 'fr', '--engine', 'pseudo'], root);
    expect(sync.status, sync.stderr).toBe(0);
    const written = readFileSync(join(root, 'messages_fr.properties'), 'utf8');
    expect(written).toMatch(/^odd=.*\\u00[eE]9.*$/m);
    expect(written).toMatch(/^[\0-\x7f]*$/);
  });
});
