import { createHash } from 'node:crypto';
import { DragomanError } from '../base/errors.ts';
import { interrupted, throwIfAborted } from '../base/interruption.ts';
import { RATE_WINDOW_MS } from '../contract/limits.ts';
import type { Clock } from '../base/clock.ts';
import type { RateHeaders } from '../base/http/rate-headers.ts';

/** Called before a wait for the service, with the reason and the milliseconds. */
export type WaitListener = (reason: string, ms: number) => void;

export interface RateAdmission {
  readonly signal: AbortSignal;
  /** Maximum milliseconds to wait for the reset of a window. */
  readonly maxWaitMs: number;
  /** Whether this is a retry, which goes before new requests. */
  readonly again: boolean;
  readonly onWait?: WaitListener | undefined;
}

/** The result of an admitted request. */
export type RateVerdict =
  /** The request did not reach the service. */
  | 'unsent'
  /** The request may have reached the service. */
  | 'lost'
  /** `refused` for a 429. */
  | { readonly headers: RateHeaders; readonly refused: boolean };

interface Waiter extends RateAdmission {
  admit(): void;
  refuse(error: DragomanError): void;
}

interface GateWindow {
  readonly limit: number;
  remaining: number;
  /** On the service's clock. */
  readonly resetAt: number;
  /** Whether the window has ended and no answer has described the next one, which has the same limit. */
  over: boolean;
}

/** Two countdowns to one reset may differ by this much. */
const SAME_RESET_MS = 1000;

/**
 * Admits requests according to the service's rate limit, for all users of a key: first come, first served. It does not
 * rely on its own count, because every answer reports how many requests are left in the window. The first request goes
 * alone. Pending requests are assumed to be missing from the reported count, so 429 only occurs if other processes use
 * the same key. When a window ends, all waiting requests continue at once.
 */
export class RateGate {
  readonly #clock: Clock;
  readonly #queue: Waiter[] = [];
  #inFlight = 0;
  /** Unknown before the first answer; `none` if that answer reported no limit. */
  #window: GateWindow | 'unknown' | 'none' = 'unknown';
  #wasRefused = false;
  /** No request is sent before this time, which a 429 named. */
  #closedUntil = -Infinity;
  /** The minimum difference between the service's clock and ours: its `Date` is rounded down. */
  #ahead: number | undefined;
  #timer: AbortController | undefined;
  #told: { readonly until: number; readonly listeners: Set<WaitListener> } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Resolves when a request may be sent, to a function that must be called with the result.
   *
   * @throws DragomanError `rate_limited` if the wait would be too long, `interrupted`
   */
  async enter(turn: RateAdmission): Promise<(verdict: RateVerdict) => void> {
    throwIfAborted(turn.signal, UNTIMELY);
    if (this.#queue.length === 0 && (this.#opensAt() ?? Infinity) <= this.#clock.now()) this.#inFlight++;
    else await this.#queueUp(turn);
    let left = false;
    return (verdict) => {
      if (left) return;
      left = true;
      this.#leave(verdict);
    };
  }

  #queueUp(turn: RateAdmission): Promise<void> {
    const { signal } = turn;
    return new Promise((resolve, reject) => {
      const interrupt = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiter), 1);
        waiter.refuse(interrupted(UNTIMELY));
        this.#admit();
      };
      const waiter: Waiter = {
        ...turn,
        admit: () => {
          signal.removeEventListener('abort', interrupt);
          resolve();
        },
        refuse: (error) => {
          signal.removeEventListener('abort', interrupt);
          reject(error);
        },
      };
      signal.addEventListener('abort', interrupt, { once: true });
      if (turn.again) this.#queue.unshift(waiter);
      else this.#queue.push(waiter);
      this.#admit();
    });
  }

  #leave(verdict: RateVerdict): void {
    this.#inFlight--;
    if (typeof verdict === 'object') this.#learn(verdict.headers, verdict.refused);
    else if (verdict === 'lost' && typeof this.#window === 'object') this.#window.remaining--;
    this.#admit();
  }

  #admit(): void {
    this.#timer?.abort();
    this.#timer = undefined;
    while (this.#queue.length > 0) {
      const opensAt = this.#opensAt();
      const now = this.#clock.now();
      if (opensAt === undefined) return;
      if (opensAt > now) {
        this.#wait(opensAt, now);
        return;
      }
      this.#inFlight++;
      this.#queue.shift()?.admit();
    }
  }

  /** When the next request may be sent; undefined if that depends on the next answer. */
  #opensAt(): number | undefined {
    const now = this.#clock.now();
    const afterAnswer = this.#inFlight > 0 ? undefined : now;
    if (this.#closedUntil > now) return this.#closedUntil;
    const window = this.#window;
    if (window === 'none') return now;
    if (window === 'unknown') return afterAnswer;
    const resetAt = this.#here(window.resetAt);
    if (!window.over && now >= resetAt) {
      window.over = true;
      window.remaining = window.limit;
    }
    if (window.remaining > this.#inFlight) return now;
    return window.over || this.#inFlight > 0 ? afterAnswer : resetAt;
  }

  /** Converts a time of the service's clock to this machine's: never early, at most a second late. */
  #here(time: number): number {
    return time - (this.#ahead ?? 0);
  }

  #wait(until: number, now: number): void {
    const ms = until - now;
    for (const waiter of this.#queue.filter(({ maxWaitMs }) => ms > maxWaitMs)) {
      this.#queue.splice(this.#queue.indexOf(waiter), 1);
      waiter.refuse(tooLong(ms));
    }
    if (this.#queue.length === 0) return;
    this.#tell(until, ms);
    const timer = new AbortController();
    this.#timer = timer;
    void this.#admitAfter(ms, timer.signal);
  }

  async #admitAfter(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#clock.wait(ms, signal);
    } catch {
      // Another event ended the wait, and has already checked again.
    }
    if (!signal.aborted) this.#admit();
  }

  /** Calls each listener once per wait. */
  #tell(until: number, ms: number): void {
    if (this.#told?.until !== until) this.#told = { until, listeners: new Set() };
    for (const { onWait } of this.#queue) {
      if (!onWait || this.#told.listeners.has(onWait)) continue;
      this.#told.listeners.add(onWait);
      onWait('the rate limit of the service', ms);
    }
  }

  #learn(headers: RateHeaders, refused: boolean): void {
    const { limit, remaining, date } = headers;
    const now = this.#clock.now();
    if (date !== undefined) this.#ahead = Math.max(this.#ahead ?? -Infinity, date - now);
    const there = now + (this.#ahead ?? 0);
    const resetAt = headers.resetIn === undefined ? headers.resetAt : there + headers.resetIn;
    const retryAt = headers.retryIn === undefined ? headers.retryAt : there + headers.retryIn;
    if (refused) {
      const full = remaining === undefined || remaining <= 0;
      const until = Math.max(retryAt ?? -Infinity, (full ? resetAt : undefined) ?? -Infinity);
      this.#closedUntil = Math.max(this.#closedUntil, this.#here(until));
    }
    if (remaining === undefined || (limit === 0 && !refused)) this.#learnNothing(refused);
    else this.#update(limit ?? remaining + 1, remaining, resetAt ?? there + RATE_WINDOW_MS);
  }

  /** Requests to a service that refuses without reporting numbers are sent one at a time. */
  #learnNothing(refused: boolean): void {
    this.#wasRefused ||= refused;
    if (typeof this.#window === 'object') this.#window.remaining--;
    else this.#window = this.#wasRefused ? 'unknown' : 'none';
  }

  /**
   * Answers arrive in any order: within a window, the lowest number counts, and answers of an earlier window are
   * ignored.
   */
  #update(limit: number, remaining: number, resetAt: number): void {
    const window = this.#window;
    const isSame = typeof window === 'object' && Math.abs(resetAt - window.resetAt) <= SAME_RESET_MS;
    if (isSame && !window.over) window.remaining = Math.min(window.remaining, remaining);
    else if (typeof window !== 'object' || (!isSame && resetAt > window.resetAt)) {
      this.#window = { limit, remaining, resetAt, over: false };
    }
  }
}

const UNTIMELY = 'interrupted while waiting for the rate limit';

function tooLong(ms: number): DragomanError {
  const seconds = Math.ceil(ms / 1000);
  return new DragomanError(
    'rate_limited',
    `rate limited for another ${seconds} seconds, which exceeds the time limit`,
    {
      hint: 'Try again then, or allow a longer wait.',
    },
  );
}

const gates = new WeakMap<Clock, Map<string, RateGate>>();

/** The gate of all users of this key at this origin in this process. Only the key's hash is stored. */
export function rateGateOf(clock: Clock, origin: string, key: string | undefined): RateGate {
  const name = createHash('sha256')
    .update(JSON.stringify([origin, key]))
    .digest('hex');
  const ofClock = gates.get(clock) ?? new Map<string, RateGate>();
  gates.set(clock, ofClock);
  const gate = ofClock.get(name) ?? new RateGate(clock);
  ofClock.set(name, gate);
  return gate;
}
