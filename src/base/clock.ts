import { setTimeout as delay } from 'node:timers/promises';

/** The client's clock: all waiting goes through it, so that tests need not wait. */
export interface Clock {
  /** Milliseconds since the epoch. Monotonic. */
  now(): number;
  /** Resolves after `ms`; rejects when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

const NS_PER_MS = 1_000_000n;
const sinceBoot = (): number => Number(process.hrtime.bigint() / NS_PER_MS);
const bootedAt = Date.now() - sinceBoot();

/** Monotonic, so that setting back the system's clock does not delay a run. */
export const systemClock: Clock = {
  // Avoids `performance`, which loads another Node module.
  now: () => bootedAt + sinceBoot(),
  wait: async (ms, signal) => {
    await delay(ms, undefined, { signal });
  },
};
