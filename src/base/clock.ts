import { setTimeout as delay } from 'node:timers/promises';

/** Time as the client sees it: everything that waits for the service waits here, so that a test need not. */
export interface Clock {
  /** Milliseconds since the epoch. Never goes back. */
  now(): number;
  /** Resolves after `ms`; rejects when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

const NS_PER_MS = 1_000_000n;
const sinceBoot = (): number => Number(process.hrtime.bigint() / NS_PER_MS);
const bootedAt = Date.now() - sinceBoot();

/** Monotonic: somebody who sets the system's clock back does not make a run wait for an hour. */
export const systemClock: Clock = {
  // `performance` would say the same, at the price of loading a module of Node.
  now: () => bootedAt + sinceBoot(),
  wait: async (ms, signal) => {
    await delay(ms, undefined, { signal });
  },
};
