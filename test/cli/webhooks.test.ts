import { execFile, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { Inbox, runEventCommand } from '../../src/cli/commands/webhooks.ts';
import { webhook } from '../../src/contract/examples.ts';
import type { WebhookPayload } from '../../src/contract/jobs.ts';
import { deliveryStore } from '../../src/store/shared/deliveries.ts';
import { startDeliveries, type CallResult } from '../../src/webhooks/deliveries.ts';
import { signWebhook } from '../../src/webhooks/signature.ts';
import { eventually } from '../webhooks/eventually.ts';
import { certificateFor } from '../webhooks/receiver.ts';
import { addAccount, addJob, openStore, SECRET } from '../webhooks/store.ts';
import { dragoman, projectWith, temporaryDirectory } from './harness.ts';

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

interface Listening {
  readonly url: string;
  readonly ca: string;
  readonly caFile: string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly lines: () => readonly string[];
  readonly ended: Promise<number>;
  readonly stop: () => void;
}

interface Start {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const { PATH } = process.env;

function collect(stream: PassThrough): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return () => text;
}

/** Starts the command and waits until it listens. */
async function listen(argv: readonly string[] = [], { cwd, env = {} }: Start = {}): Promise<Listening> {
  const cache = temporaryDirectory();
  const controller = new AbortController();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [out, err] = [collect(stdout), collect(stderr)];
  const ended = runProgram(['webhooks', 'listen', '--port', '0', ...argv], {
    stdin: Readable.from([]),
    stdout,
    stderr,
    cwd: cwd ?? temporaryDirectory(),
    env: { PATH, XDG_CACHE_HOME: cache, DRAGOMAN_WEBHOOK_SECRET: SECRET, ...env },
    signal: controller.signal,
  });
  onTestFinished(async () => {
    controller.abort();
    await ended;
  });
  await expect.poll(err, { timeout: 10_000 }).toMatch(/listening on https:.*\n.*\n/);
  const url = /https:\/\/127\.0\.0\.1:\d+\//.exec(err())?.[0] ?? '';
  const caFile = /NODE_EXTRA_CA_CERTS=(.*)/.exec(err())?.[1] ?? '';
  const ca = caFile === '' ? '' : readFileSync(caFile, 'utf8');
  const lines = () => out().split('\n').slice(0, -1);
  return { url, ca, caFile, stdout: out, stderr: err, lines, ended, stop: () => controller.abort() };
}

interface Sent {
  readonly id?: string;
  readonly body?: string;
  readonly secret?: string;
  readonly age?: number;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request as the server does; returns the status of the answer. */
function send({ url, ca }: Pick<Listening, 'url' | 'ca'>, sent: Sent = {}): Promise<number> {
  const { id = 'msg_1', body = JSON.stringify(webhook), secret = SECRET, age = 0, method = 'POST' } = sent;
  const timestamp = Math.floor(Date.now() / 1000) - age;
  const signed = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook(secret, { id, timestamp, body }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method, ca, agent: false, headers: sent.headers ?? signed },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function payload(change: { status?: WebhookPayload['status']; filename?: string }): string {
  const { status = 'completed', filename = 'app.json' } = change;
  return JSON.stringify({ ...webhook, status, job: { ...webhook.job, status, original_filename: filename } });
}

describe('webhooks listen', () => {
  it('receives the deliveries of a server, and ends with 130 when interrupted', async () => {
    const listening = await listen();
    const { database } = await openStore();
    const accountId = await addAccount(database);
    const jobs = [1, 2].map(() => addJob(database, { accountId, url: listening.url, now: 1 }));
    const results: CallResult[] = [];
    const deliveries = startDeliveries({
      store: deliveryStore(database, () => 'i1'),
      allowPrivate: true,
      ca: listening.ca,
      bodyOf: (jobId) =>
        Promise.resolve(JSON.stringify({ ...webhook, job: { ...webhook.job, id: jobId, job_id: jobId } })),
      onResult: (result) => results.push(result),
    });
    onTestFinished(() => deliveries.close());
    const ids = await Promise.all(jobs);
    deliveries.wake();
    await eventually(() => results.map(({ outcome }) => outcome)).toEqual(['delivered', 'delivered']);
    await eventually(() => listening.lines().length).toBe(2);
    for (const id of ids) expect(listening.stdout()).toContain(id);
    expect(listening.lines()[0]).toMatch(/partial, \d+ of \d+ keys/);
    listening.stop();
    expect(await listening.ended).toBe(130);
    await expect(send(listening)).rejects.toThrow(/ECONNREFUSED/);
  });

  it('prints the payload as one JSON document per line with --json', async () => {
    const listening = await listen(['--json']);
    const filename = 'a\u001b[2J\u202e.json';
    expect(await send(listening, { id: 'a', body: payload({ filename }) })).toBe(204);
    expect(await send(listening, { id: 'b' })).toBe(204);
    await eventually(() => listening.lines().length).toBe(2);
    const [first, second] = listening.lines().map((line) => JSON.parse(line) as WebhookPayload);
    expect(first?.job.original_filename).toBe(filename);
    expect(listening.stdout()).not.toMatch(/[\u001b\u202e]/);
    expect(second).toEqual(webhook);
  });

  it.each([
    ['completed', 0],
    ['partial', 7],
    ['failed', 1],
  ] as const)('with --once, ends after a %s job with exit code %d', async (status, exitCode) => {
    const listening = await listen(['--once', '--json']);
    expect(await send(listening, { body: payload({ status }) })).toBe(204);
    expect(await listening.ended).toBe(exitCode);
    expect(JSON.parse(listening.stdout())).toMatchObject({ status });
  });

  it('refuses requests that lack its signature or are not events', async () => {
    const listening = await listen();
    const huge = 'x'.repeat(1024 * 1024 + 1);
    const statuses = [
      await send(listening, { headers: {} }),
      await send(listening, { secret: OTHER_SECRET }),
      await send(listening, { age: 301 }),
      await send(listening, { age: -330 }),
      await send(listening, { body: '{' }),
      await send(listening, { body: '{"event":"other"}' }),
      await send(listening, { method: 'PUT' }),
      await send(listening, { body: huge }).catch(() => 413),
    ];
    expect(statuses).toEqual([401, 401, 401, 401, 400, 400, 405, 413]);
    expect(listening.stdout()).toBe('');
    expect(
      listening
        .stderr()
        .match(/refused with \d+/g)
        ?.map((line) => Number(line.slice(-3))),
    ).toEqual(statuses);
    // A refusal is not remembered: the same id may still arrive with the right signature.
    expect(await send(listening)).toBe(204);
    await eventually(() => listening.lines().length).toBe(1);
    expect(listening.stderr()).not.toContain('whsec_');
  });

  it('prints a repeated event once', async () => {
    const listening = await listen();
    const twice = await Promise.all([send(listening), send(listening), send(listening)]);
    expect(twice).toEqual([204, 204, 204]);
    expect(await send(listening, { id: 'msg_2' })).toBe(204);
    await eventually(() => listening.lines().length).toBe(2);
    expect(listening.stderr()).toContain('msg_1 was delivered again');
  });

  it('accepts several secrets', async () => {
    const cwd = projectWith({ secrets: `${SECRET}\n${OTHER_SECRET}\n` });
    const listening = await listen(['--secret-file', 'secrets'], {
      cwd,
      env: { DRAGOMAN_WEBHOOK_SECRET: 'not used' },
    });
    expect(await send(listening, { id: 'a' })).toBe(204);
    expect(await send(listening, { id: 'b', secret: OTHER_SECRET })).toBe(204);
  });
});

describe('the certificate of webhooks listen', () => {
  it('is kept, valid only for this machine, with a private key', async () => {
    const env = { XDG_CACHE_HOME: temporaryDirectory() };
    const first = await listen([], { env });
    const second = await listen([], { env });
    expect(second.ca).toBe(first.ca);
    const certificate = new X509Certificate(first.ca);
    expect(certificate.subjectAltName).toBe(
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    );
    expect(certificate.ca).toBe(false);
    const keyFile = first.caFile.replace('.pem', '-key.pem');
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    expect(await send(second)).toBe(204);
    writeFileSync(keyFile, 'not a key');
    const third = await listen([], { env });
    expect(third.ca).not.toBe(first.ca);
    expect(await send(third)).toBe(204);
  });

  it('is trusted by a configured process', async () => {
    const listening = await listen();
    const script = `
      require('node:https')
        .request(process.argv[1], { method: 'POST' }, (response) => { console.log(response.statusCode); process.exit(); })
        .on('error', (error) => { console.log(error.code); process.exit(); })
        .end();`;
    const run = async (env: Record<string, string>) => {
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, listening.url], { env });
      return stdout.trim();
    };
    expect(await run({})).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(await run({ NODE_EXTRA_CA_CERTS: listening.caFile })).toBe('401');
  });

  it('can be the user’s own', async () => {
    const own = await certificateFor('127.0.0.1');
    const other = await certificateFor('127.0.0.1');
    const cwd = projectWith({ 'c.pem': own.cert, 'k.pem': own.key, 'other.pem': other.key });
    const listening = await listen(['--cert', 'c.pem', '--key', 'k.pem'], { cwd });
    expect(await send({ url: listening.url, ca: own.cert })).toBe(204);
    expect(listening.stderr()).not.toContain('NODE_EXTRA_CA_CERTS');
    const env = { DRAGOMAN_WEBHOOK_SECRET: SECRET };
    const errors = await Promise.all(
      [
        ['--cert', 'c.pem'],
        ['--cert', 'c.pem', '--key', 'other.pem'],
        ['--cert', 'c.pem', '--key', 'none.pem'],
      ].map((argv) => dragoman(['webhooks', 'listen', ...argv], { cwd, env })),
    );
    expect(errors.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2]);
  });
});

describe('webhooks listen --exec', () => {
  it('passes the event to a command without letting the shell interpret it', async () => {
    const cwd = temporaryDirectory();
    const out = join(cwd, 'out');
    const script = join(cwd, 'command.cjs');
    writeFileSync(
      script,
      `const { readFileSync, writeFileSync } = require('node:fs');
       console.log('said on stdout');
       console.error('said on stderr');
       writeFileSync(${JSON.stringify(out)}, JSON.stringify({ body: readFileSync(0, 'utf8'), env: process.env }));`,
    );
    const pwned = join(cwd, 'pwned');
    const filename = `$(touch ${pwned})\`touch ${pwned}\`"; touch ${pwned}; '.json`;
    const command = `"${process.execPath}" "${script}"`;
    const listening = await listen(['--once', '--exec', command], { cwd, env: { MINE: 'kept' } });
    const body = payload({ filename });
    expect(await send(listening, { body })).toBe(204);
    expect(await listening.ended).toBe(0);
    const seen = JSON.parse(readFileSync(out, 'utf8')) as { body: string; env: Record<string, string> };
    expect(seen.body).toBe(body);
    expect(seen.env).toMatchObject({
      DRAGOMAN_JOB_ID: webhook.job_id,
      DRAGOMAN_JOB_STATUS: 'completed',
      MINE: 'kept',
    });
    expect(JSON.stringify(seen.env)).not.toContain('whsec_');
    expect(existsSync(pwned)).toBe(false);
    expect(listening.stdout()).not.toContain('said');
    expect(listening.stderr()).toContain('said on stdout');
    expect(listening.stderr()).toContain('said on stderr');
  });

  it('continues after a failed command, and with --once ends with 1', async () => {
    const listening = await listen(['--exec', 'exit 3']);
    await send(listening, { id: 'a' });
    await send(listening, { id: 'b' });
    await eventually(() => listening.stderr().match(/ended with exit code 3/g)?.length).toBe(2);
    const once = await listen(['--once', '--exec', 'exit 3']);
    await send(once, { body: payload({ status: 'completed' }) });
    expect(await once.ended).toBe(1);
  });

  it('kills a hanging command with all its children', async () => {
    const cwd = temporaryDirectory();
    const started = join(cwd, 'started');
    const event = { id: 'a', payload: webhook, body: '{}' };
    const terminal = {
      stdin: Readable.from([]),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      cwd,
      env: { PATH },
    };
    const hanging = `echo > "${started}"; sleep 60 & sleep 60`;
    const never = new AbortController().signal;
    expect(await runEventCommand(hanging, event, { ...terminal, signal: never }, 300)).toBe(
      'the command did not end within 0.3 seconds',
    );
    const controller = new AbortController();
    const interrupted = runEventCommand(hanging, event, { ...terminal, signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    expect(await interrupted).toBe('the command was interrupted');
    expect(await runEventCommand('no-such-command', event, { ...terminal, signal: never })).toMatch(/127/);
  });

  it('queues up to a hundred events', async () => {
    const inbox = new Inbox({ once: false });
    const never = new AbortController().signal;
    const event = { id: 'a', payload: webhook, body: '' };
    for (let i = 0; i < 100; i++) expect(inbox.offer({ ...event, id: String(i) })).toBe(true);
    expect(inbox.offer(event)).toBe(false);
    expect((await inbox.next(never))?.id).toBe('0');
    expect(inbox.offer(event)).toBe(true);
    const single = new Inbox({ once: true });
    const waiting = single.next(never, 10);
    expect([single.offer(event), single.offer(event)]).toEqual([true, false]);
    expect(await waiting).toBe(event);
  });
});

describe('the built webhooks listen', () => {
  it('creates its certificate, and ends with 6 if no event arrives', () => {
    const cwd = temporaryDirectory();
    const env = { PATH, HOME: cwd, XDG_CACHE_HOME: join(cwd, 'cache'), DRAGOMAN_WEBHOOK_SECRET: SECRET };
    const bin = join(import.meta.dirname, '../../bin/dragoman.js');
    const argv = [bin, 'webhooks', 'listen', '--port', '0', '--timeout', '0.1'];
    const { status, stderr } = spawnSync(process.execPath, argv, { cwd, env, encoding: 'utf8' });
    expect(status, stderr).toBe(6);
    const caFile = /NODE_EXTRA_CA_CERTS=(.*)/.exec(stderr)?.[1] ?? '';
    expect(new X509Certificate(readFileSync(caFile)).subject).toContain('dragoman');
  });
});

describe('webhooks listen ends', () => {
  const env = { DRAGOMAN_WEBHOOK_SECRET: SECRET };
  const run = (argv: readonly string[], variables: Record<string, string> = env, stdin?: string) =>
    dragoman(['webhooks', 'listen', ...argv], { env: variables, ...(stdin === undefined ? {} : { stdin }) });

  it('with 2 without a secret, or with an invalid one', async () => {
    expect(await run([], {})).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('DRAGOMAN_WEBHOOK_SECRET') as string,
    });
    const wrong = await run([], { DRAGOMAN_WEBHOOK_SECRET: 'hunter2' });
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).not.toContain('hunter2');
    expect((await run(['--secret-file', 'none'])).exitCode).toBe(2);
    expect((await run(['--secret-file', '-'], {}, '')).exitCode).toBe(2);
    expect(
      (await run(['--secret-file', '-', '--port', '0', '--timeout', '0.01'], {}, `${SECRET}\n`)).exitCode,
    ).toBe(6);
  });

  it('with 2 on a port that is in use or invalid', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = String(typeof address === 'object' ? address?.port : '');
    expect(await run(['--port', port])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('another program is listening there') as string,
    });
    for (const wrong of ['-1', '65536', 'x', '']) {
      expect((await run(['--port', wrong])).exitCode).toBe(2);
    }
    expect((await run(['--exec', ' '])).exitCode).toBe(2);
  });

  it('with 6 if no event arrives in time', async () => {
    const result = await run(['--port', '0', '--timeout', '0.05', '--json']);
    expect(result.exitCode).toBe(6);
    expect(JSON.parse(result.stdout)).toMatchObject({ error: { code: 'unreachable' } });
  });
});
