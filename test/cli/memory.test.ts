import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTranslationMemory } from '../../src/memory/translation-memory.ts';
import { entryOf, EN_DE, EN_ES } from '../memory/harness.ts';
import { dragoman, projectWith, temporaryDirectory, type Result } from './harness.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A memory with five entries: three by engines into Spanish, one by a person into each language. */
async function memoryIn(path: string): Promise<void> {
  let now = Date.now() - 40 * DAY_MS;
  const memory = await openTranslationMemory(path, { now: () => now });
  await memory.store([entryOf('One', 'Uno'), entryOf('Two', 'Dos', { engine: 'deepl' })], EN_ES);
  now += 30 * DAY_MS;
  await memory.store([entryOf('Three', 'Tres'), entryOf('Four', 'Cuatro', { origin: 'human' })], EN_ES);
  await memory.store([entryOf('One', 'Eins', { origin: 'human' })], EN_DE);
  await memory.close();
}

const parse = ({ stdout }: Result): unknown => JSON.parse(stdout);

describe('dragoman memory stats', () => {
  it('shows the contents of a memory', async () => {
    const cwd = temporaryDirectory();
    await memoryIn(join(cwd, 'team.db'));
    const text = await dragoman(['memory', 'stats', '--memory', 'team.db'], { cwd });
    expect(text).toMatchObject({
      exitCode: 0,
      stdout: [
        'en → es  4 entries  1 human  3 machine  (apertium 2, deepl 1)',
        'en → de  1 entry    1 human  0 machine',
        '',
      ].join('\n'),
    });
    expect(text.stderr).toMatch(/team\.db: 5 entries, \d+ kB\nlast used between \d{4}-\d\d-\d\d and /);
    const json = await dragoman(['memory', 'stats', '--memory', 'team.db', '--json'], { cwd });
    expect(json.stderr).toBe('');
    expect(parse(json)).toMatchObject({
      path: join(cwd, 'team.db'),
      entries: 5,
      messages: 4,
      oldest_use: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
      pairs: [{ source: 'en', target: 'es', human: 1, machine: 3 }, { target: 'de' }],
    });
  });

  it('does not create a memory', async () => {
    const cache = temporaryDirectory();
    const result = await dragoman(['memory', 'stats', '--json'], { env: { XDG_CACHE_HOME: cache } });
    const path = join(cache, 'dragoman', 'memory.db');
    expect(parse(result)).toEqual({
      path,
      bytes: 0,
      entries: 0,
      messages: 0,
      pairs: [],
      projects: [],
      oldest_use: null,
      newest_use: null,
    });
    expect(existsSync(path)).toBe(false);
    const named = await dragoman(['memory', 'stats', '--memory', 'typo.db']);
    expect(named).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/no translation memory .*typo\.db/),
    });
  });

  it('reports a file that is not a memory', async () => {
    const cwd = projectWith({ 'a.db': 'something else, that is long enough'.repeat(100) });
    const result = await dragoman(['memory', 'stats', '--memory', 'a.db'], { cwd });
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toMatch(/a\.db: it is not an SQLite database\n.*--memory/);
  });
});

describe('dragoman memory prune', () => {
  it.each([
    ['--unused-for 20', 2, 3],
    ['--unused-for 365', 0, 5],
    ['--engine deepl', 1, 4],
    ['--source en --target es', 3, 2],
    ['-t de', 0, 5],
    ['-t de,es --origin human', 2, 3],
    ['--origin machine', 3, 2],
    ['--keep 1', 2, 3],
  ])('%s', async (flags, removed, left) => {
    const cwd = temporaryDirectory();
    const path = join(cwd, 'memory.db');
    await memoryIn(path);
    const prune = (...more: readonly string[]): Promise<Result> =>
      dragoman(['memory', 'prune', ...flags.split(' '), ...more], { cwd, env: { DRAGOMAN_MEMORY: path } });
    const entries = removed === 1 ? '1 entry' : `${removed} entries`;
    expect(await prune('--dry-run')).toMatchObject({ exitCode: 0, stdout: `${entries} would be removed\n` });
    expect(parse(await prune('--dry-run', '--json'))).toEqual({ removed: 0, entries: removed });
    expect(parse(await prune('--json'))).toEqual({ removed, entries: removed });
    expect(await prune()).toMatchObject({ stdout: '0 entries removed\n' });
    const memory = await openTranslationMemory(path);
    expect((await memory.stats()).entries).toBe(left);
    await memory.close();
  });

  it.each([
    [[], /no translations selected/],
    [['--unused-for', 'x'], /whole number/],
    [['--unused-for', '-1'], /whole number/],
    [['--origin', 'nobody'], /human, machine/],
    [['-t', 'xyzzy'], /xyzzy/],
  ])('refuses %j', async (flags, message) => {
    const result = await dragoman(['memory', 'prune', ...flags]);
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toMatch(message);
  });
});

describe('the memory of a command', () => {
  const pathOf = async (cwd: string, env: Record<string, string>, flags: string[] = []): Promise<unknown> => {
    const result = await dragoman(['memory', 'stats', '--json', ...flags], { cwd, env });
    return result.exitCode === 0 ? (parse(result) as { path: string }).path : result.stderr + result.stdout;
  };

  it('comes from the flag, the variable, the project or the user, otherwise from the cache', async () => {
    const cwd = projectWith({ 'dragoman.config.yaml': 'memory: tm/team.db\n', 'sub/file': '', 'x.db': '' });
    const [config, cache] = [
      projectWith({ 'dragoman/config.yaml': 'memory: ../mine.db\n' }),
      temporaryDirectory(),
    ];
    const env = { XDG_CONFIG_HOME: config, XDG_CACHE_HOME: cache, DRAGOMAN_MEMORY: 'env.db' };
    expect(await pathOf(cwd, env, ['--memory', 'x.db'])).toBe(join(cwd, 'x.db'));
    expect(await pathOf(cwd, env)).toBe(join(cwd, 'env.db'));
    expect(await pathOf(join(cwd, 'sub'), { ...env, DRAGOMAN_MEMORY: '' })).toBe(join(cwd, 'tm', 'team.db'));
    const elsewhere = projectWith({ '.git/HEAD': '' });
    expect(await pathOf(elsewhere, { ...env, DRAGOMAN_MEMORY: '' })).toBe(join(config, 'mine.db'));
    expect(await pathOf(elsewhere, { XDG_CACHE_HOME: cache })).toBe(join(cache, 'dragoman', 'memory.db'));
  });

  it('can be turned off', async () => {
    const cwd = projectWith({ 'dragoman.config.yaml': 'memory: off\n', '.git/HEAD': '' });
    for (const [directory, env] of [
      [cwd, {}],
      [temporaryDirectory(), { DRAGOMAN_MEMORY: 'off' }],
    ] as const) {
      expect(await pathOf(directory, env)).toMatch(/"code": "usage"/);
    }
  });

  it('of a project cannot be outside of it', async () => {
    const cwd = projectWith({ 'dragoman.config.yaml': 'memory: ../team.db\n' });
    expect(await pathOf(cwd, {})).toMatch(/dragoman\.config\.yaml:1:1: .*leads out/);
    const linked = projectWith({ 'dragoman.config.yaml': 'memory: link/team.db\n' });
    symlinkSync(temporaryDirectory(), join(linked, 'link'));
    expect(await pathOf(linked, {})).toMatch(/leads out of/);
  });

  it('is shown among the settings', async () => {
    const cwd = projectWith({ 'dragoman.config.yaml': '\nmemory: team.db\n' });
    const { stdout } = await dragoman(['config'], { cwd });
    expect(stdout).toMatch(/^memory +\/.*team\.db +from .*dragoman\.config\.yaml:2$/m);
  });
});
