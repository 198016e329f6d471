import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

const PSEUDO = ['-s', 'en', '-t', 'fr', '--engine', 'pseudo'];

describe('standard input', () => {
  it.each<[string, readonly string[], string, string]>([
    [
      'i18n of JSON',
      ['i18n', '-', '--format', 'json'],
      '{\n  "a": "One", // kept\n  "b": 1\n}\n',
      '{\n  "a": "Öñé", // kept\n  "b": 1\n}\n',
    ],
    ['i18n of YAML', ['i18n', '-', '--format', 'yaml', '-o', '-'], 'a: One # kept\n', 'a: Öñé # kept\n'],
    ['html', ['html', '-'], '<p>One</p>\n', '<p>Öñé</p>\n'],
    [
      'subtitles',
      ['subtitles', '-'],
      '1\n00:00:01,000 --> 00:00:02,000\nOne\n',
      '1\n00:00:01,000 --> 00:00:02,000\nÖñé\n',
    ],
    ['email', ['email', '-'], 'Subject: One\r\n\r\nOne\r\n', 'Öñé'],
    ['batch', ['batch', '-'], 'One\nOne\n', 'Öñé\nÖñé\n'],
    ['translate', ['translate', '-'], 'One\n', 'Öñé\n'],
  ])('is translated to standard output: %s', async (name, argv, stdin, expected) => {
    const { exitCode, stdout, stderr } = await dragoman([...argv, ...PSEUDO], { stdin });
    expect(exitCode, stderr).toBe(0);
    if (name === 'email') expect(Buffer.from(stdout).toString()).toContain('=C3=96');
    else expect(stdout).toBe(expected);
  });

  it('is translated as PO: the catalogue keeps everything except its values', async () => {
    const header = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n';
    const { stdout, exitCode } = await dragoman(['i18n', '-', '--format', 'po', ...PSEUDO], {
      stdin: `${header}\n# a note\nmsgid "One"\nmsgstr ""\n`,
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/# a note\nmsgid "One"\nmsgstr "Öñé"\n$/);
  });

  it('is written to a given directory', async () => {
    const cwd = projectWith({});
    const argv = [
      'i18n',
      '-',
      '--format',
      'json',
      '-s',
      'en',
      '-t',
      'fr,de',
      '--engine',
      'pseudo',
      '-o',
      'out/',
    ];
    const { stdout } = await dragoman(argv, { cwd, stdin: '{"a": "One"}' });
    expect(stdout).toBe('out/messages_fr.json\nout/messages_de.json\n');
    expect(readFileSync(join(cwd, 'out/messages_de.json'), 'utf8')).toBe('{"a": "Öñé"}');
  });

  it.each([
    [['-'], 'the format of standard input is unknown', 'Name it, such as --format json.'],
    [
      ['-', 'a.json', '--format', 'json'],
      'standard input cannot be combined with files',
      'Leave out the files, or leave out -.',
    ],
  ])('is refused with an unusable path: i18n %j', async (argv, message, hint) => {
    const { exitCode, stderr } = await dragoman(['i18n', ...argv, ...PSEUDO], { stdin: '{}' });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: `error: ${message}\n  ${hint}\n` });
  });

  it('is imported into the memory, and exported again', async () => {
    const cwd = projectWith({});
    const memory = ['--memory', join(cwd, 'memory.db')];
    const csv = 'source,target\nOne,Eins\n';
    const imported = await dragoman(
      ['memory', 'import', '-', '--format', 'csv', '-s', 'en', '-t', 'de', ...memory],
      { stdin: csv },
    );
    expect(imported, imported.stderr).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^standard input: 1 added/) as string,
    });
    const exported = await dragoman(['memory', 'export', '-', '--format', 'tmx', ...memory]);
    expect(exported.stdout).toContain('<seg>Eins</seg>');
    const again = await dragoman(['memory', 'import', '-', '--format', 'tmx', ...memory], {
      stdin: exported.stdout,
    });
    expect(again.stdout).toMatch(/^standard input: 0 added, 0 replaced, 1 unchanged/);
    const nameless = await dragoman(['memory', 'import', '-', ...memory], { stdin: csv });
    expect(nameless).toMatchObject({
      exitCode: 2,
      stderr: 'error: standard input must be TMX or CSV\n  Choose with --format tmx or --format csv.\n',
    });
  });
});

describe('--format of i18n', () => {
  it('reads files in the given format, regardless of their names', async () => {
    const cwd = projectWith({ 'texts.txt': '{"a": "One"}' });
    const argv = ['i18n', 'texts.txt', '--format', 'json', ...PSEUDO, '-o', 'out'];
    expect(await dragoman(argv, { cwd })).toMatchObject({ exitCode: 0, stdout: 'out/texts_fr.txt\n' });
    expect(readFileSync(join(cwd, 'out/texts_fr.txt'), 'utf8')).toBe('{"a": "Öñé"}');
  });
});

describe('--print0', () => {
  const FILES = {
    'a\nb.json': '{"a": "One"}',
    'a.html': '<p>One</p>',
    'b.html': '<p>One</p>',
    'a.srt': '1\n00:00:01,000 --> 00:00:02,000\nOne\n',
    'mail.eml': 'Subject: One\r\n\r\nOne\r\n',
  };

  it.each<[string, readonly string[]]>([
    ['i18n a\nb.json', ['out/a\nb_fr.json']],
    ['html a.html b.html', ['out/a.fr.html', 'out/b.fr.html']],
    ['subtitles a.srt', ['out/a.fr.srt']],
    ['email mail.eml', ['out/mail.fr.eml']],
  ])('ends the paths of %j with a NUL', async (line, paths) => {
    const cwd = projectWith(FILES);
    const argv = [...line.split(' '), ...PSEUDO, '-o', 'out/', '--print0'];
    for (const more of [['--dry-run'], []]) {
      const { stdout, stderr } = await dragoman([...argv, ...more], { cwd });
      expect(stdout, stderr).toBe(paths.map((path) => `${path}\0`).join(''));
      expect(paths.every((path) => existsSync(join(cwd, path)))).toBe(more.length === 0);
    }
  });
});
