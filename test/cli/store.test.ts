import { describe, expect, it, onTestFinished } from 'vitest';
import { settingsOf } from '../../src/store/postgres/place.ts';
import { describeWith } from '../postgres/requirements.ts';
import { ask, createSchema } from '../postgres/store.ts';
import { dragoman, temporaryDirectory } from './harness.ts';

const ACCOUNT = ['--email', 'anna@example.org', '--credits', '10'];
const ELSEWHERE = 'postgres://dragoman@db.example.org/dragoman';

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await createSchema();
  onTestFinished(drop);
  return url;
}

describeWith(['postgres'], 'a store in PostgreSQL', () => {
  it('is prepared once, and the keys commands work with it as with a directory', async () => {
    const url = await emptyDatabase();
    const early = await dragoman(['keys', 'create', '--store', url, ...ACCOUNT]);
    expect(early).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('dragoman store migrate') as string,
    });
    const migrate = ['store', 'migrate', '--store', url];
    const dry = await dragoman([...migrate, '--dry-run', '--json']);
    const { to } = JSON.parse(dry.stdout) as { to: number };
    expect(JSON.parse(dry.stdout)).toEqual({ dry_run: true, from: 0, to: expect.any(Number) as number });
    expect(await dragoman(migrate)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(JSON.parse((await dragoman([...migrate, '--json'])).stdout)).toEqual({ from: to, to });

    const planned = ['keys', 'create', '--store', url, '--dry-run', ...ACCOUNT];
    expect(await dragoman(planned)).toMatchObject({ exitCode: 0 });
    const created = await dragoman(['keys', 'create', '--store', url, ...ACCOUNT]);
    expect(created).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^drg_/) as string });
    const env = { DRAGOMAN_STORE: url, PGPASSWORD: 'not asked for here' };
    const more = await dragoman(['keys', 'credit', '--add', '5', '--json'], { env });
    expect(JSON.parse(more.stdout)).toEqual({
      email: 'anna@example.org',
      total_credits: 15,
      credits_remaining: 15,
    });
    const elsewhere = await dragoman(['keys', 'list', '--data-dir', temporaryDirectory()], { env });
    expect(elsewhere.exitCode).toBe(1);
  });

  it('of a newer version that this one cannot read stays unchanged', async () => {
    const url = await emptyDatabase();
    await dragoman(['store', 'migrate', '--store', url]);
    await ask(url, 'update store_version set version = 9');
    expect((await dragoman(['keys', 'list', '--store', url])).exitCode).toBe(0);
    await ask(url, 'update store_version set oldest_reader = 8');
    const list = await dragoman(['keys', 'list', '--store', url]);
    expect(list).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Update dragoman') as string });
    expect((await dragoman(['store', 'migrate', '--store', url])).exitCode).toBe(0);
    expect(await ask(url, 'select version from store_version')).toEqual([{ version: 9 }]);
  });
});

describe('--store', () => {
  it('does not accept a password that others could read', async () => {
    const urls = ['postgres://ada:hunter2@127.0.0.1/x', 'postgres://127.0.0.1/x?user=ada&password=hunter2'];
    for (const url of urls) {
      const { exitCode, stderr } = await dragoman(['keys', 'list', '--store', url]);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('PGPASSFILE')]);
      expect(stderr).not.toContain('hunter2');
    }
  });

  it('uses TLS for other machines, and checks their certificates', () => {
    expect(settingsOf({ url: ELSEWHERE }).connectionString).toMatch(/[?]sslmode=verify-full$/);
    expect(settingsOf({ url: 'postgres://ada@127.0.0.1/x' }).connectionString).not.toContain('sslmode');
    for (const mode of ['disable', 'prefer', 'require', 'no-verify']) {
      expect(() => settingsOf({ url: `${ELSEWHERE}?sslmode=${mode}` })).toThrow(/does not protect/);
    }
    expect(() => settingsOf({ url: 'mysql://db.example.org/x' })).toThrow(/not the address/);
  });

  it.each([
    [
      'a data directory is also named',
      ['keys', 'list', '--store', ELSEWHERE, '--data-dir', 'x'],
      /mutually exclusive/,
    ],
    ['there is no public address for clients', ['serve', '--store', ELSEWHERE], /--public-url/],
    [
      'failures are simulated',
      ['serve', '--store', ELSEWHERE, '--public-url', 'https://x.example', '--fault', 'slow:1'],
      /--fault/,
    ],
    ['there is no store to migrate', ['store', 'migrate'], /DRAGOMAN_STORE/],
  ])('is refused when %s', async (_, command, message) => {
    const engine = command[0] === 'serve' ? ['--engine', 'pseudo'] : [];
    expect(await dragoman([...command, ...engine])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(message) as string,
    });
  });

  it('reports that the database does not answer', async () => {
    const list = await dragoman(['keys', 'list', '--store', 'postgres://ada@127.0.0.1:9/x']);
    expect(list).toMatchObject({
      exitCode: 6,
      stderr: expect.stringContaining('the database does not answer') as string,
    });
  });
});
