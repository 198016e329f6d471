import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { refuseOwnAddress } from '../../src/cli/commands/serve.ts';
import type { RemoteSettings } from '../../src/cli/options/service-settings.ts';
import { serve, type ServedProcess } from '../server/served.ts';
import { dragoman, homeWith, projectWith, temporaryDirectory, type Result } from './harness.ts';
import { startService } from './service.ts';

const service = startService();
const EN_FR = ['-s', 'en', '-t', 'fr'];

const json = (stdout: string): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

let accounts = 0;

/** The environment of a user with this many credits who trusts the service. */
async function account(credits: number): Promise<Readonly<Record<string, string>>> {
  const email = `engine${++accounts}@example.org`;
  const argv = ['create', '--email', email, '--name', 'N', '--credits', String(credits)];
  const home = homeWith(`profiles: {own: {baseUrl: "${service.url}"}}\n`);
  return { ...home, DRAGOMAN_API_KEY: await service.keys(argv) };
}

async function charged(env: Readonly<Record<string, string>>): Promise<number> {
  return Number(json((await service.run(['account', '--json'], { env })).stdout)['credits_used']);
}

function project(keys: number, files: Readonly<Record<string, string>> = {}): string {
  const values = Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, `Text number ${i}`]));
  return projectWith({ 'en.json': `${JSON.stringify(values, null, 1)}\n`, ...files });
}

/** How many values each engine translated, from a report of sync. */
function enginesOf({ stdout }: Result): unknown {
  const { projects } = JSON.parse(stdout) as { projects: { languages: { engines?: unknown }[] }[] };
  return projects[0]?.languages.map(({ engines }) => engines);
}

describe('--engine service', () => {
  it.each([
    ['a variable names', ['--engine', 'service'], (url: string) => ({ DRAGOMAN_BASE_URL: url })],
    [
      'a variable names, with another for the engine',
      [],
      (url: string) => ({ DRAGOMAN_BASE_URL: url, DRAGOMAN_ENGINE: 'service' }),
    ],
  ])('uses the service that %s', async (_, flags, variables) => {
    const env = { ...(await account(10)), ...variables(service.url) };
    const config = await dragoman(['config', '--json', ...flags], { env });
    expect(json(config.stdout)).toMatchObject({ works: 'there' });
    const result = await dragoman(['translate', 'One {name}', ...EN_FR, ...flags], { env });
    expect(result).toMatchObject({ exitCode: 0, stdout: 'Öñé {name}\n' });
    expect(await charged(env)).toBe(1);
  });

  it('works with --base-url, and with a configuration that has both', async () => {
    const env = await account(10);
    const flags = ['--engine', 'service', '--base-url', service.url];
    expect(await dragoman(['translate', 'One', ...EN_FR, ...flags], { env })).toMatchObject({ exitCode: 0 });
    const cwd = projectWith({
      'dragoman.config.yaml': `engine: service\nservice:\n  baseUrl: ${service.url}\n`,
    });
    expect(await dragoman(['translate', 'One', ...EN_FR], { env, cwd })).toMatchObject({ exitCode: 0 });
    expect(await charged(env)).toBe(2);
  });

  it('supports prices, a budget and jobs', async () => {
    const env = await account(100);
    const cwd = project(5);
    const run = (...flags: string[]): Promise<Result> =>
      service.run(['sync', '.', ...EN_FR, '--engine', 'service', ...flags], { env, cwd });
    expect((await run('--dry-run')).stdout).toMatch(/^total: 5 credits$/m);
    expect(await run('--max-credits', '2')).toMatchObject({ exitCode: 4 });
    expect(await charged(env)).toBe(2);
    expect(await run('--via', 'jobs', '--max-credits', '5')).toMatchObject({ exitCode: 0 });
    expect(await charged(env)).toBe(7);
  });

  it.each(['service', 'service,pseudo'])('explains how to name a service if none is: %s', async (engine) => {
    const result = await dragoman(['translate', 'One', ...EN_FR, '--engine', engine]);
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toMatch(/no service given\n.*--base-url/);
  });

  it('needs a key, alone and in a list', async () => {
    for (const engine of ['service', 'service,pseudo']) {
      const argv = ['translate', 'One', ...EN_FR, '--engine', engine, '--base-url', service.url];
      expect(await dragoman(argv)).toMatchObject({
        exitCode: 3,
        stderr: expect.stringContaining('dragoman login'),
      });
    }
  });
});

describe('a service among other engines', () => {
  it('translates what its budget allows; the next engine translates the rest', async () => {
    const env = await account(1000);
    const cwd = project(150);
    const argv = ['sync', '.', '-s', 'en', '-t', 'de,fr', '--engine', 'service,pseudo', '--concurrency', '1'];
    const dry = await service.run([...argv, '--dry-run'], { env, cwd });
    expect(dry.stdout).toMatch(/^total: at most 300 credits$/m);
    const result = await service.run([...argv, '--max-credits', '120', '--json'], { env, cwd });
    expect(result.exitCode, result.stderr).toBe(0);
    expect(result.stderr).toMatch(/^service is skipped for a minute: the budget of 120 credits/m);
    expect(result.stderr.match(/skipped/g)).toHaveLength(1);
    expect(json(result.stdout)).toMatchObject({ credits_spent: 120 });
    expect(enginesOf(result)).toEqual([{ service: 120, pseudo: 30 }, { pseudo: 150 }]);
    expect(await charged(env)).toBe(120);
    expect(await dragoman(['check', cwd])).toMatchObject({ exitCode: 0 });
  });

  it('is chosen by pair, with the service of the same configuration', async () => {
    const env = await account(1000);
    const configuration = {
      source: 'en',
      targets: ['de', 'fr'],
      service: { baseUrl: service.url },
      engines: { 'en-fr': ['service', 'pseudo'], '*': ['pseudo'] },
    };
    const cwd = project(4, { 'dragoman.config.json': JSON.stringify(configuration) });
    const dry = await dragoman(['sync', '--dry-run', '--json'], { env, cwd });
    expect(json(dry.stdout)).toMatchObject({
      credits: 4,
      projects: [{ languages: [{ credits: 0 }, { credits: 4 }] }],
    });
    const result = await dragoman(['sync', '--json'], { env, cwd });
    expect(result.exitCode, result.stderr).toBe(0);
    expect(enginesOf(result)).toEqual([{ pseudo: 4 }, { service: 4 }]);
    expect(await charged(env)).toBe(4);
    const { stdout } = await dragoman(['config'], { env, cwd });
    expect(stdout).toMatch(/^engines /m);
    expect(stdout).toMatch(new RegExp(`^baseUrl +${service.url} +from .*json:`, 'm'));
    expect(stdout).toMatch(/^key +\(hidden\) +from DRAGOMAN_API_KEY$/m);
  });

  it('may be the user’s service, with the project’s engines', async () => {
    const env = await account(10);
    const home = projectWith({ 'dragoman/config.yaml': `service: {baseUrl: "${service.url}"}\n` });
    const cwd = projectWith({ 'dragoman.config.yaml': 'engine: service,pseudo\n' });
    const argv = ['translate', 'One', ...EN_FR];
    expect(await dragoman(argv, { cwd, env: { ...env, XDG_CONFIG_HOME: home } })).toMatchObject({
      exitCode: 0,
    });
    expect(await charged(env)).toBe(1);
  });

  it('is skipped if it is unreachable', async () => {
    const argv = ['translate', 'One', ...EN_FR, '--engine', 'service,pseudo', '--timeout', '0.2'];
    const env = { DRAGOMAN_BASE_URL: 'http://127.0.0.1:9', DRAGOMAN_API_KEY: 'sk-very-secret-1' };
    const result = await dragoman(argv, { env });
    expect(result).toMatchObject({ exitCode: 0, stdout: 'Öñé\n' });
    expect(result.stderr).toMatch(/^service is skipped for a minute: .*127\.0\.0\.1:9/m);
  });

  it('works for files and documents', async () => {
    const env = await account(100);
    const cwd = projectWith({ 'messages.json': '{"a": "One"}', 'page.html': '<p>One <b>two</b></p>\n' });
    const flags = [...EN_FR, '--engine', 'service,pseudo'];
    const file = await service.run(['i18n', 'messages.json', ...flags], { env, cwd });
    expect(file.exitCode, file.stderr).toBe(0);
    expect(readFileSync(join(cwd, 'messages_fr.json'), 'utf8')).toBe('{"a": "Öñé"}');
    const page = await service.run(['html', 'page.html', ...flags, '-o', 'fr.html'], { env, cwd });
    expect(page.exitCode, page.stderr).toBe(0);
    expect(await charged(env)).toBe(2);
  });

  it.each([
    [['--via', 'jobs'], /--via jobs requires a service alone/],
    [['--engine', 'pseudo'], /choose one/],
  ])('is refused with %s', async (flags, message) => {
    const argv = ['sync', '.', ...EN_FR, '--engine', 'service,pseudo', ...flags];
    const result = await service.run(argv, { cwd: project(1) });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toMatch(message);
  });
});

describe('dragoman engines', () => {
  const listed = async (
    flags: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<unknown> => {
    const { exitCode, stdout } = await dragoman(['engines', '--json', ...flags], { env });
    expect(exitCode).toBe(0);
    return (json(stdout)['engines'] as { id: string }[]).find(({ id }) => id === 'service');
  };

  it('lists the service', async () => {
    const env = await account(1);
    expect(await listed(['--base-url', service.url], env)).toMatchObject({ ready: true });
    const { stdout } = await service.run(['engines'], { env });
    expect(stdout).toMatch(
      /^service: ready, a translation service, healthy\n {2}in any direction between aa, .* de, /m,
    );
    expect(await charged(env)).toBe(0);
  });

  it('explains why it is not ready', async () => {
    const missing = { ready: false, detail: 'no service given' };
    expect(await listed([])).toMatchObject(missing);
    const keyless = { ready: false, detail: `there is no key for ${service.url}` };
    expect(await listed(['--base-url', service.url])).toMatchObject(keyless);
    const env = { DRAGOMAN_API_KEY: 'sk-very-secret-1' };
    expect(await listed(['--base-url', service.url], env)).toMatchObject({ ready: false });
    expect(await listed(['--base-url', 'nowhere'], env)).toMatchObject({ ready: false });
    expect(await listed(['--base-url', 'http://127.0.0.1:9', '--timeout', '0.2'], env)).toMatchObject({
      ready: false,
      detail: expect.stringContaining('127.0.0.1:9'),
    });
  });
});

describe('a server in front of a service', () => {
  /** Starts a server with its own account at the service, and a client's account at this server. */
  async function startFront(
    credits: number,
    flags: readonly string[],
  ): Promise<ServedProcess & { key: string; own: Readonly<Record<string, string>> }> {
    const own = await account(credits);
    const directory = temporaryDirectory();
    const keyFile = join(directory, 'key');
    writeFileSync(keyFile, own['DRAGOMAN_API_KEY'] ?? '', { mode: 0o600 });
    const argv = ['keys', 'create', '--data-dir', directory, '--email', 'a@example.org', '--name', 'A'];
    const { stdout } = await dragoman([...argv, '--credits', '100']);
    const server = await serve(
      ['--data-dir', directory, '--base-url', service.url, '--api-key-file', keyFile, ...flags],
      directory,
    );
    onTestFinished(() => server.stop().then(() => undefined));
    return { ...server, key: stdout.trim(), own };
  }

  it('has its own accounts, texts and jobs', async () => {
    const front = await startFront(50, []);
    const env = { DRAGOMAN_BASE_URL: front.url, DRAGOMAN_API_KEY: front.key };
    expect((await dragoman(['health'], { env })).exitCode).toBe(0);
    const text = await dragoman(['translate', 'One {name}', ...EN_FR], { env });
    expect(text, text.stderr).toMatchObject({ exitCode: 0, stdout: 'Öñé {name}\n' });
    expect(await charged(front.own)).toBe(1);
    const cwd = projectWith({ 'messages.json': '{"a": "Two", "b": "Three"}' });
    const job = await dragoman(['i18n', 'messages.json', ...EN_FR], { env, cwd });
    expect(job.exitCode, job.stderr).toBe(0);
    expect(readFileSync(join(cwd, 'messages_fr.json'), 'utf8')).toBe('{"a": "Ţŵö", "b": "Ţĥŕéé"}');
    expect(await charged(front.own)).toBe(3);
    const own = json((await dragoman(['account', '--json'], { env })).stdout);
    expect(own['credits_used']).toBe(3);
    expect(await front.stop()).toBe(0);
    expect(front.log()).not.toContain(front.own['DRAGOMAN_API_KEY']);
  });

  it('hides problems with its service, and continues with another engine if it has one', async () => {
    const argv = ['translate', 'One', ...EN_FR];
    const alone = await startFront(0, ['--engine', 'service']);
    const failed = await dragoman(argv, {
      env: { DRAGOMAN_BASE_URL: alone.url, DRAGOMAN_API_KEY: alone.key },
    });
    expect(failed.exitCode).toBe(6);
    expect(failed.stderr).not.toMatch(/credit/i);
    await alone.stop();
    expect(alone.log()).toMatch(/insufficient_credits/);
    const chain = await startFront(0, ['--engine', 'service,pseudo']);
    const env = { DRAGOMAN_BASE_URL: chain.url, DRAGOMAN_API_KEY: chain.key };
    expect(await dragoman(argv, { env })).toMatchObject({ exitCode: 0, stdout: 'Öñé\n' });
  });

  it.each([
    [['--base-url', 'https://t.example', '--public-url', 'https://t.example/'], 2, /use itself/],
    [['--base-url', 'https://t.example', '--engine', 'pseudo'], 2, /engine pseudo does not use/],
    [['--engine', 'service'], 2, /no service given/],
  ])('refuses %s', async (flags, exitCode, message) => {
    const argv = [
      'serve',
      '--data-dir',
      temporaryDirectory(),
      '--port',
      '0',
      '--log-level',
      'silent',
      ...flags,
    ];
    const result = await dragoman(argv, { env: { DRAGOMAN_API_KEY: 'sk-very-secret-1' } });
    expect(result).toMatchObject({ exitCode, stderr: expect.stringMatching(message) });
    expect(result.stderr).not.toContain('listening');
  });

  it('recognizes itself under all names of this machine', () => {
    const upstream = (value: string): RemoteSettings => ({
      baseUrl: { value, origin: { kind: 'flag', name: '--base-url' } },
      isUsers: true,
    });
    const refuse = (own: string, asked: string) => () => refuseOwnAddress(upstream(asked), [own]);
    expect(refuse('http://127.0.0.1:8787', 'http://localhost:8787')).toThrow(/itself/);
    expect(refuse('http://0.0.0.0:8787', 'http://[::1]:8787')).toThrow(/itself/);
    expect(refuse('https://a.example', 'https://a.example:443')).toThrow(/itself/);
    expect(refuse('http://127.0.0.1:8787', 'http://127.0.0.1:8788')).not.toThrow();
    expect(refuse('https://a.example/one', 'https://a.example/two')).not.toThrow();
    expect(refuse('http://10.0.0.1:8787', 'http://127.0.0.1:8787')).not.toThrow();
  });
});
