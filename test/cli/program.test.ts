import { describe, expect, it } from 'vitest';
import { version } from '../../package.json';
import { isGroup, type CommandEntry } from '../../src/cli/output/command.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { dragoman } from './harness.ts';

describe('the program', () => {
  it('prints its version', async () => {
    expect(await dragoman(['--version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('prints help for itself and for every command on standard output', async () => {
    const { exitCode, stdout, stderr } = await dragoman(['--help']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const check = async (entries: readonly CommandEntry[], parents: readonly string[]): Promise<void> => {
      for (const entry of entries) {
        const path = [...parents, entry.name];
        const help = await dragoman([...path, '--help']);
        expect(help.exitCode).toBe(0);
        expect(help.stdout).toContain(`dragoman ${path.join(' ')}`);
        expect(help.stdout).toContain('--json');
        expect(help.stdout.match(/^  \$ /gm)?.length ?? 0, path.join(' ')).toBeGreaterThanOrEqual(2);
        const module = await entry.load();
        if (isGroup(module)) await check(module.commands, path);
      }
    };
    for (const { name } of COMMANDS) expect(stdout).toContain(name);
    await check(COMMANDS, []);
  });

  it.each([
    ['an unknown command', ['translte', 'x'], /translte/],
    ['an unknown option', ['translate', '--nope', 'x'], /--nope/],
    ['a missing argument', ['i18n', '-t', 'fr'], /file/],
    ['an unknown language', ['translate', 'x', '-s', 'en', '-t', 'xx'], /xx/],
    ['auto as a target', ['translate', 'x', '-t', 'auto'], /auto/],
    ['no target', ['translate', 'x'], /-t/],
    ['an unknown engine', ['translate', 'x', '-s', 'en', '-t', 'fr', '--engine', 'pseudoo'], /pseudo/],
    ['a timeout that is not a number', ['translate', 'x', '-t', 'fr', '--timeout', 'long'], /timeout/],
    ['an empty text', ['translate', '', '-s', 'en', '-t', 'fr'], /empty/],
  ])('ends with 2 for %s, in text and in JSON', async (_, argv, message) => {
    const text = await dragoman(argv);
    expect(text).toMatchObject({ exitCode: 2, stdout: '' });
    expect(text.stderr).toMatch(message);
    const json = await dragoman([...argv, '--json']);
    expect(json.exitCode).toBe(2);
    const { error } = JSON.parse(json.stdout) as { error: Record<string, unknown> };
    expect(Object.keys(error)).toEqual(['code', 'message', 'hint', 'status']);
    expect(`${String(error['message'])} ${String(error['hint'])}`).toMatch(message);
  });

  it('suggests the nearest command', async () => {
    expect((await dragoman(['translte'])).stderr).toContain('translate');
  });
});
