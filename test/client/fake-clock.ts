import type { Clock } from '../../src/base/clock.ts';

interface Sleeper {
  readonly until: number;
  wake(): void;
}

/**
 * A clock that jumps to the next awaited moment once the event loop has been idle for a few turns: an hour of waiting
 * takes milliseconds, in the original order.
 */
export class FakeClock implements Clock {
  #now: number;
  #sleepers: Sleeper[] = [];
  #isTurning = false;
  /** Milliseconds of every wait, in the order of their ends. */
  readonly waits: number[] = [];

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(new Error('aborted'));
      };
      const sleeper: Sleeper = {
        until: this.#now + ms,
        wake: () => {
          signal.removeEventListener('abort', stop);
          this.waits.push(ms);
          resolve();
        },
      };
      if (signal.aborted) {
        reject(new Error('aborted'));
        return;
      }
      signal.addEventListener('abort', stop, { once: true });
      this.#sleepers.push(sleeper);
      void this.#turn();
    });
  }

  async #turn(): Promise<void> {
    if (this.#isTurning) return;
    this.#isTurning = true;
    while (this.#sleepers.length > 0) {
      for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
      const next = this.#sleepers.toSorted((a, b) => a.until - b.until)[0];
      if (!next) break;
      this.#now = Math.max(this.#now, next.until);
      this.#sleepers = this.#sleepers.filter((other) => other !== next);
      next.wake();
    }
    this.#isTurning = false;
  }
}
