import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { isShortage } from '../../src/store/store.ts';
import { BERND, json, stateOf, withAnna } from './key-accounts.ts';
import { dragoman, projectWith, type Result } from './harness.ts';

describe('keys create --from', () => {
  const PEOPLE =
    'email,name,credits\nanna@example.org,"Schmidt, Anna",1000\n"b,c@example.org",,\ncleo@example.org,Cleo,\n';

  it('creates all accounts of a table, and prints a table of keys', async () => {
    const cwd = projectWith({ 'people.csv': PEOPLE });
    const run = (...args: readonly string[]): Promise<Result> =>
      dragoman(['keys', ...args, '--data-dir', 'data'], { cwd });
    expect(await run('create', '--from', 'people.csv', '--credits', '50', '--dry-run')).toEqual({
      exitCode: 0,
      stdout: '3 accounts would be created, with 1,100 credits in total\n',
      stderr: '',
    });
    expect(existsSync(join(cwd, 'data'))).toBe(false);
    const made = await run('create', '--from', 'people.csv', '--credits', '50', '--expires', '30d');
    expect(made).toMatchObject({
      exitCode: 0,
      stderr: '3 accounts created. Each key is shown only this once.\n',
    });
    expect(made.stdout).toMatch(
      /^email,key\nanna@example\.org,drg_\S+\n"b,c@example\.org",drg_\S+\ncleo@example\.org,drg_\S+\n$/,
    );
    const key = /^cleo@example\.org,(.*)$/m.exec(made.stdout)?.[1] ?? '';
    expect(await stateOf(join(cwd, 'data'), key)).toBe('active');
    const { stdout } = await run('list');
    expect(stdout).toMatch(
      /anna@example\.org +Schmidt, Anna +1,000 of 1,000 credits .* valid until \d{4}-\d\d-\d\d\n/,
    );
    expect(stdout).toMatch(/b,c@example\.org +b,c@example\.org +50 of 50 credits /);
    const again = await run('create', '--from', 'people.csv');
    expect(again).toMatchObject({ exitCode: 2, stdout: '' });
    expect(again.stderr).toContain('anna@example.org already has an account');
  });

  it.each([
    ['name\nAnna\n', 'people.csv:1:1: the table has no column "email"'],
    ['email,phone\na@b.org,1\n', 'people.csv:1:1: unknown column "phone"'],
    ['email\na@b.org\nanna\n', 'people.csv:3:1: anna is not an e-mail address'],
    ['email,name\n,Anna\n', 'people.csv:2:1: no e-mail address given'],
    ['email,credits\na@b.org,many\n', 'people.csv:2:1: Expected a whole number of credits.'],
    ['email\na@b.org\n\na@b.org\n', 'people.csv:4:1: a@b.org is already on line 2'],
  ])('refuses %j, and creates nothing', async (table, message) => {
    const cwd = projectWith({ 'people.csv': table });
    const result = await dragoman(['keys', 'create', '--from', 'people.csv', '--data-dir', 'data'], { cwd });
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toContain(message);
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });
});

describe('keys that expire', () => {
  it('are listed with their expiry date, and a reset creates new ones', async () => {
    const { run, directory } = await withAnna();
    const { stdout } = await run('reset', '--expires', '12h');
    expect(await stateOf(directory, stdout.trim())).toBe('active');
    expect((await run('list')).stdout).toMatch(/ valid until \d{4}-\d\d-\d\d\n$/);
    const { keys: listed } = json(await run('list', '--json')) as {
      keys: readonly Record<string, unknown>[];
    };
    expect(listed[1]).toMatchObject({ revoked_at: null, expires_at: expect.stringMatching(/Z$/) as string });
    expect((await run('reset', '--expires', 'soon')).exitCode).toBe(2);
  });
});

describe('keys revoke on a terminal', () => {
  const asked = async (answer: string): Promise<{ result: Result; state: string }> => {
    const { directory, key } = await withAnna();
    const result = await dragoman(['keys', 'revoke', '--data-dir', directory], {
      tty: true,
      columns: 80,
      typed: answer,
    });
    return { result, state: await stateOf(directory, key) };
  };
  const QUESTION = 'Revoke all keys of anna@example.org? Requests with them are refused at once.\n  [y/N] ';

  it('asks, and keeps the keys unless the answer is yes', async () => {
    const { result, state } = await asked('\n');
    expect(result).toEqual({ exitCode: 0, stdout: '', stderr: `${QUESTION}nothing was revoked\n` });
    expect(state).toBe('active');
  });

  it('revokes after a yes', async () => {
    const { result, state } = await asked('y\n');
    expect(result.stderr).toMatch(/can no longer be used/);
    expect(state).toBe('revoked');
  });

  it('does not ask with --yes', async () => {
    const { run, directory, key } = await withAnna();
    expect((await run('revoke', '--yes')).stderr).not.toContain('[y/N]');
    expect(await stateOf(directory, key)).toBe('revoked');
  });
});

describe('keys credit for a revoked account', () => {
  it('is refused, with the command that creates a new key', async () => {
    const { run } = await withAnna();
    await run('revoke');
    expect(await run('credit', '--add', '5')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'error: anna@example.org has no valid key to spend credits with\n' +
        '  Create a new key first: dragoman keys reset --email anna@example.org\n',
    });
  });
});

describe('keys usage', () => {
  it('lists what each account was charged in a month', async () => {
    const { run, directory } = await withAnna();
    await run('create', ...BERND);
    const charge = async (email: string, amount: number, operation: string): Promise<void> => {
      const store = await openStore({ directory });
      const instance = await store.register();
      const { id } = await store.accounts.require(email);
      const held = await instance.metering.reserve(id, amount);
      if (isShortage(held)) throw new Error('too few credits');
      await held.settle(amount, { operation, reference: 'r', successful: true });
      await instance.close();
      await store.close();
    };
    await charge('bernd@example.org', 2, 'translate');
    await charge('anna@example.org', 120, 'translate');
    await charge('anna@example.org', 7, 'batch');
    const month = new Date().toISOString().slice(0, 7);
    expect(await run('usage', '--month', month)).toEqual({
      exitCode: 0,
      stderr: '',
      stdout:
        `account            credits  charged in ${month} for\n` +
        'anna@example.org   127      batch 7, translate 120\n' +
        'bernd@example.org  2        translate 2\n',
    });
    expect(json(await run('usage', '--email', 'bernd@example.org', '--json'))).toEqual({
      month,
      accounts: [
        {
          email: 'bernd@example.org',
          full_name: 'Bernd',
          credits: 2,
          charges: 1,
          operations: { translate: 2 },
        },
      ],
    });
    expect(await run('usage', '--month', '2020-01')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'No charges in 2020-01.\n',
    });
    expect((await run('usage', '--month', '2020-13')).exitCode).toBe(2);
  });
});
