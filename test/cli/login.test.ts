import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { dragoman, projectWith, temporaryDirectory } from './harness.ts';
import { fakeService, sendJson } from './service.ts';

const KEY = 'sk-very-secret-1';
const ACCOUNT = {
  email: 'anna@example.org',
  full_name: 'Anna',
  total_credits: 10,
  credits_used: 0,
  credits_remaining: 10,
  credits_percentage: 0,
  summary: { total_requests: 0, successful_requests: 0, failed_requests: 0, success_rate: 0 },
};

const json = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

function accounts(): ReturnType<typeof fakeService> {
  return fakeService((request, response) =>
    request.headers['x-api-key'] === KEY
      ? sendJson(response, ACCOUNT)
      : sendJson(response, { detail: 'the API key is invalid' }, 401),
  );
}

describe('login', () => {
  it('stores a working key, readable only by its owner, and commands find it', async () => {
    const { url, requests } = await accounts();
    const env = { XDG_CONFIG_HOME: temporaryDirectory() };
    const file = join(env.XDG_CONFIG_HOME, 'dragoman/credentials.json');
    const result = await dragoman(['login', '--base-url', `${url}/`], { env, stdin: `${KEY}\r\n` });
    expect(result).toMatchObject({ exitCode: 0, stdout: '' });
    expect(result.stderr).toContain(`the key of anna@example.org for ${url}`);
    expect(result.stderr).not.toContain(KEY);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
    expect(requests.map(({ path }) => path)).toEqual(['/v2/account/summary']);

    const asked = await dragoman(['account', '--base-url', url, '--json'], { env });
    expect(asked).toMatchObject({ exitCode: 0, stderr: '' });
    expect(json(asked.stdout)).toMatchObject({ email: 'anna@example.org' });
    chmodSync(file, 0o640);
    expect((await dragoman(['account', '--base-url', url], { env })).stderr).toMatch(/^warning: .*chmod 600/);

    // Another address has no key, whatever the profile or port.
    const other = await accounts();
    expect((await dragoman(['account', '--base-url', other.url], { env })).exitCode).toBe(3);
    expect(other.requests).toEqual([]);

    expect((await dragoman(['logout', '--base-url', url, '--json'], { env })).stdout).toContain(url);
    expect(existsSync(file)).toBe(false);
    expect((await dragoman(['logout', '--base-url', url], { env })).exitCode).toBe(1);
    expect((await dragoman(['logout', '--all'], { env })).exitCode).toBe(0);
  });

  it('stores a refused key only on request', async () => {
    const { url } = await accounts();
    const env = { XDG_CONFIG_HOME: temporaryDirectory() };
    const file = join(env.XDG_CONFIG_HOME, 'dragoman/credentials.json');
    const refused = await dragoman(['login', '--base-url', url, '--json'], { env, stdin: 'sk-another-one' });
    expect(refused.exitCode).toBe(3);
    expect(json(refused.stdout)).toMatchObject({ error: { code: 'unauthenticated', status: 401 } });
    expect(existsSync(file)).toBe(false);
    const argv = ['login', '--base-url', url, '--no-verify', '--json'];
    const stored = await dragoman(argv, { env, stdin: 'sk-another-one' });
    expect(json(stored.stdout)).toEqual({ base_url: url, profile: null, file, email: null });
    expect(readFileSync(file, 'utf8')).toContain('sk-another-one');
  });

  it('stores a key for each profile, with its address', async () => {
    const [one, two] = [await accounts(), await accounts()];
    const env = { XDG_CONFIG_HOME: temporaryDirectory() };
    for (const [profile, { url }] of [
      ['one', one],
      ['two', two],
    ] as const) {
      const argv = ['login', '--profile', profile, '--base-url', url];
      expect((await dragoman(argv, { env, stdin: KEY })).exitCode).toBe(0);
    }
    one.requests.length = two.requests.length = 0;
    // A named profile overrides a key in the environment, which belongs to another service.
    const variables = { ...env, DRAGOMAN_API_KEY: 'sk-of-another-service' };
    expect((await dragoman(['account', '--profile', 'two'], { env: variables })).exitCode).toBe(0);
    expect((await dragoman(['account'], { env: { ...env, DRAGOMAN_PROFILE: 'one' } })).exitCode).toBe(0);
    expect([one.requests.length, two.requests.length]).toEqual([1, 1]);
    // A profile's key is not used for its address unless the profile is selected.
    expect((await dragoman(['account', '--base-url', one.url], { env })).exitCode).toBe(3);
    expect((await dragoman(['logout', '--profile', 'one'], { env })).exitCode).toBe(0);
    expect((await dragoman(['account', '--profile', 'one'], { env })).exitCode).toBe(2);
    expect((await dragoman(['account', '--profile', 'two'], { env })).exitCode).toBe(0);
  });

  it('a project cannot redirect the key of a profile', async () => {
    const [own, evil] = [await accounts(), await accounts()];
    const env = { XDG_CONFIG_HOME: temporaryDirectory() };
    await dragoman(['login', '--profile', 'work', '--base-url', own.url], { env, stdin: KEY });
    const cwd = projectWith({
      'dragoman.config.json': JSON.stringify({
        service: { profile: 'work' },
        profiles: { work: { baseUrl: evil.url } },
      }),
    });
    expect((await dragoman(['account'], { cwd, env })).exitCode).toBe(3);
    expect(evil.requests).toEqual([]);
  });

  it.each([
    ['no key at all', '', /empty/],
    ['two words', 'one two', /spaces/],
    ['two lines', 'one\ntwo', /line breaks/],
  ])('refuses %s', async (_, stdin, message) => {
    const result = await dragoman(['login', '--base-url', 'https://a.example'], { stdin });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toMatch(message);
  });

  it('does not ask without a terminal', async () => {
    const argv = ['login', '--base-url', 'https://a.example', '--no-input'];
    const result = await dragoman(argv, { tty: true, env: { TERM: 'dumb' } });
    expect(result).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Pipe it in') });
    expect((await dragoman(['login'])).stderr).toMatch(/--base-url/);
  });

  it('reports an invalid file without showing its content', async () => {
    const home = projectWith({ 'dragoman/credentials.json': `{"keys": [{"key": "${KEY}"}]}` });
    const env = { XDG_CONFIG_HOME: home, DRAGOMAN_BASE_URL: 'https://a.example' };
    for (const content of [`{"keys": [{"key": "${KEY}"}]}`, `{"keys": "${KEY}`, `"${KEY}"`]) {
      writeFileSync(join(home, 'dragoman/credentials.json'), content);
      const result = await dragoman(['account'], { env });
      expect(result.exitCode).toBe(2);
      expect(result.stderr).toContain('credentials.json');
      expect(result.stderr).not.toContain('secret');
    }
  });
});

describe('login on a terminal', () => {
  /** A terminal with typed input. */
  async function type(
    keys: string,
  ): Promise<{ exitCode: number; shown: string; raw: boolean[]; file: string }> {
    const { url } = await accounts();
    const home = temporaryDirectory();
    const raw: boolean[] = [];
    const stdin = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (on: boolean) => raw.push(on),
    });
    const shown = Object.assign(new PassThrough(), { isTTY: true });
    let text = '';
    shown.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('not shown') && keys !== '') stdin.write(keys);
      if (text.includes('not shown')) keys = '';
    });
    const exitCode = await runProgram(['login', '--base-url', url], {
      stdin,
      stdout: shown,
      stderr: shown,
      env: { XDG_CONFIG_HOME: home, TERM: 'dumb' },
      cwd: home,
      signal: new AbortController().signal,
    });
    return { exitCode, shown: text, raw, file: join(home, 'dragoman/credentials.json') };
  }

  it('asks for the key and does not show it', async () => {
    const { exitCode, shown, raw, file } = await type(`sk-very-secrex\u007ft-1\r`);
    expect(exitCode, shown).toBe(0);
    expect(shown).not.toContain('secre');
    expect(raw).toEqual([true, false]);
    expect(readFileSync(file, 'utf8')).toContain(KEY);
  });

  it('stores nothing when it is interrupted', async () => {
    const { exitCode, raw, file } = await type('sk-very\u0003');
    expect(exitCode).toBe(130);
    expect(raw).toEqual([true, false]);
    expect(existsSync(file)).toBe(false);
  });
});

describe('config', () => {
  it('shows where each setting comes from, and never the key', async () => {
    const cwd = projectWith({
      'dragoman.config.yaml':
        'source: en\ntargets: [fr]\nservice:\n  profile: work\nprofiles:\n  work:\n    baseUrl: https://work.example/\n    caFile: ca.pem\n',
    });
    const env = { DRAGOMAN_API_KEY: KEY };
    const { exitCode, stdout } = await dragoman(['config', '--json'], { cwd, env });
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('secret');
    const file = join(cwd, 'dragoman.config.yaml');
    const { works, settings } = json(stdout) as { works: string; settings: { name: string }[] };
    expect(works).toBe('there');
    const setting = (name: string): unknown => settings.find((one) => one.name === name);
    const at = (line: number, column = 5): object => ({ kind: 'configuration', file, line, column });
    expect(setting('baseUrl')).toEqual({ name: 'baseUrl', value: 'https://work.example', origin: at(7) });
    expect(setting('profile')).toEqual({ name: 'profile', value: 'work', origin: at(4, 3) });
    expect(setting('caFile')).toEqual({ name: 'caFile', value: join(cwd, 'ca.pem'), origin: at(8) });
    expect(setting('key')).toEqual({
      name: 'key',
      value: '(not sent: only the project configures this address)',
      origin: { kind: 'environment', name: 'DRAGOMAN_API_KEY' },
    });
    expect(setting('api')).toEqual({ name: 'api', value: 'v2', origin: { kind: 'default' } });
    expect(setting('targets')).toEqual({ name: 'targets', value: ['fr'], origin: at(2, 1) });
    expect(json(stdout)['files']).toEqual({ project: file, user: null, credentials: null });
    const text = await dragoman(['config'], { cwd, env });
    expect(text.stderr).toContain(
      `the project's configuration: dragoman.config.yaml\nyour own configuration: none\n`,
    );
    expect(text.stdout).toMatch(/^key +\(not sent: .*\) +from DRAGOMAN_API_KEY$/m);
  });

  it('shows the engine if no service is configured', async () => {
    const { stdout } = await dragoman(['config'], { env: { DRAGOMAN_ENGINE: 'pseudo' } });
    expect(stdout).toMatch(/^engine +pseudo +from DRAGOMAN_ENGINE$/m);
    expect((await dragoman(['config'])).stdout).toMatch(/^engine +auto +from default$/m);
    const command = await dragoman(['config', '--engine-command', 'cat']);
    expect(command.stdout).toMatch(/^engine +exec +from --engine-command\nengineCommand +cat +from --eng/m);
  });
});
