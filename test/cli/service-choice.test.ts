import { chmodSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, homeWith, projectWith } from './harness.ts';
import { fakeService, sendJson, startService } from './service.ts';

const service = startService();
const EN_FR = ['-s', 'en', '-t', 'fr'];

const json = (stdout: string): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

describe('the choice between local and remote execution', () => {
  const env = { DRAGOMAN_BASE_URL: '' };

  it.each([
    ['both flags', ['--engine', 'pseudo', '--base-url', 'http://127.0.0.1:1'], {}],
    ['a flag and a variable', ['--engine', 'pseudo'], { DRAGOMAN_BASE_URL: 'http://127.0.0.1:1' }],
    ['two variables', [], { DRAGOMAN_ENGINE: 'pseudo', DRAGOMAN_BASE_URL: 'http://127.0.0.1:1' }],
    ['a profile and an engine', ['--engine-command', 'cat', '--profile', 'x'], {}],
  ])('is not made twice: %s', async (_, flags, variables) => {
    const result = await dragoman(['translate', 'x', ...EN_FR, ...flags], { env: variables });
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toMatch(/choose one/);
  });

  it('prefers flags to the configuration', async () => {
    const cwd = projectWith({
      'dragoman.config.yaml': `engine: pseudo\nservice:\n  baseUrl: ${service.url}/\n  timeout: 7\n`,
    });
    const config = async (argv: readonly string[], variables = {}): Promise<string> =>
      (await dragoman(['config', ...argv], { cwd, env: variables })).stdout;
    expect(await config([])).toMatch(
      new RegExp(`^baseUrl +${service.url} +from .*dragoman.config.yaml:3$`, 'm'),
    );
    expect(await config([])).toMatch(/^timeout +7 +from .*yaml:4$/m);
    expect(await config(['--engine', 'pseudo'])).toMatch(/^engine +pseudo +from --engine$/m);
    // Settings for the configured service do not apply to another one.
    expect(await config([], { DRAGOMAN_BASE_URL: 'https://b.example' })).toMatch(
      /^timeout +60 +from default$/m,
    );
    expect(await config(['--base-url', 'https://c.example/v/'])).toMatch(
      /^baseUrl +https:\/\/c.example\/v +from --base-url$/m,
    );
    const result = await dragoman(['translate', 'One', ...EN_FR], {
      cwd,
      env: { ...homeWith(`profiles: {own: {baseUrl: "${service.url}"}}\n`), DRAGOMAN_API_KEY: service.key },
    });
    expect(result.exitCode, result.stderr).toBe(0);
  });

  it('uses the user’s service if the project names none', async () => {
    const cwd = projectWith({ '.git/HEAD': '' });
    const home = projectWith({
      'dragoman/config.yaml': 'service: {profile: one}\nprofiles: {one: {baseUrl: "https://one.example"}}\n',
    });
    const variables = { ...env, XDG_CONFIG_HOME: home };
    expect((await dragoman(['config'], { cwd, env: variables })).stdout).toMatch(/^baseUrl +https:\/\/one/m);
    writeFileSync(join(cwd, 'dragoman.config.yaml'), 'engine: pseudo\n');
    expect((await dragoman(['config'], { cwd, env: variables })).stdout).toMatch(/^engine +pseudo/m);
  });

  it.each([
    ['an invalid address', ['--base-url', 'nowhere'], /is not a URL/],
    ['another scheme', ['--base-url', 'ftp://a.example'], /https/],
    [
      'a password in the address',
      ['--base-url', 'https://me:hunter22@a.example'],
      /^(?![^]*hunter22)[^]*password/,
    ],
    ['an unknown profile', ['--profile', 'nope'], /unknown profile "nope"[^]*dragoman login/],
    ['an unknown version', ['--base-url', 'https://a.example', '--api', 'v3'], /v1, v2/],
    [
      'a key with a space',
      ['--base-url', 'https://a.example', '--api-key', 'hunter 22'],
      /^(?![^]*hunter)[^]*spaces/,
    ],
    ['a missing key file', ['--base-url', 'https://a.example', '--api-key-file', 'k'], /no such file/],
  ])('ends with 2 for %s', async (_, flags, message) => {
    const result = await dragoman(['translate', 'x', ...EN_FR, ...flags]);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toMatch(message);
  });
});

describe('a faulty service', () => {
  const cut = (_request: unknown, response: ServerResponse): void => void response.socket?.destroy();
  const stall = (): void => undefined;
  const garbage = (_request: unknown, response: ServerResponse): void => void response.end('<html>');
  const short = (_request: unknown, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 }).write('{');
    setImmediate(() => response.socket?.destroy());
  };
  const wrong = (_request: unknown, response: ServerResponse): void =>
    sendJson(response, { translations: [{ text: 'One' }], total: 1, successful: 1, failed: 0 });
  const elsewhere = (_request: unknown, response: ServerResponse): void =>
    void response.writeHead(302, { location: 'https://evil.example/v2/translate/batch' }).end();

  it.each([
    ['cuts the connection', cut, 'answer_lost', /cut|lost/],
    ['stalls', stall, 'answer_lost', /within 0.5 seconds/],
    ['sends a page instead of JSON', garbage, 'contract_violation', /specification/],
    ['sends less than it announced', short, 'answer_lost', /./],
    ['omits fields', wrong, 'contract_violation', /translations.0.translation/],
    ['redirects', elsewhere, 'contract_violation', /evil\.example/],
  ])('ends with 6 when it %s, and nothing is sent twice', async (_, answer, code, message) => {
    const fake = await fakeService(answer);
    const env = { DRAGOMAN_BASE_URL: fake.url, DRAGOMAN_API_KEY: 'sk-very-secret-1' };
    const started = performance.now();
    const argv = ['translate', 'One', ...EN_FR, '--timeout', '0.5', '--json'];
    const { exitCode, stdout, stderr } = await dragoman(argv, { env });
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(exitCode).toBe(6);
    const { error } = json(stdout) as { error: { code: string; message: string } };
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(stdout + stderr).not.toContain('very-secret');
    expect(fake.requests).toHaveLength(1);
  });

  it('ends with 6 if it is unreachable', async () => {
    const env = { DRAGOMAN_BASE_URL: 'http://127.0.0.1:1', DRAGOMAN_API_KEY: 'sk-very-secret-1' };
    const { exitCode, stdout } = await dragoman(['account', '--json', '--timeout', '2'], { env });
    expect(exitCode).toBe(6);
    expect(json(stdout)).toMatchObject({ error: { code: 'unreachable', status: null } });
  });
});

describe('a key', () => {
  it('may come from a file, with a warning if others can read it', async () => {
    const cwd = projectWith({ key: `${service.key}\n` });
    const env = { DRAGOMAN_API_KEY: '' };
    chmodSync(join(cwd, 'key'), 0o600);
    const quiet = await service.run(['account', '--api-key-file', 'key'], { cwd, env });
    expect(quiet).toMatchObject({ exitCode: 0, stderr: '' });
    chmodSync(join(cwd, 'key'), 0o644);
    const told = await service.run(['account', '--api-key-file', 'key'], { cwd, env });
    expect(told).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^warning: .*chmod 600/) });
    const flag = await service.run(['account', '--api-key', service.key], { cwd, env });
    expect(flag).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/^warning: .*process list/),
    });
  });

  it('is required before any request: without one, a command ends with 3 and explains how to get one', async () => {
    const fake = await fakeService((_request, response) => sendJson(response, {}));
    const result = await dragoman(['account'], { env: { DRAGOMAN_BASE_URL: fake.url } });
    expect(result).toMatchObject({ exitCode: 3, stdout: '' });
    expect(result.stderr).toContain(`dragoman login --base-url ${fake.url}`);
    expect(fake.requests).toEqual([]);
  });

  it.each([
    [403, 3, 'unauthenticated', 'dragoman login'],
    [401, 3, 'unauthenticated', 'dragoman login'],
    [402, 4, 'insufficient_credits', 'for credits. On your own server: dragoman keys credit'],
    [400, 2, 'invalid_request', ''],
    [404, 1, 'not_found', 'check the base URL.'],
    [500, 6, 'service_failed', ''],
  ])('is never shown: a command ends after status %d with %d', async (status, exitCode, code, hint) => {
    const fake = await fakeService((request, response) =>
      sendJson(response, { detail: `no: ${String(request.headers['x-api-key'])} \u001b[31m` }, status),
    );
    const env = { DRAGOMAN_BASE_URL: fake.url, DRAGOMAN_API_KEY: 'sk-very-secret-1' };
    const text = await dragoman(['account', '--verbose'], { env });
    expect(text.exitCode).toBe(exitCode);
    expect(text.stderr).toContain(hint);
    const document = await dragoman(['account', '--json'], { env });
    expect(document.exitCode).toBe(exitCode);
    expect(json(document.stdout)).toMatchObject({ error: { code, status } });
    const all = text.stdout + text.stderr + document.stdout + document.stderr;
    expect(all).not.toContain('very-secret');
    expect(all).not.toContain('\u001b');
    expect(fake.requests.length).toBeGreaterThan(0);
    expect(fake.requests.every(({ key }) => key === 'sk-very-secret-1')).toBe(true);
  });

  it('whose rate limit exceeds the time limit ends a command with 5', async () => {
    const fake = await fakeService((_request, response) => {
      response.setHeader('retry-after', '3600');
      sendJson(response, { detail: 'rate limit exceeded' }, 429);
    });
    const env = { DRAGOMAN_BASE_URL: fake.url, DRAGOMAN_API_KEY: 'sk-very-secret-1' };
    const result = await dragoman(['account', '--json'], { env });
    expect(result.exitCode).toBe(5);
    expect(json(result.stdout)).toMatchObject({ error: { code: 'rate_limited' } });
  });

  it('is not sent unencrypted to another machine', async () => {
    const env = { DRAGOMAN_BASE_URL: 'http://translate.example.com', DRAGOMAN_API_KEY: 'sk-very-secret-1' };
    const result = await dragoman(['account'], { env });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toMatch(/without encryption/);
  });
});
