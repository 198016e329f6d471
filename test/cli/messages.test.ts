import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pluralize, countTable, digits } from '../../src/cli/terminal/table.ts';
import { dragoman, projectWith } from './harness.ts';

const PSEUDO = ['--engine', 'pseudo', '--no-memory'];
const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

describe('an unknown language', () => {
  it.each([
    ['xyzzy', 'error: unsupported language "xyzzy"'],
    ['spanihs', 'error: unsupported language "spanihs"; did you mean "es" (Spanish)?'],
    ['german', 'error: unsupported language "german"; did you mean "de" (German)?'],
    [
      'iti',
      'error: unsupported language "iti"; did you mean "ii" (Sichuan Yi) or "it" (Italian) or "ti" (Tigrinya)?',
    ],
  ])('is reported with the nearest ones: %s', async (code, message) => {
    const { exitCode, stderr } = await dragoman(['translate', 'Hi', '-s', 'en', '-t', code, ...PSEUDO]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `${message}\n  dragoman languages lists them.\n`,
    });
  });

  it('in a configuration is refused in the same way', async () => {
    const cwd = projectWith({ 'locales/en.json': '{}', '.dragomanrc': 'source: en\ntargets: es, xyzzy\n' });
    expect(await dragoman(['status'], { cwd })).toMatchObject({
      exitCode: 2,
      stderr: 'error: .dragomanrc:2:1: "xyzzy" is not a language code\n  dragoman languages lists them.\n',
    });
  });
});

describe('targets of a configuration', () => {
  it.each(['targets: es,fr\n', 'targets: " es , fr "\n', 'targets: [es, fr]\n'])(
    'are refused: %j',
    async (targets) => {
      const cwd = projectWith({ 'locales/en.json': '{"a": "One"}', '.dragomanrc': `source: en\n${targets}` });
      const { stdout } = await dragoman(['status', '--json'], { cwd });
      const { projects } = JSON.parse(stdout) as { projects: { languages: { language_code: string }[] }[] };
      expect(projects[0]?.languages.map(({ language_code }) => language_code)).toEqual(['es', 'fr']);
    },
  );
});

describe('sync', () => {
  it.each([
    ['plain.json', 'CWD', {}],
    ['texts/plain.json', 'texts/plain.json', { 'locales/en.json': '{"a": "One"}' }],
  ])('suggests i18n for %s, which belongs to no layout', async (name, place, others) => {
    const cwd = projectWith({ ...others, '.git/HEAD': '', [name]: '{"a": "One"}' });
    const { exitCode, stderr } = await dragoman(['sync', name, '-s', 'en', '-t', 'es', ...PSEUDO], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      `error: no localization files in the source language en found in ${place.replace('CWD', cwd)}\n  To translate this file alone: dragoman i18n ${name} -t LANGUAGE. To make it a part of the project, describe it under \`files\` in the configuration.\n`,
    );
  });

  it('describes what happened instead of printing zeros', async () => {
    const cwd = projectWith({
      'locales/en.json': '{"a": "One", "b": "Two"}',
      'locales/es.json': '{"a": "Uno"}',
    });
    const engines = { 'dragoman.config.yaml': 'source: en\ntargets: [de, es]\nengines: {en-es: [pseudo]}\n' };
    const root = projectWith({ ...engines, 'locales/en.json': '{"a": "One", "b": "Two"}' });
    const first = await dragoman(['sync', '--no-memory'], { cwd: root });
    expect(first.exitCode, first.stderr).toBe(7);
    expect(lines(first.stdout)).toEqual([
      'language  translated', //
      'de        no engine',
      'es        2',
    ]);
    const argv = ['sync', '-s', 'en', '-t', 'es', ...PSEUDO];
    expect(lines((await dragoman(argv, { cwd })).stdout)).toEqual([
      'language  translated  kept', //
      'es        1           1',
    ]);
    const empty = await dragoman(argv, { cwd: projectWith({ 'en.json': '{}' }) });
    expect(lines(empty.stdout)).toEqual(['es        nothing to do']);
    const none = await dragoman(['sync', '-t', 'de', '--no-memory'], { cwd: root });
    expect(lines(none.stdout)).toEqual(['de        no engine']);
    expect(lines(none.stderr).at(-1)).toBe('nothing was written');
  });
});

describe('status', () => {
  const FILES = {
    '.dragomanrc': 'source: en\ntargets: [de, es]\n',
    'locales/en.json': '{"a": "One", "b": "Two"}',
    'locales/es.json': '{"a": "Uno"}',
    'sub/deep/file': '',
  };

  it('covers the whole project from a subdirectory, and omits columns of zeros', async () => {
    const cwd = projectWith(FILES);
    const table = [
      'language  done  keys  translated  missing  unknown  characters  no engine',
      'de        0 %   2     0           2        0        6           2',
      'es        50 %  2     1           1        1        3           1',
    ];
    for (const directory of [cwd, join(cwd, 'sub/deep')])
      expect(lines((await dragoman(['status', '--no-memory'], { cwd: directory })).stdout)).toEqual(table);
  });

  it('counts without an engine, even a misconfigured one', async () => {
    const cwd = projectWith({ ...FILES, '.dragomanrc': 'source: en\nengine: deepl\n' });
    const { stdout, exitCode } = await dragoman(['status', '-s', 'en', '-t', 'es', '--no-memory'], { cwd });
    expect(exitCode).toBe(0);
    expect(lines(stdout)[0]).not.toContain('no engine');
    const pseudo = projectWith({ ...FILES, '.dragomanrc': 'source: en\nengine: pseudo\n' });
    const served = await dragoman(['status', '-s', 'en', '-t', 'es', '--no-memory'], { cwd: pseudo });
    expect(lines(served.stdout)[0]).not.toContain('no engine');
  });

  it('fits into the terminal, and into 80 columns elsewhere', async () => {
    const cwd = projectWith(FILES);
    const { stdout } = await dragoman(['status', '--no-memory'], { cwd, tty: true, columns: 50 });
    expect(lines(stdout)).toEqual([
      'language  done  keys  translated  missing  unknown',
      'de        0 %   2     0           2        0',
      'es        50 %  2     1           1        1',
      'language  characters  no engine',
      'de        6           2',
      'es        3           1',
    ]);
  });
});

describe('a table of counts', () => {
  const row = fc.record({
    label: fc.stringMatching(/^[a-z]{2}(-[A-Z]{2})?$/),
    cells: fc.array(fc.oneof(fc.constant(0), fc.nat()), { minLength: 6, maxLength: 6 }),
    note: fc.option(fc.constant('no engine'), { nil: undefined }),
  });

  it('has every non-zero number once, and no overlong line', () => {
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 30, max: 120 }),
        (rows, width) => {
          const shown = countTable(['language', 'a', 'b', 'c', 'd', 'e', 'f'], rows, width);
          for (const line of shown) expect(line.length).toBeLessThanOrEqual(width);
          const numbers = shown
            .flatMap((line) => line.split(/ +/).slice(1))
            .filter((word) => /^[\d,]+$/.test(word));
          const wanted = rows.filter(({ note }) => note === undefined).flatMap(({ cells }) => cells);
          const isCount = (word: string): boolean => word !== '0';
          expect(numbers.filter(isCount).toSorted()).toEqual(wanted.map(digits).filter(isCount).toSorted());
          expect(shown.filter((line) => line.endsWith('no engine'))).toHaveLength(
            rows.filter(({ note }) => note !== undefined).length,
          );
        },
      ),
    );
  });

  it('formats all numbers the same way', () => {
    expect([0, 999, 1000, 1234567].map(digits)).toEqual(['0', '999', '1,000', '1,234,567']);
    expect([pluralize(1, 'entry', 'entries'), pluralize(2000, 'entry', 'entries')]).toEqual([
      '1 entry',
      '2,000 entries',
    ]);
  });
});

describe('paths', () => {
  it('are relative to the current directory', async () => {
    const cwd = projectWith({
      '.dragomanrc': 'source: en\ntargets: [de]\n',
      'locales/en.json': '{"a": "One"}',
      'sub/plain.json': '{"a": "One"}',
    });
    const sub = join(cwd, 'sub');
    const check = await dragoman(['check'], { cwd: sub });
    expect(check.stdout).toBe('../locales/en.json:1:7: error: missing: a has no translation (de)\n');
    const i18n = ['i18n', 'plain.json', '-s', 'en', '-t', 'es', ...PSEUDO];
    expect((await dragoman(i18n, { cwd: sub })).stdout).toBe('plain_es.json\n');
    expect((await dragoman(i18n, { cwd: sub })).stderr).toContain('error: plain_es.json already exists\n');
    const missing = await dragoman(['i18n', 'nope.json', '-s', 'en', '-t', 'es'], { cwd: sub });
    expect(missing.stderr).toContain('cannot read nope.json: there is no such file');
    const { stdout } = await dragoman([...i18n, '--json', '--force'], { cwd: sub });
    expect(stdout).toContain(JSON.stringify(join(sub, 'plain_es.json')));
  });
});

describe('an existing file', () => {
  it('is replaced only with --force, even in a dry run', async () => {
    const cwd = projectWith({ 'm.properties': 'a=One\n', 'm_fr.properties': 'a=Un\n' });
    const i18n = (...more: readonly string[]): ReturnType<typeof dragoman> =>
      dragoman(['i18n', 'm.properties', '-s', 'en', '-t', 'fr', ...PSEUDO, ...more], { cwd });
    const refused = {
      exitCode: 2,
      stderr:
        'error: m_fr.properties already exists\n  Replace it with --force, leave it alone with --skip-existing, or name another place with -o.\n',
    };
    expect(await i18n()).toMatchObject(refused);
    expect(await i18n('--dry-run')).toMatchObject(refused);
    expect(await i18n('--dry-run', '--force')).toEqual({
      exitCode: 0,
      stdout: 'm_fr.properties\n',
      stderr: 'would write 1 translation: 1 text, 3 characters\n',
    });
    expect(await i18n('--force')).toEqual({ exitCode: 0, stdout: 'm_fr.properties\n', stderr: '' });
  });
});

describe('colours', () => {
  const [red, yellow, green, off] = ['\u001b[31m', '\u001b[33m', '\u001b[32m', '\u001b[39m'];
  const FILES = {
    'package.json': '{"dependencies": {"vue-i18n": "^11"}}',
    'locales/en.json': '{"a": "{x} %s"}',
    'locales/es.json': '{"a": "{y}"}',
  };
  const lint = ['lint', '-s', 'en'];

  it('mark errors, warnings and success', async () => {
    const cwd = projectWith(FILES);
    const env = { FORCE_COLOR: '1' };
    const { stdout } = await dragoman(lint, { cwd, env });
    expect(stdout).toContain(`locales/es.json:1:7: ${red}error:${off} placeholder`);
    const passed = await dragoman(['lint', '-s', 'en'], {
      cwd: projectWith({ 'locales/en.json': '{}' }),
      env,
    });
    expect(passed.stderr).toBe(`${green}no findings${off}\n`);
    const usage = await dragoman(['lint', '--nonsense'], { env });
    expect(usage.stderr).toContain(`${red}error:${off} unknown option "--nonsense"\n`);
    const movie = '1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\nnonsense --> x\nTwo\n';
    const subtitles = await dragoman(['subtitles', 'a.srt', '--format', 'vtt'], {
      cwd: projectWith({ 'a.srt': movie }),
      env,
    });
    expect(subtitles.stderr).toContain(`a.srt:5:1: ${yellow}warning:${off} `);
  });

  it.each([
    [{}, false, false],
    [{}, true, true],
    [{ NO_COLOR: '1' }, true, false],
    [{ TERM: 'dumb' }, true, false],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
  ] as const)('with %j on a terminal: %s', async (env, tty, isColoured) => {
    const { stdout, stderr } = await dragoman(lint, { cwd: projectWith(FILES), env, tty });
    expect((stdout + stderr).includes('\u001b[')).toBe(isColoured);
  });
});

describe('check', () => {
  it('names the command for missing and stale translations', async () => {
    const cwd = projectWith({ 'locales/en.json': '{"a": "One"}', 'locales/es.json': '{}' });
    const check = (): ReturnType<typeof dragoman> => dragoman(['check', '-s', 'en', '-t', 'es'], { cwd });
    expect(await check()).toMatchObject({
      exitCode: 8,
      stdout: 'locales/en.json:1:7: error: missing: a has no translation (es)\n',
      stderr:
        'es: 0 % of 1 key translated, 1 missing\ndragoman sync translates missing and stale texts\ncheck failed\n',
    });
    await dragoman(['sync', '-s', 'en', '-t', 'es', ...PSEUDO], { cwd });
    expect(await check()).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: 'es: 100 % of 1 key translated, no findings\ncheck passed\n',
    });
  });
});

describe('a command’s output on stderr', () => {
  it('is labelled', async () => {
    const cwd = projectWith({ 'locales/en.json': '{"a": "One"}', 'locales/es.json': '{"a": "Uno"}' });
    const status = ['status', '-s', 'en', '-t', 'es', '--no-memory'];
    expect((await dragoman([...status, '--badge', 'out.svg'], { cwd })).stderr).toMatch(
      /^badge written to out\.svg\n/,
    );
    expect((await dragoman([...status, '--report', 'out.html'], { cwd })).stderr).toMatch(
      /^report written to out\.html\n/,
    );
  });

  it('does not mention translation when subtitles are converted', async () => {
    const cue = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';
    const cwd = projectWith({ 'a.srt': cue, 'b.srt': cue });
    const convert = ['subtitles', 'a.srt', 'b.srt', '--format', 'vtt', '-o', 'out', '--dry-run'];
    const of = (...more: readonly string[]): ReturnType<typeof dragoman> =>
      dragoman([...convert, ...more, ...PSEUDO.slice(0, 2)], { cwd });
    expect((await of()).stderr).toBe('would write 2 converted files\n');
    expect((await of('-s', 'en', '-t', 'es')).stderr).toBe(
      'would write 2 translations: 2 texts, 10 characters\n',
    );
  });
});
