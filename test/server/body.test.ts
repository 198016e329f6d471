import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { BodyMemory } from '../../src/server/guards/body-memory.ts';
import { eachChunk } from '../../src/server/http/body.ts';
import { parseJson } from '../../src/server/threads/json-object.ts';
import { exchangeBytes, listenTo, openApp, parseAnswer, type TestApp } from './harness.ts';

const fr = { source: 'en', target: 'fr' };

async function refusal(test: TestApp, body: string | Uint8Array, headers: Record<string, string> = {}) {
  const answer = await test.ask('/v2/translate', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  return [answer.status, await answer.json()];
}

describe('a JSON body', () => {
  it('must be a JSON object in UTF-8; errors name the problem', async () => {
    const test = await openApp();
    const cases: readonly (readonly [string | Uint8Array, string])[] = [
      ['', 'the request body is not valid JSON'],
      ['{"text":"secret words', 'the request body is not valid JSON'],
      ['[]', 'the request body must be a JSON object'],
      ['null', 'the request body must be a JSON object'],
      ['"text"', 'the request body must be a JSON object'],
      [Buffer.from('{"text":"\xff"}', 'latin1'), 'the request body is not valid UTF-8'],
      [JSON.stringify({ text: '\ud800', ...fr }), 'the request body has half a surrogate pair in a string'],
      [JSON.stringify({ '\udc00': 1, ...fr }), 'the request body has half a surrogate pair in a string'],
      [`{"text":${'['.repeat(33)}${']'.repeat(33)}}`, 'the request body is nested too deeply'],
      [`{"text":[${'0,'.repeat(10_000)}0]}`, 'the request body has too many values'],
      [`{${'""'.repeat(10_001)}}`, 'the request body has too many values'],
      [JSON.stringify({ text: 5, ...fr }), 'text must be a string'],
      [JSON.stringify({ text: ['a'], ...fr }), 'text must be a string'],
      [JSON.stringify({ text: null, ...fr }), 'text must be a string'],
      [JSON.stringify(fr), 'text is required'],
      [JSON.stringify({ text: '', ...fr }), 'text cannot be empty'],
    ];
    for (const [body, detail] of cases) expect(await refusal(test, body)).toEqual([400, { detail }]);
    expect(await test.account()).toMatchObject({ balance: 1000, reserved: 0, requestsFailed: cases.length });
  });

  it('must be declared as JSON', async () => {
    const test = await openApp();
    const body = JSON.stringify({ text: 'Hello', ...fr });
    const wanted = { detail: 'the request needs Content-Type: application/json' };
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', '']) {
      expect(await refusal(test, body, { 'Content-Type': type })).toEqual([415, wanted]);
    }
    expect((await refusal(test, body, { 'Content-Type': 'application/json; charset=latin1' }))[0]).toBe(415);
    expect((await refusal(test, body, { 'Content-Encoding': 'gzip' }))[0]).toBe(415);
    for (const type of ['application/json;charset=utf-8', 'Application/JSON; charset="UTF-8"']) {
      expect((await refusal(test, body, { 'Content-Type': type }))[0]).toBe(200);
    }
  });

  it('may begin with a byte order mark, and have unknown fields', () => {
    expect(parseJson(Buffer.from('\ufeff{"text":"a","new":[{"b":1}]}'))).toEqual({
      text: 'a',
      new: [{ b: 1 }],
    });
    expect(parseJson(Buffer.from('{"__proto__":{"a":1},"s":"\\\\\\"[[[["}'))).toHaveProperty('s', '\\"[[[[');
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it('may be as long as the longest batch with every character escaped', async () => {
    const test = await openApp();
    const text = '\\ud83d\\ude00'.repeat(5_000);
    const body = `{"texts":[${Array.from({ length: 100 }, () => `"${text}"`).join()}],"source":"en","target":"fr"}`;
    const answer = await test.post('/v2/translate/batch', body);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ total: 100, successful: 100 });
  });

  it('is refused over 8 MiB, immediately if its length is declared', async () => {
    const test = await openApp();
    const { port } = await listenTo(test);
    const limit = 8 * 1024 * 1024;
    const head = (more: string): string =>
      `POST /v2/translate HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${test.key}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;
    const detail = 'the request body cannot be larger than 8,388,608 bytes';
    const announced = await exchangeBytes(port, head(`Content-Length: ${limit + 1}`));
    expect(parseAnswer(announced)).toMatchObject({ status: 413, body: { detail } });
    expect(announced).toMatch(/^connection: close\r$/im);
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const sent = await exchangeBytes(port, head('Transfer-Encoding: chunked') + chunk.repeat(129));
    expect(parseAnswer(sent)).toMatchObject({ status: 413, body: { detail } });
    const whole = await exchangeBytes(
      port,
      `${head(`Connection: close\r\nContent-Length: ${limit}`)}{${' '.repeat(limit - 1)}`,
    );
    expect(parseAnswer(whole)).toMatchObject({
      status: 400,
      body: { detail: 'the request body is not valid JSON' },
    });
  });

  it('is dropped if it is too slow or the client disconnects', async () => {
    const limits = { bytes: 10, ms: 30 };
    const slow = await eachChunk(new PassThrough(), limits, () => undefined).catch((error: unknown) => error);
    expect(slow).toMatchObject({ status: 408, message: 'the request body took too long' });
    const gone = new PassThrough();
    const reading = eachChunk(gone, { ...limits, ms: 5_000 }, () => undefined);
    gone.destroy();
    await expect(reading).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('that arrives slowly is abandoned early, unless the server itself does not read', async () => {
    const limits = { bytes: 1_000, ms: 60_000, pace: { bytes: 10, ms: 40 } };
    const trickle = (body: PassThrough, bytes: number): NodeJS.Timeout =>
      setInterval(() => body.write(Buffer.alloc(bytes)), 10);
    const drops = new PassThrough();
    drops.write(Buffer.alloc(500));
    const slow = trickle(drops, 1);
    await expect(eachChunk(drops, limits, () => undefined)).rejects.toMatchObject({ status: 408 });
    clearInterval(slow);
    const [steady, unread] = [new PassThrough(), new PassThrough()];
    const lines = trickle(steady, 50);
    const read = eachChunk(steady, limits, () => undefined);
    unread.end('ten bytes.');
    await eachChunk(unread, limits, () => new Promise((resolve) => setTimeout(resolve, 150)));
    clearInterval(lines);
    steady.end();
    await read;
  });

  it('takes bounded memory over all requests', () => {
    const memory = new BodyMemory(100, 60);
    const [one, other] = [memory.hold('one'), memory.hold('other')];
    one.take(60);
    other.take(40);
    expect(() => other.take(1)).toThrow('the service is overloaded; try again later');
    one.release();
    one.release();
    other.take(20);
    expect(() => one.take(41)).toThrow('overloaded');
  });

  it('gets 429 beyond the share of its account', () => {
    const memory = new BodyMemory(256, 8);
    const fill = (account: string): number => {
      const body = memory.hold(account);
      for (let taken = 0; ; taken++) {
        try {
          body.take(8);
        } catch (error) {
          expect(error).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
          return taken;
        }
      }
    };
    expect(fill('greedy')).toBe(8);
    // No matter how many accounts are greedy, they always leave some memory.
    const others = Array.from({ length: 10 }, (_, i) => fill(`greedy${i}`));
    expect(others).toEqual([6, 4, 3, 2, 2, 1, 1, 1, 1, 1]);
    memory.hold('modest').take(8);
  });

  it('of a megabyte may occur 64 times at once for one account, if no other has any', () => {
    const memory = new BodyMemory();
    for (let i = 0; i < 64; i++) memory.hold('ordinary').take(1 << 20);
    expect(() => memory.hold('ordinary').take(1)).toThrow('too much data in progress');
  });

  it('gets 100 Continue only if the request is acceptable', async () => {
    const test = await openApp();
    const { port } = await listenTo(test);
    const body = JSON.stringify({ text: 'Hello', ...fr });
    const request = (key: string): string =>
      `POST /v2/translate HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\n` +
      `Expect: 100-continue\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
    expect(await exchangeBytes(port, request('drg_unknown'))).toMatch(/^HTTP\/1.1 403 /);
    const accepted = await exchangeBytes(port, request(test.key) + body);
    expect(accepted).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/);
  });
});
