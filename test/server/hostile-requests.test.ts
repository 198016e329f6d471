import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { startServing, type Served } from '../crash/served.ts';
import { exchangeBytes, parseAnswer } from './harness.ts';
import { expectError, send } from './specification/answer.ts';
import { Client } from './specification/client.ts';

/** A server as users run it: its survival and its memory here are those of the real process. */
const directory = mkdtempSync(join(tmpdir(), 'dragoman-hostile-'));
let server: Served;
let client: Client;
let port = 0;

beforeAll(async () => {
  const store = await openStore({ directory });
  const { account, key } = await store.accounts.create({
    email: 'anna@example.org',
    fullName: 'Anna',
    credits: 100_000,
  });
  await store.close();
  server = startServing(directory, ['--rate-limit', '0', '--metrics', '--log-level', 'warn']);
  const url = (await server.ready) ?? '';
  port = Number(new URL(url).port);
  client = new Client(url, { accountId: account.id, email: account.email, key });
});

afterAll(async () => {
  await server?.kill();
  rmSync(directory, { recursive: true, force: true });
});

const body = JSON.stringify({ text: 'Hello', source: 'en', target: 'fr' });
const CLOSE = 'Connection: close\r\n';

/** A request line and headers, with the key. */
function head(headers = '', line = 'POST /v2/translate HTTP/1.1'): string {
  return `${line}\r\nHost: localhost\r\nX-API-KEY: ${client.key}\r\nContent-Type: application/json\r\n${headers}\r\n`;
}

const sized = (content: string | Buffer, more = CLOSE): Buffer =>
  Buffer.concat([
    Buffer.from(head(`Content-Length: ${Buffer.byteLength(content)}\r\n${more}`)),
    Buffer.from(content),
  ]);

async function expectHealthy(): Promise<void> {
  expect((await send(`${client.url}/health`)).object()['status']).toBe('healthy');
  expect((await client.translate()).status).toBe(200);
  expect(server.child.exitCode).toBeNull();
}

/** Opens a connection, writes, and keeps it open. */
function open(bytes: string): Promise<Socket & { received: string }> {
  return new Promise((resolve, reject) => {
    const socket: Socket & { received: string } = Object.assign(connect(port, '127.0.0.1'), { received: '' });
    socket.on('data', (chunk: Buffer) => (socket.received += chunk.toString()));
    socket.once('error', reject);
    socket.once('connect', () => socket.write(bytes, () => resolve(socket)));
    onTestFinished(() => void socket.destroy());
  });
}

describe('an invalid request', () => {
  it.each<[string, () => string | Buffer, number]>([
    ['bytes that are not UTF-8', () => sized(Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d])), 400],
    ['half of a surrogate pair', () => sized('{"text":"\\ud83d","source":"en","target":"fr"}'), 400],
    ['brackets 1,000,000 deep', () => sized('['.repeat(1_000_000)), 400],
    ['objects 100,000 deep', () => sized('{"a":'.repeat(100_000)), 400],
    ['a million values', () => sized(`{"texts":[${'1,'.repeat(1_000_000)}1]}`), 400],
    ['a body of 9 MiB', () => sized('x'.repeat(9 << 20)), 413],
    ['a compressed body', () => sized(body, `Content-Encoding: gzip\r\n${CLOSE}`), 415],
    ['a header of 100 KB', () => head(`X-Long: ${'x'.repeat(100_000)}\r\n`), 431],
    ['10,000 headers', () => head(Array.from({ length: 10_000 }, (_, i) => `X-${i}: 1\r\n`).join('')), 431],
    ['a path of 100 KB', () => head('', `GET /${'x'.repeat(100_000)} HTTP/1.1`), 431],
    ['two lengths', () => head(`Content-Length: 3\r\nContent-Length: 4\r\n`) + body, 400],
    ['a length and chunks', () => head(`Content-Length: 3\r\nTransfer-Encoding: chunked\r\n`) + body, 400],
    ['an invalid length', () => head('Content-Length: -1\r\n') + body, 400],
    ['invalid chunks', () => `${head('Transfer-Encoding: chunked\r\n')}xyz\r\n`, 400],
    ['an unknown transfer encoding', () => head(`Transfer-Encoding: gzip\r\n${CLOSE}`), 400],
    ['no host', () => 'GET /health HTTP/1.1\r\n\r\n', 400],
    ['two hosts', () => 'GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['a line that is not a request', () => 'HELO example.org\r\n\r\n', 400],
    [
      'a request of another protocol',
      () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
      400,
    ],
    ['a control character in a header', () => head('X-Bad: a\u0000b\r\n'), 400],
    ['a request for a proxy', () => 'CONNECT example.org:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['an unknown expectation', () => head(`Expect: money\r\n${CLOSE}`), 417],
  ])('%s is refused with JSON', async (_what, bytes, status) => {
    const raw = await exchangeBytes(port, bytes());
    const answer = parseAnswer(raw);
    expect([answer.status, answer.body]).toEqual([status, { detail: expect.any(String) }]);
    expect(raw.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    await expectHealthy();
  });

  it('may have prototype names, which are plain fields', async () => {
    const text = '{"__proto__": {"text": "Hello"}, "constructor": 1, "source": "en", "target": "fr"}';
    expectError(await client.post('/v2/translate', text), 400, 'text is required');
    await expectHealthy();
  });
});

describe('valid requests', () => {
  it('may have their body in chunks, without a length', async () => {
    const chunks = body.split('').map((byte) => `1\r\n${byte}\r\n`);
    const raw = `${head(`Transfer-Encoding: chunked\r\n${CLOSE}`)}${chunks.join('')}0\r\n\r\n`;
    expect(parseAnswer(await exchangeBytes(port, raw)).status).toBe(200);
  });

  it('in one write are answered in order, but only sixteen of sixty', async () => {
    const texts = Array.from({ length: 60 }, (_, i) => `Text number ${i}`);
    const requests = texts.map((text, i) =>
      sized(JSON.stringify({ text, source: 'en', target: 'fr' }), i === 59 ? CLOSE : ''),
    );
    const raw = await exchangeBytes(port, Buffer.concat(requests), 20_000);
    const answered = [...raw.matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text);
    expect(answered).toEqual(texts.slice(0, 16));
  });
});

describe('a connection that is half closed', () => {
  it('ends its request, whose unfinished work is free', async () => {
    let answered = 0;
    const spent = await client.spent(async () => {
      const sockets = await Promise.all(Array.from({ length: 20 }, () => open(sized(body).toString())));
      for (const socket of sockets) socket.end();
      await expect.poll(() => sockets.every(({ closed }) => closed), { timeout: 10_000 }).toBe(true);
      answered = sockets.filter(({ received }) => received.startsWith('HTTP/1.1 200 ')).length;
    });
    // A request that finished at that very moment may be charged although nobody read its answer.
    expect(spent).toBeGreaterThanOrEqual(answered);
    expect(spent).toBeLessThanOrEqual(20);
    await expect.poll(async () => (await client.summary())['concurrency'], { timeout: 10_000 }).toBe(1);
    await expectHealthy();
  });

  it('in a body is free', async () => {
    const spent = await client.spent(async () => {
      const sockets = await Promise.all(
        Array.from({ length: 20 }, () => open(head('Content-Length: 1000\r\n') + body)),
      );
      for (const socket of sockets) socket.end();
      await expect.poll(() => sockets.every(({ closed }) => closed), { timeout: 10_000 }).toBe(true);
    });
    expect(spent).toBe(0);
    await expectHealthy();
  });
});

describe('two hundred connections that send a byte a second', () => {
  it('do not delay others by more than a second', async () => {
    const slow = await Promise.all(Array.from({ length: 200 }, () => open(head('Content-Length: 1000\r\n'))));
    const timer = setInterval(() => slow.forEach((socket) => socket.write(' ')), 1_000);
    onTestFinished(() => clearInterval(timer));
    const times: number[] = [];
    for (let i = 0; i < 12; i++) {
      const began = performance.now();
      expect((await client.translate()).status).toBe(200);
      times.push(performance.now() - began);
      await delay(200);
    }
    expect(Math.min(...times)).toBeLessThan(1_000);
    // Slow connections do not count as requests in progress.
    expect((await client.summary())['concurrency']).toBe(1);
    expect(slow.filter(({ destroyed }) => destroyed)).toEqual([]);
  });
});

/** The memory that the server itself reports. */
async function residentMegabytes(): Promise<number> {
  const { text } = await send(`${client.url}/metrics`);
  const bytes = /^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1];
  if (bytes === undefined) throw new Error('the server does not report its memory');
  return Number(bytes) / (1 << 20);
}

describe('memory', () => {
  it('is bounded for any request', async () => {
    const json = JSON.stringify({ texts: Array<string>(101).fill('a') });
    const padded = `${json.slice(0, -1)}, "padding": "${'x'.repeat(7_900_000)}"}`;
    const bomb = Array.from(
      { length: 12 },
      (_, i) =>
        `a${i}: &a${i} [${
          i === 0
            ? 'word'
            : Array<string>(10)
                .fill(`*a${i - 1}`)
                .join(', ')
        }]`,
    );
    const file = new Uint8Array((10 << 20) + 1).fill(0x20);
    // Warmed up, so that one-time loading is not counted.
    await client.upload({ content: bomb.join('\n'), filename: 'a.yaml' });
    await client.post('/v2/translate/batch', padded);
    await client.upload({ content: file });
    const before = await residentMegabytes();
    // 480 MB of JSON and 300 MB of files: retaining them would show.
    for (let round = 0; round < 15; round++) {
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, () => client.post('/v2/translate/batch', padded)),
        client.upload({ content: file }),
        client.upload({ content: file }),
        client.upload({ content: bomb.join('\n'), filename: 'a.yaml' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 413, 413, 400]);
    }
    expect((await residentMegabytes()) - before).toBeLessThan(300);
    await expectHealthy();
  });
});
