import { spawnSync } from 'node:child_process';
import { realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, temporaryDirectory } from '../cli/harness.ts';
import { lineOrigins } from '../../src/git/blame.ts';
import { openRepository } from '../../src/git/repository.ts';
import {
  FILTERS,
  HOSTILE_CHECKOUTS,
  settingText,
  SPECIAL_FILES,
  unpackedArchive,
} from './hostile-checkouts.ts';
import { OCCASIONS, programSettings } from './program-settings.ts';

const PATH = process.env['PATH'] ?? '';
const CHECK = ['check', '--changed-since', 'main'];

describe.each(Object.entries(HOSTILE_CHECKOUTS))('%s', (_name, make) => {
  it('would make git run a program in the checkout', () => {
    const checkout = make(temporaryDirectory());
    spawnSync('git', ['diff', '--name-only', 'HEAD', '--'], { cwd: checkout.directory, env: { PATH } });
    expect(checkout.hasRun()).toBe(true);
  });

  it.each([
    ['in the directory', (directory: string) => ({ cwd: directory, argv: CHECK })],
    ['with its path', (directory: string) => ({ cwd: temporaryDirectory(), argv: [...CHECK, directory] })],
    [
      'with the path of a directory in it',
      (directory: string) => ({ cwd: directory, argv: [...CHECK, 'locales'] }),
    ],
    [
      'in a hook, with variables that lead git to it',
      (directory: string) => ({
        cwd: directory,
        argv: CHECK,
        env: { GIT_DIR: directory, GIT_WORK_TREE: '.' },
      }),
    ],
  ])('runs none of its programs when a check is started %s', async (_, start) => {
    const checkout = make(temporaryDirectory());
    const { cwd, argv, env } = { env: {}, ...start(checkout.directory) };
    const { exitCode, stderr } = await dragoman(argv, { cwd, env: { PATH, ...env } });
    expect(checkout.hasRun(), stderr).toBe(false);
    expect(stderr).toContain('checking 1 of 1');
    expect(exitCode).toBe(8);
  });
});

/** Commands that currently start no git. */
const OTHERS = [
  ['check'],
  ['status'],
  ['lint'],
  ['config'],
  ['doctor'],
  ['init', '--dry-run'],
  ['memory', 'import', '.', '--dry-run'],
  ['i18n', 'locales/en.json', '--target', 'fr', '--engine', 'pseudo'],
  ['sync', '--engine', 'pseudo'],
];

describe.each(Object.entries(HOSTILE_CHECKOUTS))('%s', (_name, make) => {
  it('does not run programs through other commands', async () => {
    const checkout = make(temporaryDirectory());
    for (const argv of OTHERS) {
      const { stderr } = await dragoman(argv, { cwd: checkout.directory, env: { PATH } });
      expect(checkout.hasRun(), `${argv.join(' ')}: ${stderr}`).toBe(false);
    }
  });
});

describe.each(Object.entries(HOSTILE_CHECKOUTS))('%s', (_name, make) => {
  it('does not run its programs when a command finds the commits of lines', async () => {
    const { directory, hasRun } = make(temporaryDirectory());
    const caller = { env: { PATH }, signal: new AbortController().signal };
    const top = realpathSync(directory);
    const repository = await openRepository(top, caller);
    const origins = await lineOrigins(repository, join(top, 'locales/en.json'));
    expect(origins.get('  "save": "Save"')?.id).toMatch(/^[0-9a-f]{40}$/);
    SPECIAL_FILES.fifo(join(repository.top, '.mailmap'));
    await expect(lineOrigins(repository, join(top, 'locales/en.json'))).rejects.toThrow('not a regular file');
    await repository.close();
    expect(hasRun()).toBe(false);
  });
});

describe('a setting of the checkout that names a program', () => {
  it('never has an effect', async () => {
    const checkout = unpackedArchive(temporaryDirectory());
    writeFileSync(join(checkout.directory, 'included'), FILTERS(checkout.canary));
    // Git runs hooks of these names from `core.hooksPath`.
    for (const hook of ['post-index-change', 'post-checkout', 'reference-transaction', 'fsmonitor-watchman'])
      symlinkSync('canary', join(checkout.directory, hook));
    const occasions = OCCASIONS.map(([key, value]) => settingText(key, value)).join('');
    const [ran, refused]: [string[], string[]] = [[], []];
    for (const [key, value] of programSettings(checkout)) {
      checkout.configure(settingText(key, value) + occasions);
      const { exitCode, stderr } = await dragoman(CHECK, { cwd: checkout.directory, env: { PATH } });
      if (checkout.hasRun()) ran.push(key);
      if (exitCode !== 8 || !stderr.includes('checking 1 of 1')) refused.push(key);
    }
    expect({ ran, refused }).toEqual({ ran: [], refused: [] });
  });
});
