import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RemoteService } from '../../src/client/connect.ts';
import { connect, EN_FR, failureOf, JOB_ID, signal, translated } from './clients.ts';
import { httpAnswer, startRawServer } from './raw-server.ts';

const whole = httpAnswer(translated('Hello'));
const translate = ({ service }: RemoteService) => service.translate({ text: 'Hello', ...EN_FR }, { signal });
const health = { status: 'healthy', timestamp: '2026-01-01T00:00:00Z' };

describe('a POST to a server that', () => {
  it.each<[string, (socket: Socket) => void, string]>([
    ['cuts before the answer', (socket) => socket.destroy(), 'answer_lost'],
    ['resets before the answer', (socket) => socket.resetAndDestroy(), 'answer_lost'],
    ['ends before the answer', (socket) => socket.end(), 'answer_lost'],
    ['cuts within the headers', (socket) => socket.end(whole.slice(0, 40)), 'answer_lost'],
    ['cuts within the body', (socket) => socket.end(whole.slice(0, -10)), 'answer_lost'],
    [
      'resets within the body',
      (socket) => socket.write(whole.slice(0, -10), () => socket.resetAndDestroy()),
      'answer_lost',
    ],
    ['stalls before the answer', () => undefined, 'answer_lost'],
    ['stalls within the headers', (socket) => socket.write(whole.slice(0, 40)), 'answer_lost'],
    ['stalls within the body', (socket) => socket.write(whole.slice(0, -10)), 'answer_lost'],
    [
      'announces more than it sends',
      (socket) => socket.end(httpAnswer('{}', { headers: { 'content-length': 9 } })),
      'answer_lost',
    ],
    [
      'cuts a chunk',
      (socket) =>
        socket.end(
          'HTTP/1.1 200 X\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n20\r\n{"tr',
        ),
      'answer_lost',
    ],
    ['sends garbage', (socket) => socket.end('\u0000\u0001 hello there\r\n\r\n'), 'contract_violation'],
    [
      'speaks another protocol',
      (socket) => socket.end('220 mail.example.com ESMTP\r\n'),
      'contract_violation',
    ],
    [
      'sends endless headers',
      (socket) => socket.write(`HTTP/1.1 200 X\r\n${'a: b\r\n'.repeat(20_000)}`),
      'contract_violation',
    ],
    [
      'sends a page',
      (socket) => socket.end(httpAnswer('<html>', { headers: { 'content-type': 'text/html' } })),
      'contract_violation',
    ],
    [
      'does not name a content type',
      (socket) => socket.end(httpAnswer('{}', { headers: { 'content-type': '' } })),
      'contract_violation',
    ],
    ['sends broken JSON', (socket) => socket.end(httpAnswer('{"translations":')), 'contract_violation'],
    [
      'sends invalid UTF-8',
      (socket) =>
        socket.end(Buffer.from(httpAnswer('{"\u00e9":1}', { headers: { 'content-length': 7 } }), 'latin1')),
      'contract_violation',
    ],
    ['sends nothing', (socket) => socket.end(httpAnswer('')), 'contract_violation'],
    ['sends no content', (socket) => socket.end('HTTP/1.1 204 X\r\n\r\n'), 'contract_violation'],
    [
      'leaves out a field',
      (socket) => socket.end(httpAnswer({ translations: { text: 'Hello' }, details: {} })),
      'contract_violation',
    ],
    [
      'compresses',
      (socket) => socket.end(httpAnswer('{}', { headers: { 'content-encoding': 'gzip' } })),
      'contract_violation',
    ],
    [
      'announces too much',
      (socket) => socket.write(httpAnswer('{"a":', { headers: { 'content-length': 1e12 } })),
      'contract_violation',
    ],
    [
      'redirects',
      (socket) => socket.end(httpAnswer('', { status: 307, headers: { location: 'http://evil.example/' } })),
      'contract_violation',
    ],
    [
      'fails',
      (socket) => socket.end(httpAnswer({ detail: 'internal server error' }, { status: 500 })),
      'service_failed',
    ],
    [
      'fails behind a proxy',
      (socket) =>
        socket.end(httpAnswer('<h1>Bad', { status: 502, headers: { 'content-type': 'text/html' } })),
      'service_failed',
    ],
    [
      'cuts its refusal',
      (socket) => socket.end(httpAnswer('{"de', { status: 400, headers: { 'content-length': 99 } })),
      'invalid_request',
    ],
  ])('%s is sent once', async (name, answer, code) => {
    const server = await startRawServer(answer);
    const timeoutMs = name.startsWith('stalls') ? 600 : 60_000;
    const remote = await connect({ baseUrl: server.baseUrl, timeoutMs });
    const began = performance.now();
    const error = await failureOf(translate(remote));
    expect({ code: error.code, message: error.message }).toMatchObject({ code });
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(server.requests).toHaveLength(1);
  });

  it('sends more than announced: the answer counts, and the rest is dropped', async () => {
    const server = await startRawServer((socket, number) =>
      socket.write(number === 1 ? `${whole}surplus` : whole),
    );
    const remote = await connect({ baseUrl: server.baseUrl, timeoutMs: 10_000 });
    await expect(translate(remote)).resolves.toEqual(translated('Hello'));
    await expect(translate(remote)).resolves.toEqual(translated('Hello'));
    expect(server.requests).toHaveLength(2);
  });

  it('drips its answer is abandoned after the time limit', async () => {
    const server = await startRawServer((socket) => {
      let at = 0;
      const timer = setInterval(() => socket.write(whole.slice(at, ++at)), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const remote = await connect({ baseUrl: server.baseUrl, timeoutMs: 800 });
    const began = performance.now();
    expect(await failureOf(translate(remote))).toMatchObject({ code: 'answer_lost' });
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it('sends an invalid field: its name and place are reported', async () => {
    const server = await startRawServer((socket) =>
      socket.end(httpAnswer({ translations: { text: 1 }, details: {} })),
    );
    const error = await failureOf(translate(await connect({ baseUrl: server.baseUrl })));
    expect(error.message).toMatch(/POST \/v2\/translate: translations\.text must be a string/);
    expect(error.status).toBe(200);
  });

  it('redirects: the host is named', async () => {
    const location = 'https://evil.example/v2/translate?x=1';
    const server = await startRawServer((socket) =>
      socket.end(httpAnswer('', { status: 308, headers: { location } })),
    );
    const error = await failureOf(translate(await connect({ baseUrl: server.baseUrl })));
    expect(error).toMatchObject({ code: 'contract_violation', status: 308 });
    expect(error.message).toMatch(/redirects to evil\.example$/);
  });
});

describe('a GET', () => {
  it('is repeated if its answer was lost', async () => {
    const server = await startRawServer((socket, number) => {
      if (number < 3) socket.destroy();
      else socket.end(httpAnswer(health));
    });
    const remote = await connect({ baseUrl: server.baseUrl });
    await expect(remote.service.health({ signal })).resolves.toEqual(health);
    expect(server.requests).toHaveLength(3);
  });

  it('is abandoned after four attempts', async () => {
    const server = await startRawServer((socket) => socket.destroy());
    const remote = await connect({ baseUrl: server.baseUrl });
    expect(await failureOf(remote.service.health({ signal }))).toMatchObject({ code: 'answer_lost' });
    expect(server.requests).toHaveLength(4);
  });

  it('is not repeated after a failure', async () => {
    const server = await startRawServer((socket) =>
      socket.end(httpAnswer({ detail: 'no' }, { status: 500 })),
    );
    const remote = await connect({ baseUrl: server.baseUrl });
    expect(await failureOf(remote.service.health({ signal }))).toMatchObject({
      code: 'service_failed',
      message: 'no',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('that stalls takes one time limit, not four', async () => {
    const server = await startRawServer(() => undefined);
    const remote = await connect({ baseUrl: server.baseUrl, timeoutMs: 800 });
    const began = performance.now();
    expect(await failureOf(remote.service.health({ signal }))).toMatchObject({ code: 'answer_lost' });
    expect(performance.now() - began).toBeLessThan(2400);
    expect(server.requests).toHaveLength(1);
  });
});

describe('a deletion', () => {
  it('whose answer was lost is done when the object no longer exists', async () => {
    const server = await startRawServer((socket, number) => {
      if (number === 1) socket.destroy();
      else socket.end(httpAnswer({ detail: 'job not found' }, { status: 404 }));
    });
    const { jobs } = await connect({ baseUrl: server.baseUrl });
    await expect(jobs.deleteJob(JOB_ID, { signal })).resolves.toEqual({ message: 'the job is deleted' });
    expect(server.requests).toHaveLength(2);
  });

  it('of a missing job fails', async () => {
    const server = await startRawServer((socket) =>
      socket.end(httpAnswer({ detail: 'job not found' }, { status: 404 })),
    );
    const { jobs } = await connect({ baseUrl: server.baseUrl });
    expect(await failureOf(jobs.deleteJob(JOB_ID, { signal }))).toMatchObject({
      code: 'not_found',
      message: 'job not found',
      status: 404,
    });
  });
});

describe('an unprocessed request', () => {
  it.each([429, 503])('is repeated after a %d', async (status) => {
    const server = await startRawServer((socket, number) =>
      socket.write(number < 3 ? httpAnswer({ detail: 'later' }, { status }) : whole),
    );
    const remote = await connect({ baseUrl: server.baseUrl });
    await expect(translate(remote)).resolves.toEqual(translated('Hello'));
    expect(server.requests).toHaveLength(3);
    expect(server.connections).toBe(1);
  });

  it('is abandoned after four attempts', async () => {
    const server = await startRawServer((socket) =>
      socket.write(httpAnswer({ detail: 'full' }, { status: 503 })),
    );
    const remote = await connect({ baseUrl: server.baseUrl });
    expect(await failureOf(translate(remote))).toMatchObject({
      code: 'service_failed',
      status: 503,
      message: 'full',
    });
    expect(server.requests).toHaveLength(4);
  });

  it('is not retried beyond the time limit', async () => {
    const server = await startRawServer((socket) =>
      socket.write(httpAnswer({ detail: 'maintenance' }, { status: 503, headers: { 'retry-after': 3600 } })),
    );
    const remote = await connect({ baseUrl: server.baseUrl });
    const error = await failureOf(translate(remote));
    expect(error).toMatchObject({ code: 'service_failed', hint: 'Try again in 3600 seconds.' });
    expect(server.requests).toHaveLength(1);
  });

  it('is repeated once the server listens', async () => {
    const port = await freePort();
    const server = createServer((socket) => {
      socket.on('data', () => socket.end(whole)).on('error', () => undefined);
    });
    onTestFinished(() => void server.close());
    const reasons: string[] = [];
    const onWait = (reason: string): void => {
      reasons.push(reason);
      if (reasons.length === 1) server.listen(port, '127.0.0.1');
    };
    const remote = await connect({ baseUrl: `http://127.0.0.1:${port}`, onWait });
    await expect(translate(remote)).resolves.toEqual(translated('Hello'));
    expect(reasons[0]).toBe(`cannot connect to 127.0.0.1:${port}: nothing listens there`);
  });

  it('fails if the server never listens', async () => {
    const waits: string[] = [];
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const remote = await connect({ baseUrl, onWait: (reason) => waits.push(reason) });
    expect(await failureOf(translate(remote))).toMatchObject({ code: 'unreachable' });
    expect(waits).toHaveLength(3);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('interruption', () => {
  it.each(['before it is sent', 'while it is under way'])('%s ends a call', async (moment) => {
    const server = await startRawServer(() => stop.abort());
    const stop = new AbortController();
    const remote = await connect({ baseUrl: server.baseUrl });
    if (moment === 'before it is sent') stop.abort();
    const call = remote.service.translate({ text: 'Hello', ...EN_FR }, { signal: stop.signal });
    expect(await failureOf(call)).toMatchObject({ code: 'interrupted' });
    expect(server.requests).toHaveLength(moment === 'before it is sent' ? 0 : 1);
  });
});
