import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { dataDirectory } from '../../src/base/user-directories.ts';
import { keys } from '../../src/cli/commands/keys.ts';
import { openStore } from '../../src/store/open-store.ts';
import { isShortage } from '../../src/store/store.ts';
import { ANNA, BERND, inDirectory, json, stateOf, withAnna } from './key-accounts.ts';
import { dragoman, temporaryDirectory } from './harness.ts';
describe('dragoman keys', () => {
  it('has two examples in the help of each of its commands', async () => {
    for (const { name } of keys.commands) {
      expect((await dragoman(['keys', '--help'])).stdout).toContain(`\n  ${name} `);
      const help = await dragoman(['keys', name, '--help']);
      expect(help).toMatchObject({ exitCode: 0, stderr: '' });
      expect(help.stdout).toContain(`dragoman keys ${name}`);
      expect(help.stdout.match(/^  \$ /gm) ?? [], name).toHaveLength(2);
    }
  });

  it('prints its help and ends with 2 without a subcommand, or with an unknown one', async () => {
    const none = await dragoman(['keys']);
    expect(none).toMatchObject({ exitCode: 2, stdout: '' });
    expect(none.stderr).toContain('webhook-secret');
    const unknown = await dragoman(['keys', 'crate']);
    expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
    expect(unknown.stderr).toContain('create');
  });
});

describe('keys create', () => {
  it('prints only the key, and a note on stderr that it is shown once', async () => {
    const directory = join(temporaryDirectory(), 'data');
    const { exitCode, stdout, stderr } = await inDirectory(directory)('create', ...ANNA);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^drg_[A-Za-z0-9_-]{43}\n$/);
    expect(stderr).toMatch(/X-API-KEY.*only this once/);
    expect(stderr).not.toContain(stdout.trim());
    expect(await stateOf(directory, stdout.trim())).toBe('active');
    if (process.platform !== 'win32') {
      expect(statSync(directory).mode & 0o777).toBe(0o700);
      expect(statSync(join(directory, 'dragoman.db')).mode & 0o777).toBe(0o600);
    }
  });

  it('prints one document with --json, and nothing else', async () => {
    const directory = temporaryDirectory();
    const result = await inDirectory(directory)('create', ...ANNA, '--json');
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(json(result)).toEqual({
      key: expect.stringMatching(/^drg_/) as string,
      email: 'anna@example.org',
      credits: 1000,
    });
  });

  it('refuses an address that already has an account', async () => {
    const { run } = await withAnna();
    const again = await run('create', ...ANNA);
    expect(again).toMatchObject({ exitCode: 2, stdout: '' });
    expect(again.stderr).toMatch(/anna@example\.org already has an account.*\n.*keys reset/);
    expect(json(await run('create', ...ANNA, '--json'))).toMatchObject({ error: { code: 'usage' } });
  });

  it.each([
    ['no address', ['--name', 'Anna']],
    ['an invalid address', ['--email', 'anna', '--name', 'Anna']],
    ['an address with control characters', ['--email', 'a\u001b[2J@b.org']],
    ['an empty name', ['--email', 'a@b.org', '--name', ' ']],
    ['a name of several lines', ['--email', 'a@b.org', '--name', 'A\nB']],
    ['negative credits', ['--email', 'a@b.org', '--credits', '-1']],
    ['half a credit', ['--email', 'a@b.org', '--credits', '0.5']],
    ['credits in words', ['--email', 'a@b.org', '--credits', 'many']],
    ['more credits than can be counted', ['--email', 'a@b.org', '--credits', '9007199254740993']],
  ])('ends with 2 for %s, and creates nothing', async (_, args) => {
    const directory = join(temporaryDirectory(), 'data');
    for (const format of [[], ['--json']]) {
      const { exitCode } = await inDirectory(directory)('create', ...args, ...format);
      expect(exitCode).toBe(2);
    }
    expect(existsSync(directory)).toBe(false);
  });
});

describe('keys list', () => {
  it('shows owners and balances, and never a key', async () => {
    const { run, key } = await withAnna();
    const second = (await run('reset')).stdout.trim();
    await run('create', ...BERND);
    const { exitCode, stdout } = await run('list');
    expect(exitCode).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain(`${key.slice(0, 10)}…`);
    expect(lines[0]).toMatch(
      /anna@example\.org +Anna Schmidt +1,000 of 1,000 credits .* revoked \d{4}-\d\d-\d\d$/,
    );
    expect(lines[1]).toMatch(/anna@example\.org .* valid$/);
    expect(lines[2]).toMatch(/bernd@example\.org +Bernd +5 of 5 credits .* valid$/);
    const document = await run('list', '--json', '--email', 'anna@example.org');
    const row = {
      email: 'anna@example.org',
      full_name: 'Anna Schmidt',
      total_credits: 1000,
      credits_remaining: 1000,
      created_at: expect.stringMatching(/Z$/) as string,
    };
    expect(json(document)).toEqual({
      keys: [
        {
          ...row,
          prefix: key.slice(0, 10),
          revoked_at: expect.stringMatching(/Z$/) as string,
          expires_at: null,
        },
        { ...row, prefix: second.slice(0, 10), revoked_at: null, expires_at: null },
      ],
    });
    for (const secret of [key, second]) {
      expect(stdout + document.stdout).not.toContain(secret.slice(0, 12));
    }
  });

  it('does not create a missing store; only create does', async () => {
    const directory = join(temporaryDirectory(), 'data');
    const run = inDirectory(directory);
    for (const args of [['list'], ['reset'], ['revoke'], ['credit', '--add', '1'], ['webhook-secret']]) {
      const { exitCode, stderr } = await run(args[0]!, ...args.slice(1));
      expect(exitCode).toBe(1);
      expect(stderr).toContain(directory);
    }
    expect(existsSync(directory)).toBe(false);
  });

  it('for a store without accounts prints nothing, with a note on stderr', async () => {
    const directory = temporaryDirectory();
    await (await openStore({ directory })).close();
    const run = inDirectory(directory);
    expect(await run('list')).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: expect.stringMatching(/create/),
    });
    expect(json(await run('list', '--json'))).toEqual({ keys: [] });
    expect(await run('reset')).toMatchObject({ exitCode: 1, stdout: '' });
  });
});

describe('keys reset and revoke', () => {
  it('print only the new key, and invalidate the old one immediately', async () => {
    const { run, directory, key } = await withAnna();
    const { exitCode, stdout, stderr } = await run('reset', '--email', 'anna@example.org');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^drg_[A-Za-z0-9_-]{43}\n$/);
    expect(stderr).toContain('X-API-KEY');
    expect(await stateOf(directory, key)).toBe('revoked');
    expect(await stateOf(directory, stdout.trim())).toBe('active');
    const document = json(await run('reset', '--json')) as { key: string };
    expect(document).toEqual({ key: expect.stringMatching(/^drg_/) as string, email: 'anna@example.org' });
    expect(await stateOf(directory, stdout.trim())).toBe('revoked');
    expect(await stateOf(directory, document.key)).toBe('active');
  });

  it('revoke all keys, and a reset creates a new one', async () => {
    const { run, directory, key } = await withAnna();
    expect(await run('revoke')).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: expect.stringMatching(/reset/),
    });
    expect(await stateOf(directory, key)).toBe('revoked');
    expect(json(await run('revoke', '--json'))).toEqual({ email: 'anna@example.org', revoked: 0 });
    expect((await run('revoke')).stderr).toContain('no valid key');
    expect(await stateOf(directory, (await run('reset')).stdout.trim())).toBe('active');
  });

  it('require the account if there are several', async () => {
    const { run, key, directory } = await withAnna();
    await run('create', ...BERND);
    for (const args of [['reset'], ['revoke'], ['credit', '--add', '1'], ['webhook-secret']]) {
      const { exitCode, stderr, stdout } = await run(args[0]!, ...args.slice(1));
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toContain('--email');
    }
    expect(await stateOf(directory, key)).toBe('active');
  });

  it('end with 1 for an unknown address, and suggest the nearest one', async () => {
    const { run } = await withAnna();
    for (const args of [['reset'], ['revoke'], ['credit', '--add', '1'], ['webhook-secret'], ['list']]) {
      const [command = '', ...rest] = args;
      const { exitCode, stderr, stdout } = await run(command, ...rest, '--email', 'ana@example.org');
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr).toContain('Did you mean anna@example.org?');
      const document = json(await run(command, ...rest, '--email', 'ana@example.org', '--json'));
      expect(document).toMatchObject({ error: { code: 'not_found' } });
    }
  });
});

describe('keys credit', () => {
  it('adds to the balance, including credits reserved by a running server', async () => {
    const { run, directory } = await withAnna();
    const store = await openStore({ directory });
    const instance = await store.register();
    const id = (await store.accounts.list())[0]?.id ?? '';
    const reservation = await instance.metering.reserve(id, 30);
    const { exitCode, stdout } = await run('credit', '--email', 'anna@example.org', '--add', '500');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'anna@example.org: 1,470 of 1,500 credits remaining\n',
    });
    if (isShortage(reservation)) throw new Error('the reservation does not fit');
    await reservation.settle(10, { operation: 'translate', reference: 'x', successful: true });
    expect(json(await run('credit', '--add', '1', '--json'))).toEqual({
      email: 'anna@example.org',
      total_credits: 1501,
      credits_remaining: 1491,
    });
    await instance.close();
    await store.close();
  });

  it.each([[[]], [['--add', '0']], [['--add', '-5']], [['--add', '1.5']], [['--add', '9007199254740991']]])(
    'ends with 2 for %j',
    async (args) => {
      const { run } = await withAnna();
      expect(await run('credit', ...args)).toMatchObject({ exitCode: 2, stdout: '' });
      expect((await run('list')).stdout).toContain('1,000 of 1,000 credits');
    },
  );
});

describe('keys limit', () => {
  it('sets the given limits, shows all limits, and removes them', async () => {
    const { run, directory } = await withAnna();
    expect(await run('limit', '--jobs', '10', '--megabytes', '2')).toMatchObject({
      exitCode: 0,
      stdout: 'anna@example.org: jobs 10, megabytes 2, concurrency none\n',
    });
    expect(json(await run('limit', '--jobs', 'none', '--concurrency', '3', '--json'))).toEqual({
      email: 'anna@example.org',
      jobs: null,
      megabytes: 2,
      concurrency: 3,
    });
    const store = await openStore({ directory });
    const [account] = await store.accounts.list();
    expect(account?.limits).toEqual({ bytes: 2 * 1024 * 1024, concurrency: 3 });
    await store.close();
  });

  it.each([
    [[]],
    [['--jobs', '0']],
    [['--jobs', '-1']],
    [['--megabytes', '1.5']],
    [['--concurrency', 'all']],
  ])('ends with 2 for %j', async (args) => {
    const { run } = await withAnna();
    expect((await run('limit', ...args)).exitCode).toBe(2);
  });
});

describe('keys webhook-secret', () => {
  it('prints only a Standard Webhooks secret, always the same one', async () => {
    const { run } = await withAnna();
    const { exitCode, stdout, stderr } = await run('webhook-secret');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const secret = stdout.trim();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    // Accepted as a secret by the reference implementation.
    expect(new Webhook(secret).sign('msg', new Date(0), '{}')).toMatch(/^v1,/);
    expect(json(await run('webhook-secret', '--json'))).toEqual({
      email: 'anna@example.org',
      webhook_secret: secret,
    });
    expect((await run('list', '--json')).stdout).not.toContain(secret);
  });
});

describe('the data directory', () => {
  it('comes from the option, otherwise from the variable, otherwise from the user’s default', async () => {
    const root = temporaryDirectory();
    const create = async (args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> =>
      (await dragoman(['keys', 'create', ...ANNA, ...args], { cwd: root, env })).exitCode;
    const env = {
      XDG_DATA_HOME: join(root, 'home'),
      HOME: join(root, 'home'),
      LOCALAPPDATA: join(root, 'home'),
    };
    expect(await create([], env)).toBe(0);
    expect(await create([], { ...env, DRAGOMAN_DATA_DIR: 'variable' })).toBe(0);
    expect(await create(['--data-dir', 'option'], { ...env, DRAGOMAN_DATA_DIR: 'variable' })).toBe(0);
    expect(await create(['--data-dir', ''], env)).toBe(2);
    const home = dataDirectory(env) ?? '';
    for (const directory of [home, join(root, 'variable'), join(root, 'option')]) {
      expect(existsSync(join(directory, 'dragoman.db')), directory).toBe(true);
    }
  });
});
