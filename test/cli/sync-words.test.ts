import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

/** Records its requests, and never answers. */
const SILENT = `require('node:readline').createInterface({ input: process.stdin }).on('line', () => {
  require('node:fs').writeFileSync(__dirname + '/asked', '');
});`;

describe('an interrupted sync', () => {
  it('does not report that everything was up to date', async () => {
    const cwd = projectWith({ 'locales/en.json': '{"a": "One"}', 'silent.cjs': SILENT });
    const controller = new AbortController();
    const engine = ['--engine', 'exec', '--engine-command', `${process.execPath} ${join(cwd, 'silent.cjs')}`];
    const running = dragoman(['sync', '-t', 'de', ...engine], { cwd, signal: controller.signal });
    await vi.waitFor(() => expect(existsSync(join(cwd, 'asked'))).toBe(true), 20_000);
    controller.abort();
    const { stdout, stderr, exitCode } = await running;
    expect({ stdout, exitCode }).toEqual({ stdout: 'de        interrupted\n', exitCode: 130 });
    expect(stderr).toContain('nothing was written\n');
    expect(stderr).not.toContain('everything is up to date');
  });
});

describe('new files that git ignores', () => {
  const initialized = (files: Readonly<Record<string, string>>): string => {
    const cwd = projectWith({ 'l10n/en.json': '{"a": "One"}', ...files });
    execFileSync('git', ['init', '--quiet'], { cwd });
    return cwd;
  };
  const sync = async (cwd: string): Promise<readonly string[]> => {
    const env = { PATH: process.env['PATH'] ?? '' };
    const argv = ['sync', '-t', 'de,fr', '--engine', 'pseudo'];
    const { exitCode, stderr } = await dragoman(argv, { cwd, env });
    expect(exitCode).toBe(0);
    return stderr.split('\n').filter((line) => line.includes('git ignores'));
  };

  it('are named once, with the rule', async () => {
    const cwd = initialized({ '.gitignore': '# built\n*.json\n!en.json\n' });
    expect(await sync(cwd)).toEqual(['git ignores l10n/de.json and 1 other new file: see .gitignore:2']);
    expect(await sync(cwd)).toEqual([]);
  });

  it('are also found by the ignore rules of the clone itself', async () => {
    const cwd = initialized({});
    writeFileSync(join(cwd, '.git/info/exclude'), 'l10n/fr.json\n');
    expect(await sync(cwd)).toEqual(['git ignores l10n/fr.json: see .git/info/exclude:1']);
  });

  it.each([
    ['no rule matches', { '.gitignore': 'dist\n' }],
    ['a later rule includes them again', { '.gitignore': '*.json\n!l10n/*.json\n' }],
  ])('are not named if %s', async (_name, files) => {
    expect(await sync(initialized(files))).toEqual([]);
  });

  it('do not end a sync if git refuses the repository', async () => {
    const cwd = initialized({ '.gitignore': '*.json\n' });
    writeFileSync(join(cwd, '.git/config'), '[core\n');
    expect(await sync(cwd)).toEqual([]);
  });
});
