import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import { findCaller } from '../../src/store/keys.ts';
import { RateWindows, UNLIMITED } from '../../src/store/rate-windows.ts';
import { accountWith, openStore, temporaryDirectory } from './harness.ts';

const START = 1_700_000_000_000;

async function keyOf(database: Database, email?: string): Promise<string> {
  const caller = await findCaller(database, (await accountWith(database, 0, email)).key);
  if (caller.state !== 'active') throw new Error('the key is not active');
  return caller.keyId;
}

describe('a rate window', () => {
  it('lets its limit through and refuses what comes beyond, until it ends', async () => {
    const database = await openStore();
    const key = await keyOf(database);
    let now = START;
    const windows = new RateWindows(database, { limit: 3, windowMs: 60_000, now: () => now });
    const take = async (): Promise<unknown> => {
      const { allowed, made, remaining, resetAt, limit } = await windows.take(key);
      return [allowed, made, remaining, resetAt - START, limit];
    };
    expect(await take()).toEqual([true, 1, 2, 60_000, 3]);
    now += 20_000;
    expect(await take()).toEqual([true, 2, 1, 60_000, 3]);
    expect(await take()).toEqual([true, 3, 0, 60_000, 3]);
    expect(await take()).toEqual([false, 4, 0, 60_000, 3]);
    now = START + 59_999;
    expect(await take()).toEqual([false, 5, 0, 60_000, 3]);
    now = START + 60_000;
    expect(await take()).toEqual([true, 1, 2, 120_000, 3]);
    // The next one begins with a request, not where the last one ended.
    now = START + 500_000;
    expect(await take()).toEqual([true, 1, 2, 560_000, 3]);
  });

  it('counts requests at the same time one by one, in their order', async () => {
    const database = await openStore();
    const [anna, bernd] = [await keyOf(database), await keyOf(database, 'bernd@example.org')];
    const windows = new RateWindows(database, { limit: 3, windowMs: 60_000, now: () => START });
    await windows.take(anna);
    const taken = await Promise.all([anna, bernd, anna, anna, bernd, anna].map((key) => windows.take(key)));
    expect(taken.map(({ made }) => made)).toEqual([2, 1, 3, 4, 2, 5]);
    expect(taken.map(({ allowed }) => allowed)).toEqual([true, true, true, false, true, false]);
  });

  it('is shared by all who have the store open, and outlives them', async () => {
    const directory = temporaryDirectory();
    const options = { limit: 60, windowMs: 60_000, now: () => START };
    const first = await openStore(directory);
    const key = await keyOf(first);
    const second = await openStore(directory);
    const both = [new RateWindows(first, options), new RateWindows(second, options)];
    const taken = await Promise.all(Array.from({ length: 60 }, (_, i) => both[i % 2]!.take(key)));
    expect(taken.every(({ allowed }) => allowed)).toBe(true);
    expect(taken.map(({ made }) => made).sort((a, b) => a - b)).toEqual(taken.map((_, i) => i + 1));
    const reopened = new RateWindows(await openStore(directory), options);
    expect(await reopened.take(key)).toMatchObject({ allowed: false, made: 61 });
  });

  it('does not keep a key waiting for hours where the clock was set back, and forgives small differences', async () => {
    const database = await openStore();
    const key = await keyOf(database);
    let now = START;
    const windows = new RateWindows(database, { limit: 1, windowMs: 60_000, now: () => now });
    await windows.take(key);
    now = START - 5;
    expect(await windows.take(key)).toMatchObject({ allowed: false, made: 2 });
    now = START - 3_600_000;
    expect(await windows.take(key)).toMatchObject({ allowed: true, made: 1 });
  });

  it('without a limit refuses nothing and writes nothing', async () => {
    const database = await openStore();
    const key = await keyOf(database);
    const windows = new RateWindows(database, { limit: 0, windowMs: 60_000, now: () => START });
    for (let i = 0; i < 5; i++) {
      expect(await windows.take(key)).toEqual({
        allowed: true,
        made: 0,
        limit: UNLIMITED,
        remaining: UNLIMITED,
        resetAt: START + 60_000,
      });
    }
    expect(await database.sql.selectFrom('rate_windows').selectAll().execute()).toEqual([]);
  });
});
