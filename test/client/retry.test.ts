import { afterEach, describe, expect, it, vi } from 'vitest';
import { delayBeforeRetry, type AttemptFailure } from '../../src/base/http/failures.ts';
import { readRateHeaders } from '../../src/base/http/rate-headers.ts';
import { Semaphore } from '../../src/client/semaphore.ts';
import { signal } from './clients.ts';

const fresh = { tries: 1, leftMs: 60_000 };

describe('a retry', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each<[string, 'GET' | 'POST' | 'DELETE', AttemptFailure, boolean]>([
    ['of a POST that was not sent', 'POST', { kind: 'unsent' }, true],
    ['of a POST that was refused', 'POST', { kind: 'refused' }, true],
    ['of a POST whose answer was lost', 'POST', { kind: 'lost' }, false],
    ['of a POST that failed', 'POST', { kind: 'final' }, false],
    ['of a GET whose answer was lost', 'GET', { kind: 'lost' }, true],
    ['of a DELETE whose answer was lost', 'DELETE', { kind: 'lost' }, true],
    ['of a GET that failed', 'GET', { kind: 'final' }, false],
  ])('%s', (_, method, obstacle, isMade) => {
    expect(delayBeforeRetry(method, obstacle, fresh) !== undefined).toBe(isMade);
  });

  it('waits longer each time, with jitter, up to three times', () => {
    const delays = (random: number) => {
      vi.spyOn(Math, 'random').mockReturnValue(random);
      return [1, 2, 3, 4].map((tries) =>
        delayBeforeRetry('GET', { kind: 'unsent' }, { tries, leftMs: 60_000 }),
      );
    };
    expect(delays(0.999).map((delay) => delay && Math.round(delay))).toEqual([250, 500, 999, undefined]);
    expect(delays(0)).toEqual([0, 0, 0, undefined]);
  });

  it('waits as long as the service requests, if there is time', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const obstacle = { kind: 'refused', retryIn: 5000 } as const;
    expect(delayBeforeRetry('POST', obstacle, fresh)).toBe(5000);
    expect(delayBeforeRetry('POST', obstacle, { tries: 1, leftMs: 5000 })).toBeUndefined();
  });
});

describe('rate headers', () => {
  const DATE = 'Thu, 01 Jan 2026 00:00:00 GMT';
  const time = Date.UTC(2026, 0, 1);
  it.each<[string, Record<string, string>, object]>([
    ['none', {}, {}],
    ['numbers', { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' }, { limit: 60, remaining: 59 }],
    ['seconds', { 'x-ratelimit-reset': String(time / 1000) }, { resetAt: time + 1000 }],
    ['seconds with a fraction', { 'x-ratelimit-reset': `${time / 1000}.5` }, { resetAt: time + 500 }],
    ['milliseconds', { 'x-ratelimit-reset': String(time) }, { resetAt: time }],
    ['a countdown', { 'x-ratelimit-reset': '30' }, { resetIn: 31_000 }],
    ['a date', { 'x-ratelimit-reset': '2026-01-01T00:00:00Z' }, { resetAt: time + 1000 }],
    ['a wait', { 'retry-after': '7' }, { retryIn: 7000 }],
    ['a date to wait for', { 'retry-after': DATE, date: DATE }, { retryAt: time + 1000, date: time }],
    [
      'nonsense',
      {
        'x-ratelimit-limit': '-1',
        'x-ratelimit-remaining': 'many',
        'x-ratelimit-reset': 'soon',
        'retry-after': 'later',
        date: '?',
      },
      {},
    ],
  ])('may be %s', (_, headers, expected) => {
    const found = Object.entries(readRateHeaders({ headers })).filter(([, value]) => value !== undefined);
    expect(Object.fromEntries(found)).toEqual(expected);
  });
});

describe('slots', () => {
  it('are passed on once, in order of arrival, but not to waiters that left', async () => {
    const slots = new Semaphore(1);
    const release = await slots.take(signal);
    const leaving = new AbortController();
    const order: number[] = [];
    const second = slots.take(leaving.signal).catch(() => order.push(2));
    const third = slots.take(signal).then((free) => (order.push(3), free));
    const fourth = slots.take(signal).then((free) => (order.push(4), free));
    leaving.abort();
    await second;
    release();
    release();
    (await third)();
    (await fourth)();
    expect(order).toEqual([2, 3, 4]);
    (await slots.take(signal))();
    await expect(slots.take(AbortSignal.abort())).rejects.toMatchObject({ code: 'interrupted' });
  });
});
