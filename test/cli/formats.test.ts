import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_FORMATS } from '../../src/formats/registry.ts';
import { withFormatPrograms } from '../../src/plugins/format-programs.ts';
import { pairsCommand } from '../plugins/pairs-program.mjs';
import { dragoman, homeWith, projectWith } from './harness.ts';

const EN = '# Menu\nmenu.open="Open %s"\nmenu.größe="Größe \\"x\\""\n\nmenu.quit="Quit"\n';
const FORMAT = ['--format-command', `pairs=${pairsCommand()}`];
const PSEUDO = ['--engine', 'pseudo', '--no-memory'];

const read = (root: string, name: string): string => readFileSync(join(root, name), 'utf8');

describe('a custom format', () => {
  it('is translated by i18n, wherever it is configured', async () => {
    const named = [
      { argv: FORMAT, env: {} },
      { argv: [], env: { DRAGOMAN_FORMAT_COMMAND: `other=cat\npairs=${pairsCommand()}` } },
      {
        argv: [],
        env: homeWith(
          `formats:\n  mine:\n    command: ${JSON.stringify(pairsCommand())}\n    extensions: [pairs]\n`,
        ),
      },
    ];
    for (const { argv, env } of named) {
      const cwd = projectWith({ 'en.pairs': EN });
      const { exitCode, stderr } = await dragoman(
        ['i18n', 'en.pairs', '-s', 'en', '-t', 'fr', ...PSEUDO, ...argv],
        { cwd, env },
      );
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
      expect(read(cwd, 'en_fr.pairs')).toBe(
        '# Menu\nmenu.open="Öþéñ %s"\nmenu.größe="Ĝŕößé \\"ẋ\\""\n\nmenu.quit="Ǫûîţ"\n',
      );
    }
  });

  it('is read from standard input by its name', async () => {
    const { exitCode, stdout } = await dragoman(
      ['i18n', '-', '--format', 'pairs', '-s', 'en', '-t', 'fr', ...PSEUDO, ...FORMAT],
      { stdin: 'a="Quit"' },
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'a="Ǫûîţ"' });
    const unknown = await dragoman(['i18n', '-', '--format', 'pears', '-s', 'en', '-t', 'fr', ...FORMAT]);
    expect(unknown).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/unknown format "pears"\n.*yaml.*, pairs\./),
    });
  });

  it('is kept up to date by sync, and included in status, check and lint', async () => {
    const cwd = projectWith({
      '.git/HEAD': '',
      'lang/en.pairs': EN,
      'lang/fr.pairs': 'menu.quit = no pair\n# mine\nmenu.quit="Quitter"\n',
    });
    const run = (...argv: readonly string[]) => dragoman([...argv, ...FORMAT], { cwd });
    expect(await run('status', '-s', 'en', '-t', 'fr', '--json')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('"missing": 2'),
    });
    expect((await run('check', '-s', 'en', '-t', 'fr')).exitCode).toBe(8);
    expect(await run('sync', '-s', 'en', '-t', 'fr,de', ...PSEUDO)).toMatchObject({ exitCode: 0 });
    const french =
      'menu.quit = no pair\n# mine\nmenu.open="Öþéñ %s"\nmenu.größe="Ĝŕößé \\"ẋ\\""\nmenu.quit="Quitter"\n';
    expect(read(cwd, 'lang/fr.pairs')).toBe(french);
    expect(read(cwd, 'lang/de.pairs')).toContain('# Menu\nmenu.open="Öþéñ %s"\n');
    const again = await run('sync', ...PSEUDO);
    expect(again).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('everything is up to date'),
    });
    expect((await run('check')).exitCode).toBe(0);
    const pruned = projectFilesWithout(cwd, 'menu.open');
    expect(await run('sync', ...PSEUDO, '--prune', '--yes')).toMatchObject({ exitCode: 0 });
    expect(read(cwd, 'lang/fr.pairs')).toBe(french.replace('menu.open="Öþéñ %s"\n', ''));
    expect(pruned).not.toContain('menu.open');
    expect(await run('lint')).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('no findings') });
  });

  it('gets no new entries if its program reports no entries, and the keys are reported', async () => {
    const cwd = projectWith({
      '.git/HEAD': '',
      'lang/en.pairs': EN,
      'lang/fr.pairs': 'menu.quit="Quitter"\n',
    });
    const argv = ['--format-command', `pairs=${pairsCommand('entryless')}`];
    const { exitCode, stderr } = await dragoman(['sync', '-s', 'en', '-t', 'fr', ...PSEUDO, ...argv], {
      cwd,
    });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 7,
      stderr: expect.stringMatching(/menu\.open.*\n.*menu\.größe/),
    });
    expect(read(cwd, 'lang/fr.pairs')).toBe('menu.quit="Quitter"\n');
  });

  it.each([
    [
      'crash',
      'a="!!"',
      /en\.pairs:1:1: the program of the format pairs ended with exit code 1 \(stderr: \\u\{1b\}\[31mnothing was said of \\u\{0\} this/,
    ],
    ['none', 'a="x"\nb="!!"', /en\.pairs:2:4: two exclamation marks/],
    ['outside', EN, /en\.pairs:1:1: the answer of the format’s program names \[0, 75\) as slots\[0\]/],
  ] as const)('stays unchanged if its program does not read a file: %s', async (fault, text, message) => {
    const cwd = projectWith({ 'en.pairs': text });
    const argv = ['--format-command', `pairs=${pairsCommand(fault)}`];
    const { exitCode, stdout, stderr } = await dragoman(
      ['i18n', 'en.pairs', '-s', 'en', '-t', 'fr', ...PSEUDO, ...argv],
      { cwd },
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('\u001b');
    expect(existsSync(join(cwd, 'en_fr.pairs'))).toBe(false);
  });

  it.each(['swallows', 'unescaped'] as const)(
    'keeps values that its program would write incorrectly: %s',
    async (fault) => {
      const cwd = projectWith({ 'en.pairs': EN });
      const argv = ['--format-command', `pairs=${pairsCommand(fault)}`];
      const { exitCode, stderr } = await dragoman(
        ['i18n', 'en.pairs', '-s', 'en', '-t', 'fr', ...PSEUDO, ...argv],
        { cwd },
      );
      expect({ exitCode, stderr }).toEqual({
        exitCode: 7,
        stderr: expect.stringContaining('keeps its source text'),
      });
      expect(read(cwd, 'en_fr.pairs')).toContain('menu.größe="Größe \\"x\\""\n');
    },
  );

  it.each([
    ['json=cat', /the format "json" already exists/],
    ['po2 =cat', /"po2" has the extension/],
    ['=cat', /--format-command does not name a format: "=cat"/],
    ['cat', /does not name a format/],
    ['A.b=cat', /the format "A\.b" has an invalid name/],
    ['x= ', /"x" has no command line/],
  ])('is refused as %s', async (argument, message) => {
    if (argument.startsWith('po2')) {
      const env = homeWith('formats:\n  po2:\n    command: cat\n    extensions: [po]\n');
      expect(await dragoman(['lint', 'x.po'], { env })).toMatchObject({
        exitCode: 2,
        stderr: expect.stringMatching(message),
      });
      return;
    }
    const { exitCode, stderr } = await dragoman(['lint', 'x.json', '--format-command', argument]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringMatching(message) });
  });
});

function projectFilesWithout(cwd: string, key: string): string {
  const text = read(cwd, 'lang/en.pairs').replace(new RegExp(`^${key}=.*\n`, 'm'), '');
  writeFileSync(join(cwd, 'lang/en.pairs'), text);
  return text;
}

describe('programs of two commands in one process', () => {
  const describedAs = (name: string) => ({ name, command: pairsCommand(), extensions: [name] });

  it('read only the files of their own command', async () => {
    const known = await withFormatPrograms([describedAs('one')], (one) =>
      withFormatPrograms([describedAs('two')], (two) =>
        Promise.resolve(
          [one, two, BUILT_IN_FORMATS].map((formats) => [
            formats.ofPath('en.one')?.id,
            formats.ofPath('en.two')?.id,
            formats.ofPath('en.json')?.id,
          ]),
        ),
      ),
    );
    expect(known).toEqual([
      ['one', undefined, 'json'],
      [undefined, 'two', 'json'],
      [undefined, undefined, 'json'],
    ]);
  });
});

describe('formats list', () => {
  it('lists every format, including custom ones', async () => {
    const { stdout } = await dragoman(['formats', 'list', ...FORMAT]);
    expect(stdout).toMatch(/^json +\.json \.jsonc \.arb +JSON$/m);
    expect(stdout).toMatch(/^pairs +\.pairs +your own program$/m);
    const { formats } = JSON.parse((await dragoman(['formats', 'list', '--json'])).stdout) as {
      formats: object[];
    };
    expect(formats).toContainEqual({ id: 'ini', title: 'INI', extensions: ['ini'], program: false });
  });
});

describe('formats check', () => {
  it('reports the promises that it could not test if a program does not answer', async () => {
    const cwd = projectWith({ 'en.pairs': EN });
    const { exitCode, stdout } = await dragoman(
      ['formats', 'check', 'cat /nowhere', 'en.pairs', '--trials', '1'],
      {
        cwd,
      },
    );
    expect(exitCode).toBe(8);
    expect(stdout).toMatch(/^problem: reads each file/);
    for (const promise of ['writes every value', 'writes any other value', 'changes locale names'])
      expect(stdout).toContain(`warning: not tried: ${promise}`);
    expect(stdout).not.toContain('ok:');
  });

  const check = (fault: Parameters<typeof pairsCommand>[0], ...argv: readonly string[]) =>
    dragoman(['formats', 'check', pairsCommand(fault), 'a.pairs', 'b.pairs', ...argv], {
      cwd: projectWith({ 'a.pairs': EN, 'b.pairs': 'x="\\\\"\r\ny=""\r\n' }),
    });

  it('finds nothing in a correct program', async () => {
    const { exitCode, stdout } = await check('none', '--trials', '150');
    expect(stdout.split('\n').filter((line) => !line.startsWith('ok: '))).toEqual(['']);
    expect(exitCode).toBe(0);
  });

  it('stops between two files when it is interrupted', async () => {
    const argv = ['formats', 'check', pairsCommand(), 'a.pairs', '--trials', '100000'];
    const signal = AbortSignal.timeout(500);
    const { exitCode, stdout } = await dragoman(argv, { cwd: projectWith({ 'a.pairs': EN }), signal });
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
  });

  it.each([
    ['characters', 'keeps', /a\.pairs/],
    ['random', 'reads', /reading it again gives a different result/],
    ['unescaped', 'keeps', /a\.pairs:3:13: \["menu","größe"\] reads|different slots|reads/],
    ['swallows', 'keeps', /a\.pairs/],
    ['crash', 'withstands', /ended with exit code 1 \(stderr: /],
    ['halved', 'edits', /a\.pairs/],
  ] as const)('names the broken promise of a program: %s', async (fault, promise, problem) => {
    const { exitCode, stdout } = await check(fault, '--json', '--trials', fault === 'crash' ? '400' : '1');
    const { broken } = JSON.parse(stdout) as {
      broken: { promise: string; problem: string; path: string; at?: object }[];
    };
    expect(exitCode).toBe(8);
    const found = broken.filter((one) => one.promise === promise).map((one) => `${one.path}: ${one.problem}`);
    expect(found.join('\n')).toMatch(problem);
  });
});
