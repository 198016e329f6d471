import { describe, expect, it } from 'vitest';
import type { RemoteOptions } from '../../src/client/connect.ts';
import { translateAll } from '../../src/service/translate-all.ts';
import { openApp } from '../server/harness.ts';
import { connect, EN_FR, failureOf, signal } from './clients.ts';
import { FakeClock } from './fake-clock.ts';
import { inProcessTransport } from './in-process.ts';
import { MeteredService, type MeteredOptions } from './metered-service.ts';

const WINDOW = 60_000;

async function start(metered: Omit<MeteredOptions, 'clock'>, options: Partial<RemoteOptions> = {}) {
  const clock = new FakeClock(Date.UTC(2026, 0, 1, 0, 0, 7, 345));
  const server = new MeteredService({ clock, limit: 60, ...metered });
  const baseUrl = 'https://service.example';
  const remote = await connect({ baseUrl, transport: server, clock, ...options });
  const began = clock.now();
  return { clock, server, remote, elapsed: () => clock.now() - began };
}

/** Makes `count` calls with `workers`, each of which takes the next one when it is done. */
async function work(count: number, workers: number, call: (i: number) => Promise<unknown>): Promise<void> {
  const numbers = Array.from({ length: count }, (_, i) => i).values();
  const worker = async (): Promise<void> => {
    for (const i of numbers) await call(i);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

describe('1,000 texts at 60 requests a minute', () => {
  it.each([1000, 950, 101])(
    'take only as many requests as %d distinct texts need, without waiting',
    async (unique) => {
      const { server, remote, elapsed } = await start({});
      const texts = Array.from({ length: 1000 }, (_, i) => `text ${i % unique}`);
      const { items } = await translateAll(remote.service, texts, EN_FR, { signal });
      expect(items.map(({ translation }) => translation)).toEqual(texts.map((text) => `[${text}]`));
      expect(server.requests).toHaveLength(Math.ceil(unique / 100));
      expect(server.refused).toBe(0);
      expect(server.most).toBeLessThanOrEqual(4);
      expect(elapsed()).toBeLessThan(1000);
    },
  );

  it('take only the windows they need if the window has little room', async () => {
    const { server, remote, elapsed } = await start({ limit: 3 });
    const texts = Array.from({ length: 1000 }, (_, i) => `text ${i}`);
    await translateAll(remote.service, texts, EN_FR, { signal });
    expect(server.requests).toHaveLength(10);
    expect(server.refused).toBe(0);
    // 3 + 3 + 3 + 1: three windows must pass.
    expect(elapsed()).toBeGreaterThanOrEqual(3 * WINDOW);
    expect(elapsed()).toBeLessThan(4 * WINDOW);
  });
});

describe('150 calls by 8 workers', () => {
  const cases: [string, Omit<MeteredOptions, 'clock'>][] = [
    ['windows that begin with a request', {}],
    ['windows by the clock', { begins: 'by the clock' }],
    ['a reset time that is rounded down', { rounding: 'down' }],
    ['a clock that is ahead of ours', { ahead: 34_567 }],
    ['a clock that is behind ours', { ahead: -3_456_789 }],
    ['slow answers', { takes: 2500 }],
    ['a countdown instead of a time', { headers: countDown }],
    ['milliseconds', { headers: inMilliseconds }],
    ['no clock in its answers', { headers: withoutDate }],
  ];
  it.each(cases)('stay within the limit of a service with %s', async (_, metered) => {
    const { server, remote, elapsed } = await start(metered, { concurrency: 8 });
    await work(150, 8, (i) => remote.service.translate({ text: `text ${i}`, ...EN_FR }, { signal }));
    expect(server.refused).toBe(0);
    expect(server.requests).toHaveLength(150);
    expect(server.most).toBe(8);
    // 60 + 60 + 30: two windows must pass, and all their slots are used.
    expect(elapsed()).toBeGreaterThan(metered.begins === 'by the clock' ? WINDOW : 2 * WINDOW);
    expect(elapsed()).toBeLessThan(2 * WINDOW + 30_000);
  });

  it('of several clients with one key together stay within its limit', async () => {
    const { clock, server, remote } = await start({});
    const other = await connect({ baseUrl: 'https://service.example/', transport: server, clock });
    const call = (i: number, { service } = i % 2 === 0 ? remote : other) =>
      service.translate({ text: `text ${i}`, ...EN_FR }, { signal });
    await work(150, 8, call);
    expect(server.refused).toBe(0);
  });

  it('are not delayed by a service without a limit', async () => {
    const { server, remote, elapsed } = await start({ headers: () => ({}), limit: 1e9 }, { concurrency: 8 });
    await work(150, 8, (i) => remote.service.translate({ text: `text ${i}`, ...EN_FR }, { signal }));
    expect(server.most).toBe(8);
    expect(elapsed()).toBeLessThan(1000);
  });

  it('succeed even if another process uses the same key', async () => {
    const { clock, server, remote, elapsed } = await start({}, { concurrency: 8 });
    const stop = new AbortController();
    const other = (async () => {
      while (!stop.signal.aborted) {
        server.count();
        await clock.wait(1500, stop.signal).catch(() => undefined);
      }
    })();
    await work(60, 8, (i) => remote.service.translate({ text: `text ${i}`, ...EN_FR }, { signal }));
    stop.abort();
    await other;
    // At most the requests that were pending when the window was full.
    expect(server.refused).toBeLessThanOrEqual(16);
    expect(elapsed()).toBeLessThan(4 * WINDOW);
  });
});

describe('our own server, at 60 requests a minute', () => {
  async function serve(concurrency: number) {
    const clock = new FakeClock();
    const { app, key } = await openApp({ rateLimit: 60, creditsGranted: 10_000, now: () => clock.now() });
    let refused = 0;
    let requests = 0;
    const counting = {
      fetch: async (request: Request) => {
        requests++;
        const response = await app.fetch(request);
        if (response.status === 429) refused++;
        return response;
      },
    };
    const transport = inProcessTransport(counting);
    const remote = await connect({ baseUrl: 'https://service.example', key, clock, transport, concurrency });
    const began = clock.now();
    return { ...remote, seen: () => ({ requests, refused }), elapsed: () => clock.now() - began };
  }

  it('sends 1,000 texts in the minimum number of requests', async () => {
    const { service, seen, elapsed } = await serve(4);
    const texts = Array.from({ length: 1000 }, (_, i) => `The text with the number ${i % 850}`);
    const { items } = await translateAll(service, texts, EN_FR, { signal });
    expect(items.every(({ success }) => success)).toBe(true);
    expect(seen()).toEqual({ requests: 9, refused: 0 });
    expect(elapsed()).toBeLessThan(WINDOW);
  });

  it('never refuses 150 calls by 8 workers', async () => {
    const { service, seen, elapsed } = await serve(8);
    await work(150, 8, (i) => service.translate({ text: `text ${i}`, ...EN_FR }, { signal }));
    expect(seen()).toEqual({ requests: 150, refused: 0 });
    expect(elapsed()).toBeGreaterThanOrEqual(2 * WINDOW);
    expect(elapsed()).toBeLessThan(3 * WINDOW);
  });
});

function withoutDate(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'date'));
}

function countDown(headers: Record<string, string>): Record<string, string> {
  const { date = '', 'x-ratelimit-reset': reset = '' } = headers;
  const seconds = Number(reset) - Date.parse(date) / 1000;
  return { ...headers, 'x-ratelimit-reset': String(seconds) };
}

function inMilliseconds(headers: Record<string, string>): Record<string, string> {
  return { ...headers, 'x-ratelimit-reset': `${headers['x-ratelimit-reset'] ?? ''}000` };
}

describe('a wait for the rate limit', () => {
  it('is reported once, with its length', async () => {
    const waits: [string, number][] = [];
    const { remote } = await start({ limit: 2 }, { onWait: (reason, ms) => waits.push([reason, ms]) });
    await work(4, 4, (i) => remote.service.translate({ text: `text ${i}`, ...EN_FR }, { signal }));
    expect(waits).toHaveLength(1);
    expect(waits[0]?.[0]).toBe('the rate limit of the service');
    expect(waits[0]?.[1]).toBeGreaterThan(59_000);
    expect(waits[0]?.[1]).toBeLessThan(62_500);
  });

  it('that is too long fails, and reports its length', async () => {
    const { server, remote } = await start({ limit: 1, windowMs: 3_600_000 });
    await remote.service.translate({ text: 'one', ...EN_FR }, { signal });
    const error = await failureOf(remote.service.translate({ text: 'two', ...EN_FR }, { signal }));
    expect(error.code).toBe('rate_limited');
    expect(error.message).toMatch(/another 360\d seconds/);
    expect(server.requests).toHaveLength(1);
  });

  it('that a refusal requests is not started if it is too long', async () => {
    const { server, remote } = await start({
      limit: 0,
      windowMs: 3_600_000,
      headers: ({ 'retry-after': retry = '' }) => ({ 'retry-after': retry }),
    });
    const error = await failureOf(remote.service.translate({ text: 'one', ...EN_FR }, { signal }));
    expect(error).toMatchObject({ code: 'rate_limited', status: 429, hint: 'Try again in 3600 seconds.' });
    expect(server.requests).toHaveLength(1);
  });

  it('follows a refusal without numbers', async () => {
    const { server, remote } = await start({
      limit: 1,
      headers: ({ 'retry-after': retry }) => (retry ? { 'retry-after': retry } : {}),
    });
    await work(3, 3, (i) => remote.service.translate({ text: `text ${i}`, ...EN_FR }, { signal }));
    expect(server.requests.length - server.refused).toBe(3);
    expect(server.refused).toBeLessThanOrEqual(3);
  });

  it('ends when it is interrupted', async () => {
    const { server, remote } = await start({ limit: 1 });
    await remote.service.translate({ text: 'one', ...EN_FR }, { signal });
    const stop = new AbortController();
    const call = failureOf(remote.service.translate({ text: 'two', ...EN_FR }, { signal: stop.signal }));
    stop.abort();
    expect(await call).toMatchObject({ code: 'interrupted' });
    expect(server.requests).toHaveLength(1);
  });

  it('does not delay requests that are not counted', async () => {
    const health = { status: 'healthy', timestamp: '2026-01-01T00:00:00Z' };
    const { remote, elapsed } = await start({ limit: 1, answer: () => health });
    for (let i = 0; i < 5; i++) await remote.service.health({ signal });
    expect(elapsed()).toBeLessThan(1000);
  });
});
