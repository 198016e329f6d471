import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { request as httpsRequest } from 'node:https';
import { connect as connectSecurely } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { generate } from 'selfsigned';
import { parseFaults } from '../../src/server/guards/faults.ts';
import { type Certificate, listen } from '../../src/server/http/listener.ts';
import { errorOf } from './errors.ts';
import { eventually } from '../webhooks/eventually.ts';
import { exchangeBytes, listenTo, openApp, parseAnswer, scriptedEngine } from './harness.ts';

const body = JSON.stringify({ text: 'Hello', source: 'en', target: 'fr' });

function translate(key: string, more = 'Connection: close\r\n'): string {
  return (
    `POST /v2/translate HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\n` +
    `${more}Content-Length: ${body.length}\r\n\r\n${body}`
  );
}

function get(path: string, headers: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`;
}

/** A connection that is left open. */
async function open(port: number, bytes = ''): Promise<Socket & { received: string }> {
  const socket = Object.assign(connect(port, '127.0.0.1'), { received: '' });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => (socket.received += chunk.toString()));
  await new Promise((resolve) => socket.once('connect', resolve));
  if (bytes !== '') socket.write(bytes);
  return socket;
}

const closed = (socket: Socket): Promise<unknown> =>
  socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once('close', resolve));

describe('the key header', () => {
  it('is case-sensitive on the wire, unless that is relaxed', async () => {
    const strict = await openApp();
    const { port } = await listenTo(strict);
    const path = '/v2/account/summary';
    const status = async (at: number, headers: string) =>
      parseAnswer(await exchangeBytes(at, get(path, headers))).status;
    expect(await status(port, `X-API-KEY: ${strict.key}\r\n`)).toBe(200);
    for (const name of ['x-api-key', 'X-Api-Key']) {
      expect(parseAnswer(await exchangeBytes(port, get(path, `${name}: ${strict.key}\r\n`)))).toMatchObject({
        status: 401,
        body: {
          detail: `the X-API-KEY header is required: the header was sent as ${name}, but its name is case-sensitive; a server that is started with --any-case-key-header accepts it`,
        },
      });
    }
    const relaxed = await openApp({ options: { anyCaseKeyHeader: true } });
    const other = await listenTo(relaxed);
    expect(await status(other.port, `x-api-key: ${relaxed.key}\r\n`)).toBe(200);
  });

  it('contains one key, which must match except for the white space that HTTP allows around values', async () => {
    const test = await openApp();
    const { port } = await listenTo(test);
    const answer = async (value: string) =>
      parseAnswer(await exchangeBytes(port, get('/v2/supported-languages', `X-API-KEY:${value}\r\n`)));
    expect((await answer(` ${test.key} \t`)).status).toBe(200);
    expect(await answer(`  `)).toMatchObject({
      status: 401,
      body: { detail: 'the X-API-KEY header is required' },
    });
    for (const value of [
      `\u00a0${test.key}`,
      `${test.key}\u00a0`,
      `"${test.key}"`,
      `${test.key} ${test.key}`,
    ]) {
      expect(await answer(value)).toMatchObject({ status: 403, body: { detail: 'the API key is invalid' } });
    }
    const twice = `${test.key}\r\nX-API-KEY: ${test.key}`;
    expect((await answer(twice)).status).toBe(403);
  });
});

describe('the host of a request', () => {
  it('must be one of the server’s own, if only this machine can reach the server', async () => {
    const hosts = (host: string): boolean => ['localhost', '[::1]', 'translate.example.org'].includes(host);
    const { port } = await listenTo(await openApp(), { hosts });
    const statusOf = async (host: string): Promise<number> => {
      const request = `GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      return Number(/^HTTP\/1\.1 (\d+)/.exec(await exchangeBytes(port, request))?.[1]);
    };
    for (const host of ['localhost', `LOCALHOST:${port}`, `[::1]:${port}`, 'translate.example.org:443'])
      expect([host, await statusOf(host)]).toEqual([host, 200]);
    for (const host of ['evil.example', 'localhost.evil.example', `evil.example:${port}`, '::1', ':80'])
      expect([host, await statusOf(host)]).toEqual([host, 421]);
  });
});

describe('pipelined requests', () => {
  it('are answered in order, and beyond 16 end the connection', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let begun = 0;
    const service = {
      supportedLanguages: async () => {
        begun++;
        await gate;
        return { supported_languages: [] };
      },
    };
    const test = await openApp({ service: service as never });
    const { port } = await listenTo(test);
    const request = get('/v2/supported-languages', `X-API-KEY: ${test.key}\r\n`).replace(
      /Connection: close\r\n/i,
      '',
    );
    const last = get('/v2/supported-languages', `X-API-KEY: ${test.key}\r\n`);
    const few = exchangeBytes(port, request.repeat(15) + last, 30_000);
    await eventually(() => begun).toBe(16);
    const many = exchangeBytes(port, request.repeat(5_000), 30_000);
    await eventually(() => begun).toBe(32);
    release();
    const answers = (raw: string): number => raw.split('HTTP/1.1 200').length - 1;
    expect(answers(await few)).toBe(16);
    // A client that keeps sending may be cut off before it has read the answers.
    expect(answers(await many)).toBeLessThanOrEqual(16);
    expect(begun).toBe(32);
  });
});

describe('bytes that are not a request', () => {
  it('are answered with JSON and without a stack', async () => {
    const { port } = await listenTo(await openApp());
    const cases: readonly (readonly [string, number])[] = [
      ['GARBAGE\r\n\r\n', 400],
      ['GET / HTTP/9.9\r\n\r\n', 400],
      ['GET /health HTTP/1.1\r\n\r\n', 400],
      ['GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
      ['GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
      ['GET \\health HTTP/1.1\r\nHost: a\r\n\r\n', 400],
      [`GET /health HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
      [
        'POST /v2/translate HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
        400,
      ],
      ['POST /v2/translate HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nContent-Length: 1\r\n\r\n', 417],
      ['CONNECT example.org:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
      ['TRACE /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 405],
      ['GET /health/../%2e%2e/etc HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404],
    ];
    for (const [bytes, status] of cases) {
      const answer = parseAnswer(await exchangeBytes(port, bytes));
      expect([bytes.slice(0, 40), answer.status, Object.keys(answer.body as object)]).toEqual([
        bytes.slice(0, 40),
        status,
        ['detail'],
      ]);
      expect(answer.head).toMatch(/^content-type: application\/json; charset=utf-8\r?$/im);
    }
  });

  it('after a request do not disturb its answer', async () => {
    const test = await openApp();
    const { port } = await listenTo(test);
    const raw = await exchangeBytes(port, `${translate(test.key, '')}GARBAGE\r\n\r\n`);
    expect(raw.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(parseAnswer(raw)).toMatchObject({ status: 200 });
  });

  it('of pipelined requests are answered in order', async () => {
    const test = await openApp();
    const { port } = await listenTo(test);
    const raw = await exchangeBytes(port, translate(test.key, '') + get('/nowhere', ''));
    expect(raw.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404']);
  });

  it('are dropped if they never end, and nothing is charged', async () => {
    const test = await openApp();
    const { port } = await listenTo(test);
    const cut = translate(test.key).slice(0, -5);
    const socket = await open(port, cut);
    socket.end();
    await closed(socket);
    expect(await test.account()).toMatchObject({ balance: 1000, reserved: 0 });
  });
});

describe('slow senders', () => {
  it('get a timeout answer if the head is slow', async () => {
    const { port } = await listenTo(await openApp(), { headersTimeoutMs: 100 });
    const answer = parseAnswer(await exchangeBytes(port, 'GET /health HTTP/1.1\r\nHost: '));
    expect(answer).toMatchObject({ status: 408, body: { detail: 'the request took too long' } });
  });

  it('do not keep other clients from connecting', async () => {
    const test = await openApp();
    const { port } = await listenTo(test);
    const slow = await Promise.all(
      Array.from({ length: 200 }, () => open(port, 'GET /health HTTP/1.1\r\nX: ')),
    );
    const timer = setInterval(() => slow.forEach((socket) => socket.write('x')), 50);
    onTestFinished(() => clearInterval(timer));
    for (let i = 0; i < 5; i++) {
      expect(parseAnswer(await exchangeBytes(port, translate(test.key))).status).toBe(200);
    }
    expect(slow.filter((socket) => socket.destroyed)).toHaveLength(0);
  });

  it('are dropped at the connection limit, unlike requests in progress', async () => {
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const engine = scriptedEngine(() => held);
    const test = await openApp({ engine });
    const { port } = await listenTo(test, { connections: { total: 3, perAddress: 3 } });
    const working = await open(port, translate(test.key));
    while (engine.calls === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const first = await open(port, 'GET /health HT');
    const second = await open(port);
    expect(parseAnswer(await exchangeBytes(port, get('/health', ''))).status).toBe(200);
    await closed(first);
    expect([working.destroyed, second.destroyed]).toEqual([false, false]);
    finish();
    await closed(working);
    expect(working.received).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a simulated cut', () => {
  it('ends the connection without an answer or a charge', async () => {
    const test = await openApp({ faults: parseFaults(['drop:1']) });
    const { port } = await listenTo(test);
    expect(await exchangeBytes(port, translate(test.key))).toBe('');
    expect(parseAnswer(await exchangeBytes(port, translate(test.key))).status).toBe(200);
    expect(await test.account()).toMatchObject({ balance: 999, reserved: 0 });
  });
});

describe('the end of a server', () => {
  it('waits for requests in progress, closes idle connections and accepts no new ones', async () => {
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const engine = scriptedEngine(() => held);
    const test = await openApp({ engine });
    const { port, close } = await listenTo(test);
    const idle = await open(port, 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
    while (!idle.received.includes('healthy')) await new Promise((resolve) => setTimeout(resolve, 1));
    const working = await open(port, translate(test.key, ''));
    while (engine.calls === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const ended = close(10_000);
    await closed(idle);
    await expect(exchangeBytes(port, get('/health', ''))).rejects.toThrow('ECONNREFUSED');
    expect(working.destroyed).toBe(false);
    finish();
    await Promise.all([ended, closed(working)]);
    expect(working.received).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i);
    expect(await test.account()).toMatchObject({ balance: 999, reserved: 0 });
  });

  it('comes at the end of the grace period at the latest', async () => {
    const engine = scriptedEngine(
      (_request, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    );
    const test = await openApp({ engine });
    const { port, close } = await listenTo(test);
    const working = await open(port, translate(test.key));
    while (engine.calls === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await close(50);
    await closed(working);
    expect(working.received).toBe('');
    while ((await test.account()).reserved > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(await test.account()).toMatchObject({ balance: 1000, reserved: 0 });
  });
});

describe('listening', () => {
  it('on a port in use is a usage error', async () => {
    const test = await openApp();
    const { port } = await listenTo(test);
    const error = await errorOf(listen(test.app, { host: '127.0.0.1', port }));
    expect([error.code, error.message]).toEqual([
      'usage',
      `cannot listen on 127.0.0.1 port ${port}: another program is listening there`,
    ]);
  });

  it('with a certificate speaks HTTPS', async () => {
    const test = await openApp();
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const { url } = await listenTo(test, { tls: { cert, key } });
    expect(url).toMatch(/^https:/);
    const status = await new Promise((resolve, reject) => {
      const headers = { 'X-API-KEY': test.key, 'Content-Type': 'application/json' };
      httpsRequest(
        `${url}/v2/translate`,
        { method: 'POST', headers, rejectUnauthorized: false },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        },
      )
        .on('error', reject)
        .end(body);
    });
    expect(status).toBe(200);
    const error = await errorOf(listen(test.app, { host: '127.0.0.1', port: 0, tls: { cert, key: cert } }));
    expect(error.code).toBe('configuration');
  });

  it('with a certificate tells a client that speaks HTTP to use HTTPS', async () => {
    const test = await openApp();
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const { port } = await listenTo(test, { tls: { cert, key } });
    const long = `POST /v2/translate HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`;
    for (const request of [get('/health', ''), translate(test.key), long]) {
      expect(parseAnswer(await exchangeBytes(port, request))).toMatchObject({
        status: 400,
        body: { detail: 'this port speaks HTTPS: use https:// in the address' },
      });
    }
    // Anything else is still cut off.
    expect(await exchangeBytes(port, 'hello\r\n\r\n')).toBe('');
  });

  it('uses a renewed certificate for the next connection, and keeps the old one while the new one is broken', async () => {
    const test = await openApp();
    const makeOne = async (name: string): Promise<Certificate> => {
      const { cert, private: key } = await generate([{ name: 'commonName', value: name }]);
      return { cert, key };
    };
    const [first, second] = [await makeOne('first.test'), await makeOne('second.test')];
    let stored = first;
    const read = (): Promise<Certificate> => Promise.resolve(stored);
    const logged: string[] = [];
    const log = (_: object, message: string): void => void logged.push(message);
    const { url } = await listenTo(test, {
      tls: first,
      renewal: { read, everyMs: 10 },
      log: { info: log, error: log },
    });
    const nameOf = async (): Promise<string> => {
      const socket = connectSecurely({
        port: Number(new URL(url).port),
        host: '127.0.0.1',
        rejectUnauthorized: false,
      });
      await once(socket, 'secureConnect');
      const { subject } = socket.getPeerCertificate();
      socket.destroy();
      return String(subject.CN);
    };
    expect(await nameOf()).toBe('first.test');
    stored = { ...second, key: first.key };
    await expect.poll(() => logged).toEqual(['the new certificate cannot be used; the old one stays in use']);
    expect(await nameOf()).toBe('first.test');
    stored = second;
    await expect.poll(() => logged.at(-1)).toBe('the certificate was renewed');
    expect(await nameOf()).toBe('second.test');
  });
});
