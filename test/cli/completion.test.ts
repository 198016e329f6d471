import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, homeWith, projectWith } from './harness.ts';

const BIN = join(import.meta.dirname, '../../bin/dragoman.js');

async function scriptFor(shell: string): Promise<string> {
  const { stdout, exitCode } = await dragoman(['completion', shell]);
  expect(exitCode).toBe(0);
  return stdout;
}

/** The suggestions of bash for the last word. */
async function complete(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const cwd = projectWith({ 'one.json': '{}', 'two words.json': '{}' });
  writeFileSync(join(cwd, 'completion.bash'), await scriptFor('bash'));
  const line = [BIN, ...words].map((word) => `'${word}'`).join(' ');
  const script = `. ./completion.bash; COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _dragoman; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const options = {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env },
  } as const;
  return execFileSync('bash', ['--norc', '-c', script], options)
    .split('\n')
    .filter((word) => word !== '');
}

describe('completion in bash', () => {
  it('suggests commands and subcommands', async () => {
    expect(await complete(['sy'])).toEqual(['sync']);
    expect(await complete(['jobs', ''])).toEqual(['create', 'list', 'status', 'watch', 'download', 'delete']);
    expect(await complete(['jobs', 'w'])).toEqual(['watch']);
    expect(await complete(['--vers'])).toEqual(['--version']);
  });

  it('suggests the options of the command', async () => {
    expect(await complete(['sync', '--fr'])).toEqual(['--frozen']);
    expect(await complete(['jobs', 'create', '--webhook'])).toEqual(['--webhook-url']);
    expect(await complete(['keys', 'list', '--webhook'])).toEqual([]);
  });

  it('suggests the values of options', async () => {
    expect(await complete(['sync', '-s', 'eo'])).toEqual(['eo']);
    expect(await complete(['sync', '--target', 'de,es-M'])).toEqual(['de,es-MX']);
    expect(await complete(['translate', '--engine', 'ps'])).toEqual(['pseudo']);
    expect(await complete(['subtitles', 'a.srt', '--format', 'v'])).toEqual(['vtt']);
    expect(await complete(['lint', '--output-format', 's'])).toEqual(['sarif']);
    expect(await complete(['completion', 'f'])).toEqual(['fish']);
    const home = homeWith('profiles: {staging: {baseUrl: "https://translate.example.com"}}\n');
    expect(await complete(['account', '--profile', ''], home)).toEqual(['staging']);
  });

  it('suggests files elsewhere', async () => {
    expect((await complete(['i18n', ''])).toSorted()).toEqual([
      'completion.bash',
      'one.json',
      'two words.json',
    ]);
    expect(await complete(['i18n', 'one.json', '-o', 'tw'])).toEqual(['two words.json']);
  });

  it('works with bash 3.2', async () => {
    expect(await scriptFor('bash')).not.toMatch(
      /mapfile|readarray|declare -A|local -A|\$\{\w+(?:,,|\^\^)|\|&|&>>|;;&|;&/,
    );
  });
});

describe('completion', () => {
  it.each(['zsh', 'fish'])('has descriptions and values in %s', async (shell) => {
    const script = await scriptFor(shell);
    expect(script).toContain('write nothing; exit with 8 if anything is missing, stale or extra');
    expect(script).toContain('completion --values');
    const hasShell = spawnSync(shell, ['-c', 'true']).status === 0;
    if (hasShell)
      expect(spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({
        status: 0,
        stderr: '',
      });
  });

  it('lists languages, engines, profiles and jobs, and nothing if they are unknown', async () => {
    const values = async (kind: string, env = {}): Promise<readonly string[]> => {
      const { stdout, stderr, exitCode } = await dragoman(['completion', '--values', kind], { env });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      return stdout.split('\n').filter((line) => line !== '');
    };
    expect(await values('languages')).toContain('es-MX\tSpanish (Mexico)');
    expect(await values('engines')).toContain('pseudo\tengine');
    expect(await values('profiles')).toEqual([]);
    expect(await values('jobs')).toEqual([]);
    expect(
      await values('jobs', { DRAGOMAN_BASE_URL: 'http://127.0.0.1:9', DRAGOMAN_API_KEY: 'some-key-1234' }),
    ).toEqual([]);
  });

  it('refuses other shells', async () => {
    expect(await dragoman(['completion', 'cmd'])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'error: no completion for cmd\n  Supported shells: bash, zsh, fish.\n',
    });
  });
});
