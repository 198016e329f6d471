import { WEBHOOK_RETRIES, WEBHOOK_TIMEOUT_MS } from '../contract/limits.ts';
import type { CallLimits, ClaimedDelivery, DeliveryStore } from '../store/delivery-store.ts';
import { attemptCall, type CallFailure } from './attempt.ts';

/** Calls beyond these limits wait, so that an unreachable receiver delays only its own calls. */
const LIMITS: CallLimits = { total: 128, perAccount: 32, perOrigin: 16 };
/** Other processes on the store may leave calls without notifying this one. */
const POLL_MS = 5_000;
/** How long pending calls may continue when the process ends. */
const GRACE_MS = 5_000;

/** An attempt to deliver and its result. */
export interface CallResult {
  readonly id: string;
  readonly jobId: string;
  /** Starts at 1. */
  readonly attempt: number;
  readonly outcome: 'delivered' | 'retrying' | 'failed';
  /** Why the attempt failed, without the receiver's data. */
  readonly error?: string;
}

interface DeliveriesLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface DeliveriesOptions {
  readonly store: DeliveryStore;
  /** The payload for a finished job; undefined if the job no longer exists. Called until one is stored. */
  readonly bodyOf: (jobId: string) => Promise<string | undefined>;
  /** Whether receivers may be in private networks and on this machine. */
  readonly allowPrivate: boolean;
  /** Certificates (PEM) to trust instead of Node's own and those of NODE_EXTRA_CA_CERTS. */
  readonly ca?: string | undefined;
  readonly log?: DeliveriesLog | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /** Schedules a function; returns a function that cancels it. */
  readonly schedule?: ((run: () => void, delayMs: number) => () => void) | undefined;
  readonly onResult?: ((result: CallResult) => void) | undefined;
  /** The time limit of one attempt. Default: the specification's. */
  readonly timeoutMs?: number | undefined;
  readonly graceMs?: number | undefined;
}

/**
 * Calls the webhooks of finished jobs (specification: Events, Delivery) at least once each. If the receiver does not
 * acknowledge, up to three more attempts follow, with the same id and body. Calls left when the process ends are made
 * by the next one.
 */
export interface Deliveries {
  /** Checks for due calls immediately, because a job has ended. */
  wake(): void;
  /** Starts no more calls. Gives pending calls a moment, then cuts them off and leaves them to the next process. */
  close(): Promise<void>;
}

export function startDeliveries(options: DeliveriesOptions): Deliveries {
  const loop = new DeliveryLoop(options);
  loop.wake();
  return loop;
}

class DeliveryLoop implements Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #now: () => number;
  readonly #running = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();
  #pass: Promise<void> | undefined;
  /** Whether work may have arrived that the current pass has not seen. */
  #again = false;
  /** The time since which the store may list calls that this process no longer runs. */
  #strandedAt: number | undefined;
  #cancelTimer: () => void = () => undefined;
  #closing: Promise<void> | undefined;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  wake(): void {
    if (this.#closing) return;
    this.#again = true;
    this.#pass ??= this.#passes();
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#cancelTimer();
    await this.#pass;
    const calls = Promise.all(this.#running.values());
    const timer = setTimeout(() => this.#stop.abort(), this.#options.graceMs ?? GRACE_MS);
    await calls;
    clearTimeout(timer);
    if (this.#stop.signal.aborted || this.#strandedAt !== undefined) {
      await this.#options.store.release();
    }
  }

  async #passes(): Promise<void> {
    let wait = POLL_MS;
    while (this.#again && !this.#closing) {
      this.#again = false;
      try {
        wait = await this.#begin();
      } catch (error) {
        this.#options.log?.error({ err: error }, 'cannot read which webhooks are due');
        this.#strandedAt ??= this.#now();
        wait = POLL_MS;
      }
    }
    // Reset in the same turn as the last check of #again, so that no request is missed.
    this.#pass = undefined;
    if (!this.#closing) this.#wakeIn(wait);
  }

  /** Starts the due calls that the limits allow; returns the time until there may be more. */
  async #begin(): Promise<number> {
    const { store } = this.#options;
    await this.#releaseStranded();
    const claimed = await store.claimDue(LIMITS, this.#now());
    for (const call of claimed) {
      const done = this.#run(call).finally(() => {
        this.#running.delete(call.id);
        this.wake();
      });
      this.#running.set(call.id, done);
    }
    // While the claimed calls are pending, calls that were not examined may be next.
    if (claimed.length > 0) this.#again = true;
    // Due calls delayed by the limits start when a call ends, which starts another pass.
    const next = await store.nextAt(this.#now());
    return Math.min(POLL_MS, next === undefined ? POLL_MS : Math.max(0, next - this.#now()));
  }

  /** Delayed, because the store was not writable a moment ago. */
  async #releaseStranded(): Promise<void> {
    if (this.#strandedAt === undefined || this.#now() - this.#strandedAt < POLL_MS) return;
    await this.#options.store.release([...this.#running.keys()]);
    this.#strandedAt = undefined;
  }

  #wakeIn(delayMs: number): void {
    this.#cancelTimer();
    const schedule = this.#options.schedule ?? scheduleTimer;
    this.#cancelTimer = schedule(() => this.wake(), delayMs);
  }

  /** One try. Never rejects. */
  async #run(call: ClaimedDelivery): Promise<void> {
    try {
      const body = call.body ?? (await this.#makeBody(call));
      if (body === undefined) return;
      const { allowPrivate, ca, timeoutMs = WEBHOOK_TIMEOUT_MS } = this.#options;
      const { signal } = this.#stop;
      const failure = await attemptCall(
        { id: call.id, url: call.url, secret: call.secret, body },
        { allowPrivate, ca, timeoutMs, signal, now: this.#now() },
      );
      if (failure && signal.aborted) return;
      await this.#record(call, failure);
    } catch (error) {
      // The store is not writable. The call may be repeated, but is never lost.
      this.#strandedAt ??= this.#now();
      this.#options.log?.error({ err: error, job: call.jobId, webhook: call.id }, 'cannot call a webhook');
    }
  }

  /**
   * Stores the body before the first attempt, so that it is the same for every attempt, even in later processes.
   * Undefined if there is nothing to send.
   */
  async #makeBody(call: ClaimedDelivery): Promise<string | undefined> {
    const { store, log, bodyOf } = this.#options;
    let body: string | undefined;
    try {
      body = await bodyOf(call.jobId);
    } catch (error) {
      log?.error({ err: error, job: call.jobId, webhook: call.id }, 'cannot read the result of a job');
      await this.#record(call, { reason: 'the result of the job cannot be read' });
      return undefined;
    }
    if (body === undefined) {
      await store.failed(call.id, { error: 'the job no longer exists', retryAt: undefined });
      return undefined;
    }
    return (await store.storeBody(call.id, body)) ? body : undefined;
  }

  async #record(call: ClaimedDelivery, failure: CallFailure | undefined): Promise<void> {
    const { store, log, onResult } = this.#options;
    const attempt = call.attempts + 1;
    const result = { id: call.id, jobId: call.jobId, attempt };
    // A URL's path may contain a secret of the receiver, so only its origin is logged.
    const fields = { job: call.jobId, webhook: call.id, receiver: new URL(call.url).origin, attempt };
    if (!failure) {
      await store.delivered(call.id, this.#now());
      log?.info(fields, 'webhook delivered');
      onResult?.({ ...result, outcome: 'delivered' });
      return;
    }
    const { reason, retryAfterMs = 0, isFinal } = failure;
    const delay = isFinal === true ? undefined : retryDelay(attempt);
    const retryAt = delay === undefined ? undefined : this.#now() + Math.max(delay, retryAfterMs);
    await store.failed(call.id, { error: reason, retryAt });
    log?.warn({ ...fields, reason }, delay === undefined ? 'gave up calling a webhook' : 'webhook failed');
    onResult?.({ ...result, outcome: delay === undefined ? 'failed' : 'retrying', error: reason });
  }
}

function scheduleTimer(run: () => void, delayMs: number): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

/** The delays double. If all attempts take their full 10 seconds, the last one ends within 75 seconds of the job. */
const FIRST_MS = 4_000;
const JITTER = 0.2;

/**
 * The delay after a failed attempt: 4, 8, 16 seconds, each varied by up to a fifth, so that calls that failed together
 * do not return together. Undefined after the last attempt.
 *
 * @param failures failed attempts, including this one
 * @param random from 0 to 1
 */
export function retryDelay(failures: number, random: number = Math.random()): number | undefined {
  if (failures > WEBHOOK_RETRIES) return undefined;
  return Math.round(FIRST_MS * 2 ** (failures - 1) * (1 + JITTER * (2 * random - 1)));
}
