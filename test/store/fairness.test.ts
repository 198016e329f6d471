import { describe, expect, it } from 'vitest';
import { chooseFairly, PendingCalls, type DueDelivery } from '../../src/store/shared/deliveries.ts';
import { retryDelay } from '../../src/webhooks/deliveries.ts';

const limits = { total: 8, perAccount: 4, perOrigin: 3 };

function due(accountId: string, origin: string, count: number): DueDelivery[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${accountId}.${origin}.${index}`,
    accountId,
    origin,
  }));
}

describe('the choice of calls', () => {
  it('gives every account and every receiver its share', () => {
    const many = due('a', 'dead', 20);
    const chosen = chooseFairly([...many, ...due('a', 'live', 1), ...due('b', 'live', 1)], [], limits);
    expect(chosen.map(({ id }) => id)).toEqual(['a.dead.0', 'b.live.0', 'a.dead.1', 'a.live.0', 'a.dead.2']);
  });

  it('counts running calls', () => {
    const running = [...due('a', 'dead', 3), ...due('b', 'x', 1)];
    const chosen = chooseFairly(
      [...due('a', 'y', 2), ...due('b', 'x', 1), ...due('c', 'x', 2)],
      running,
      limits,
    );
    expect(chosen.map(({ id }) => id)).toEqual(['c.x.0', 'b.x.0', 'a.y.0']);
  });

  it('respects the total limit', () => {
    const all = ['a', 'b', 'c', 'd'].flatMap((account) => due(account, account, 9));
    expect(chooseFairly(all, [], limits)).toHaveLength(8);
    expect(chooseFairly(all, due('z', 'z', 8), limits)).toEqual([]);
  });

  it('reports which accounts and receivers have reached a limit', () => {
    const load = new PendingCalls([...due('a', 'x', 3), ...due('a', 'y', 1), ...due('b', 'y', 1)]);
    expect(load.full(limits)).toEqual({ accounts: ['a'], origins: ['x'] });
  });
});

describe('the delay of a retry', () => {
  it('doubles, three times', () => {
    expect([1, 2, 3, 4].map((failures) => retryDelay(failures, 0.5))).toEqual([4000, 8000, 16000, undefined]);
    expect([retryDelay(1, 0), retryDelay(1, 1)]).toEqual([3200, 4800]);
  });

  it('is within 10 seconds the first time, and within 75 in total, even if each attempt takes 10', () => {
    const longest = [1, 2, 3].map((failures) => retryDelay(failures, 1) ?? Infinity);
    expect(longest[0]).toBeLessThan(10_000);
    expect(longest.reduce((sum, delay) => sum + delay, 4 * 10_000)).toBeLessThan(75_000);
  });
});
