import { describe, expect, it } from 'vitest';
import { UNLIMITED } from '../../src/store/shared/metering.ts';
import type { Metering, RateDecision, Store } from '../../src/store/store.ts';
import { accountWith, EMAIL, openInstance, openStore, register, STORES } from './harness.ts';

const START = 1_700_000_000_000;

async function keyOf(store: Store, email?: string): Promise<string> {
  return (await accountWith(store, 0, email)).key;
}

async function take(metering: Metering, key: string): Promise<RateDecision> {
  const caller = await metering.admit(key);
  if (caller.state !== 'active') throw new Error('the key is not active');
  return caller.rate;
}

describe.each(STORES)('a rate window ($name)', ({ place }) => {
  it('admits requests up to its limit until it ends', async () => {
    let now = START;
    const { store, instance } = await openInstance(place, {
      rates: { limit: 3, windowMs: 60_000, now: () => now },
    });
    const key = await keyOf(store);
    const taken = async (): Promise<unknown> => {
      const { allowed, made, remaining, resetAt, limit } = await take(instance.metering, key);
      return [allowed, made, remaining, resetAt - START, limit];
    };
    expect(await taken()).toEqual([true, 1, 2, 60_000, 3]);
    now += 20_000;
    expect(await taken()).toEqual([true, 2, 1, 60_000, 3]);
    expect(await taken()).toEqual([true, 3, 0, 60_000, 3]);
    expect(await taken()).toEqual([false, 4, 0, 60_000, 3]);
    now = START + 59_999;
    expect(await taken()).toEqual([false, 5, 0, 60_000, 3]);
    now = START + 60_000;
    expect(await taken()).toEqual([true, 1, 2, 120_000, 3]);
    // The next window begins with a request, not at the end of the last one.
    now = START + 500_000;
    expect(await taken()).toEqual([true, 1, 2, 560_000, 3]);
  });

  it('counts concurrent requests one by one, in order', async () => {
    const rates = { limit: 3, windowMs: 60_000, now: () => START };
    const { store, instance } = await openInstance(place, { rates });
    const [anna, bernd] = [await keyOf(store), await keyOf(store, 'bernd@example.org')];
    await take(instance.metering, anna);
    const keys = [anna, bernd, anna, anna, bernd, anna];
    const taken = await Promise.all(keys.map((key) => take(instance.metering, key)));
    expect(taken.map(({ made }) => made)).toEqual([2, 1, 3, 4, 2, 5]);
    expect(taken.map(({ allowed }) => allowed)).toEqual([true, true, true, false, true, false]);
  });

  it('is shared by all processes that have the store open, and outlives them', async () => {
    const rates = { limit: 60, windowMs: 60_000, now: () => START };
    const { store, open } = await openStore(place);
    const key = await keyOf(store);
    const both = [await register(store, { rates }), await register(await open(), { rates })];
    const taken = await Promise.all(Array.from({ length: 60 }, (_, i) => take(both[i % 2]!.metering, key)));
    expect(taken.every(({ allowed }) => allowed)).toBe(true);
    expect(taken.map(({ made }) => made).sort((a, b) => a - b)).toEqual(taken.map((_, i) => i + 1));
    for (const instance of both) await instance.close();
    const { metering } = await register(await open(), { rates });
    expect(await take(metering, key)).toMatchObject({ allowed: false, made: 61 });
  });

  it('does not block a key for hours after the clock was set back, and tolerates small differences', async () => {
    let now = START;
    const rates = { limit: 1, windowMs: 60_000, now: () => now };
    const { store, instance } = await openInstance(place, { rates });
    const key = await keyOf(store);
    await take(instance.metering, key);
    now = START - 5;
    expect(await take(instance.metering, key)).toMatchObject({ allowed: false, made: 2 });
    now = START - 3_600_000;
    expect(await take(instance.metering, key)).toMatchObject({ allowed: true, made: 1 });
  });

  it('without a limit refuses nothing and writes nothing', async () => {
    const rates = { limit: 0, windowMs: 60_000, now: () => START };
    const { store, instance, database } = await openInstance(place, { rates });
    const key = await keyOf(store);
    for (let i = 0; i < 5; i++) {
      expect(await take(instance.metering, key)).toEqual({
        allowed: true,
        made: 0,
        limit: UNLIMITED,
        remaining: UNLIMITED,
        resetAt: START + 60_000,
      });
    }
    expect(await database.sql.selectFrom('rate_windows').selectAll().execute()).toEqual([]);
  });

  it('does not count a key that is revoked or unknown', async () => {
    const rates = { limit: 3, windowMs: 60_000, now: () => START };
    const { store, instance, database } = await openInstance(place, { rates });
    const { key } = await accountWith(store, 0, 'revoked@example.org');
    await store.accounts.revokeKeys('revoked@example.org');
    expect(await instance.metering.admit(key)).toEqual({ state: 'revoked' });
    expect(await instance.metering.admit('nobody')).toEqual({ state: 'unknown' });
    expect(await database.sql.selectFrom('rate_windows').selectAll().execute()).toEqual([]);
  });

  it('reports how many requests the account may have in progress', async () => {
    const { store, instance } = await openInstance(place);
    const { key } = await accountWith(store, 0);
    expect(await instance.metering.admit(key)).toMatchObject({ maxConcurrency: undefined });
    await store.accounts.limit(EMAIL, { concurrency: 2 });
    expect(await instance.metering.admit(key)).toMatchObject({ maxConcurrency: 2 });
  });
});
