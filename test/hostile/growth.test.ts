import { describe, expect, it } from 'vitest';
import { Random } from '../../src/plugins/contract/random.ts';
import { findGrowth } from './growth.ts';
import type { Work } from './work.ts';

const text = { name: 'a text', make: (length: number) => 'a'.repeat(length) };

/** A step of this many milliseconds, each time prolonged by other work on the machine. */
function workOf(msFor: (length: number) => number, noise: () => number = () => 1): Work {
  return ({ length }) => Promise.resolve(new Map([['step', msFor(length) * noise()]]));
}

/** From 1 to 2, like processor times on a busy machine. */
function busyMachine(seed: number): () => number {
  const random = new Random(seed);
  return () => 1 + random.below(11) / 10;
}

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);

describe('a step whose time grows', () => {
  it.each([
    ['with the square of the length', (n: number) => (n / 20_000) ** 2 * 10],
    ['with the length to the power of 1.8', (n: number) => (n / 20_000) ** 1.8 * 20],
    ['exponentially', (n: number) => 2 ** (n / 10_000)],
  ])('%s is found, nearly always even on a busy machine', async (_, msFor) => {
    expect(await findGrowth(workOf(msFor), text)).toHaveLength(1);
    let found = 0;
    for (const seed of SEEDS) found += (await findGrowth(workOf(msFor, busyMachine(seed)), text)).length;
    expect(found).toBeGreaterThan(SEEDS.length * 0.8);
  });

  it.each([
    ['with the length', (n: number) => n / 200],
    ['with the length and its logarithm', (n: number) => (n * Math.log2(n)) / 4_000],
    ['with the length, after a constant half second', (n: number) => 500 + n / 200],
  ])('%s is not found, even on a busy machine', async (_, msFor) => {
    for (const seed of SEEDS)
      expect(await findGrowth(workOf(msFor, busyMachine(seed)), text), String(seed)).toEqual([]);
  });

  it('is not found in linear time, even if one reading is slow', async () => {
    for (const slow of [0, 1, 2, 3, 4]) {
      let reading = 0;
      const noise = (): number => (reading++ === slow ? 30 : 1);
      expect(
        await findGrowth(
          workOf((n) => n / 1_000, noise),
          text,
        ),
      ).toEqual([]);
    }
  });

  it('shows its times for three lengths', async () => {
    expect(
      await findGrowth(
        workOf((n) => (n / 30_000) ** 2 * 40),
        text,
      ),
    ).toEqual(['step: 40 ms, then 640 ms, then 10240 ms']);
  });
});
