import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dragoman, temporaryDirectory } from './harness.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bin/dragoman.js');
const translate = JSON.stringify({ text: 'Hello', source: 'en', target: 'fr' });

interface Server {
  readonly url: string;
  readonly process: ChildProcess;
  /** Its output on standard error so far. */
  readonly stderr: () => string;
  /** Ends it with a signal, and returns its exit code. */
  readonly end: (signal: NodeJS.Signals) => Promise<unknown>;
}

/** `dragoman serve` in its own process, once it is ready. */
async function serve(dataDirectory: string, ...more: readonly string[]): Promise<Server> {
  const argv = [PROGRAM, 'serve', '--data-dir', dataDirectory, '--engine', 'pseudo', '--port', '0', ...more];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  const url = await new Promise<string>((ready, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      const found = /^dragoman listening on (\S+)$/m.exec(stderr)?.[1];
      if (found !== undefined) ready(found);
    });
    child.once('exit', () => reject(new Error(`the server ended: ${stderr}`)));
  });
  const end = async (signal: NodeJS.Signals): Promise<unknown> => {
    const exit = once(child, 'exit');
    child.kill(signal);
    return (await exit)[0];
  };
  return { url, process: child, stderr: () => stderr, end };
}

async function createKey(dataDirectory: string, email = 'anna@example.org'): Promise<string> {
  const argv = [
    'keys',
    'create',
    '--data-dir',
    dataDirectory,
    '--email',
    email,
    '--name',
    'Anna',
    '--credits',
    '10',
  ];
  const { stdout, stderr, exitCode } = await dragoman(argv);
  if (exitCode !== 0) throw new Error(stderr);
  return stdout.trim();
}

function ask(url: string, key: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' } });
}

describe('dragoman serve', () => {
  it('prints its address, accepts keys that are created while it runs, and ends with 0', async () => {
    const directory = temporaryDirectory();
    const server = await serve(directory);
    expect(server.stderr()).toMatch(/^dragoman listening on http:\/\/127\.0\.0\.1:\d+\n/);
    expect(server.stderr().split('\n').slice(0, 3)).toEqual([
      `dragoman listening on ${server.url}`,
      `Documentation: ${server.url}/docs`,
      `There are no keys yet. Create one: dragoman keys create --data-dir '${directory}' --email you@example.org --name You --credits 1000`,
    ]);
    const key = await createKey(directory);
    const answer = await ask(`${server.url}/v2/translate`, key, { method: 'POST', body: translate });
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { translations: { translation: 'Ĥéļļö' } },
    ]);
    const { exitCode } = await dragoman([
      'keys',
      'revoke',
      '--data-dir',
      directory,
      '--email',
      'anna@example.org',
    ]);
    expect(exitCode).toBe(0);
    expect((await ask(`${server.url}/v2/account/summary`, key)).status).toBe(403);
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.stderr()).not.toContain(key);
    expect(server.stderr()).not.toContain('Hello');
  });

  it('continues after being killed: credits, requests and windows are kept', async () => {
    const directory = temporaryDirectory();
    const key = await createKey(directory);
    const first = await serve(directory, '--rate-limit', '3');
    await ask(`${first.url}/v2/translate`, key, { method: 'POST', body: translate });
    await ask(`${first.url}/v2/translate`, key, { method: 'POST', body: translate });
    await first.end('SIGKILL');
    const second = await serve(directory, '--rate-limit', '3');
    const summary = await ask(`${second.url}/v2/account/summary`, key);
    expect(await summary.json()).toMatchObject({ credits_remaining: 8, summary: { total_requests: 2 } });
    expect((await ask(`${second.url}/v2/account/summary`, key)).status).toBe(429);
    expect(await second.end('SIGINT')).toBe(0);
  });

  it('finishes pending requests when it is stopped', async () => {
    const directory = temporaryDirectory();
    const key = await createKey(directory);
    const server = await serve(directory, '--fault', 'slow:700', '--rate-limit', '0');
    const answer = ask(`${server.url}/v2/translate`, key, { method: 'POST', body: translate });
    // Any later request of the account shows that the first one is running.
    const summary = async () => (await ask(`${server.url}/v2/account/summary`, key)).json();
    await expect.poll(summary, { interval: 20, timeout: 45_000 }).toMatchObject({ credits_remaining: 9 });
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    const ended = server.end('SIGTERM');
    expect((await answer).status).toBe(200);
    expect(await ended).toBe(0);
  });

  it('returns file_url with the public address', async () => {
    const directory = temporaryDirectory();
    const key = await createKey(directory);
    const { url } = await serve(
      directory,
      '--rate-limit',
      '0',
      '--public-url',
      'https://translate.example.org/base/',
    );
    const form = new FormData();
    form.append('target_languages', 'fr');
    form.append('source_language', 'en');
    form.append('file', new Blob(['{"a":"Hello"}']), 'a.json');
    const created = await fetch(`${url}/v2/translate/i18n`, {
      method: 'POST',
      body: form,
      headers: { 'X-API-KEY': key },
    });
    expect(created.status).toBe(201);
    const { job_id: id } = (await created.json()) as { job_id: string };
    const job = async () => (await ask(`${url}/v2/translate/i18n/jobs/${id}/status`, key)).json();
    await expect.poll(job, { interval: 20, timeout: 45_000 }).toMatchObject({ status: 'completed' });
    const address = 'https://translate.example.org/base/v2/translate/i18n/jobs';
    expect(await job()).toMatchObject({
      translated_files: [{ file_url: `${address}/${id}/download?language_code=fr` }],
    });
  });

  it('reports invalid options', async () => {
    const directory = temporaryDirectory();
    const pem = join(directory, 'none.pem');
    writeFileSync(pem, 'no certificate');
    const cases: readonly (readonly [readonly string[], number, string])[] = [
      [['--host', '0.0.0.0'], 2, 'other machines can reach 0.0.0.0'],
      [['--host', 'example.invalid', '--insecure-http'], 2, 'cannot listen on example.invalid'],
      [['--tls-cert', pem], 2, '--tls-cert and --tls-key go together'],
      [['--tls-cert', pem, '--tls-key', pem], 2, 'the certificate or its key cannot be used'],
      [['--tls-cert', `${pem}x`, '--tls-key', pem], 2, 'there is no such file'],
      [['--public-url', 'ftp://example.org'], 2, '--public-url is not a base URL'],
      [['--public-url', 'https://example.org/?a'], 2, '--public-url is not a base URL'],
      [['--port', '65536'], 2, 'from 0 to 65535'],
      [['--rate-limit', '-1'], 2, 'whole number'],
      [['--max-concurrency', '0'], 2, 'whole number above 0'],
      [['--fault', 'earthquake:9'], 2, 'unknown fault'],
      [['--engine', 'pseud'], 2, 'Did you mean pseudo?'],
      [['--data-dir', pem], 1, 'cannot open the database'],
    ];
    for (const [argv, exitCode, message] of cases) {
      const result = await dragoman([
        'serve',
        '--data-dir',
        join(directory, 'd'),
        '--engine',
        'pseudo',
        ...argv,
      ]);
      expect([argv, result.exitCode]).toEqual([argv, exitCode]);
      expect(result.stderr).toContain(message);
      expect(result.stdout).toBe('');
    }
  });

  it('does not listen on a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const directory = temporaryDirectory();
    const argv = ['serve', '--data-dir', directory, '--engine', 'pseudo', '--port', String(port), '--json'];
    const { exitCode, stdout } = await dragoman(argv);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        code: 'usage',
        message: `cannot listen on 127.0.0.1 port ${port}: another program is listening there`,
      },
    });
  });
});
