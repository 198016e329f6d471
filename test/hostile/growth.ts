import type { HostileText } from './texts.ts';
import type { Times, Work } from './work.ts';

const LENGTH = 30_000;
const TIMES = 4;
/** Only steps that take this many milliseconds for the long text are examined: most take less. */
const SUSPICIOUS = 100;
/** Between linear growth, by `TIMES`, and quadratic growth, by its square, with room for a garbage collection. */
const MOST = TIMES * 2.2;
/** Below this, the clock is too coarse. */
const LEAST = 20;
const REPEATS = 2;

/**
 * Steps whose time grows faster than the length of the text, with their milliseconds for both lengths; none for most
 * texts, after one reading.
 */
export async function findGrowth(work: Work, { make }: HostileText): Promise<readonly string[]> {
  const [short, long] = [make(LENGTH), make(LENGTH * TIMES)];
  const forLong = [await work(long)];
  const steps = [...(forLong[0] ?? [])].flatMap(([step, time]) => (time > SUSPICIOUS ? [step] : []));
  if (steps.length === 0) return [];
  // Measured repeatedly, because a single slow reading would hide the growth.
  const forShort = [await work(short), await work(short), await work(short)];
  const grown = (): readonly string[] => steps.filter((step) => isGrown(forShort, forLong, step));
  // Other work on the machine may disturb one of the measurements.
  for (let left = REPEATS; left > 0 && grown().length > 0; left--) {
    forShort.push(await work(short));
    forLong.push(await work(long));
  }
  if (grown().length === 0) return [];
  // A cold compiler slows down the short text, and a full heap the long one. Superlinear time grows again on a longer
  // one.
  const longer = make(LENGTH * TIMES * TIMES);
  const forLonger = [await work(longer)];
  const grownOn = (): readonly string[] => grown().filter((step) => isGrown(forLong, forLonger, step));
  for (let left = REPEATS; left > 0 && grownOn().length > 0; left--) {
    forLonger.push(await work(longer));
    forLong.push(await work(long));
  }
  return grownOn().map((step) => {
    const [first, second, third] = [forShort, forLong, forLonger].map((all) => least(all, step).toFixed(0));
    return `${step}: ${first} ms, then ${second} ms, then ${third} ms`;
  });
}

function isGrown(short: readonly Times[], long: readonly Times[], step: string): boolean {
  return least(long, step) > Math.max(least(short, step), LEAST) * MOST;
}

function least(all: readonly Times[], step: string): number {
  return Math.min(...all.map((times) => times.get(step) ?? 0));
}
