import { setMaxListeners } from 'node:events';
import { interrupted } from '../base/interruption.ts';
import type { Clock } from '../base/clock.ts';
import {
  exchange,
  type Call,
  type ExchangeOptions,
  type OpenResponse,
  type TryOutcome,
  type AttemptContext,
} from './exchange.ts';
import type { RateGate, WaitListener } from './rate-gate.ts';
import { delayBeforeRetry, withoutKey } from '../base/http/failures.ts';
import type { Semaphore } from './semaphore.ts';

export interface CallerOptions extends ExchangeOptions {
  readonly clock: Clock;
  readonly gate: RateGate;
  /** Limits concurrent requests. */
  readonly slots: Semaphore;
  readonly timeoutMs: number;
  readonly onWait?: WaitListener | undefined;
}

/**
 * Makes one call and resolves to the result of `read`: waits for a free connection and the rate limit, sends the
 * request, and retries it if that is safe. The time limit covers all attempts, but not waits for the rate limit.
 *
 * @throws DragomanError
 */
export type ServiceCaller = <T>(call: Call<T>, read: (answer: OpenResponse) => Promise<T>) => Promise<T>;

/** Uploads and downloads get an extra second per this many bytes; slower transfers count as stuck. */
const MIN_BYTES_PER_SECOND = 16 * 1024;

/** Milliseconds allowed for transferring this many bytes. */
export function transferMs(bytes: number): number {
  return (1000 * bytes) / MIN_BYTES_PER_SECOND;
}

export function createCaller(options: CallerOptions): ServiceCaller {
  return async (call, read) => {
    allowListeners(call.signal);
    const release = await options.slots.take(call.signal);
    let isKept = false;
    const keep = (): (() => void) => {
      isKept = true;
      return release;
    };
    try {
      return await repeat(options, call, (attempt) => exchange(options, call, { ...attempt, keep }, read));
    } catch (error) {
      throw withoutKey(error, options.key);
    } finally {
      if (!isKept) release();
    }
  };
}

const allowed = new WeakSet<AbortSignal>();

/** Many calls may wait on one signal, which Node reports as a leak by default. */
function allowListeners(signal: AbortSignal): void {
  if (allowed.has(signal)) return;
  allowed.add(signal);
  setMaxListeners(0, signal);
}

async function repeat<T>(
  { clock, gate, onWait, ...options }: CallerOptions,
  call: Call<T>,
  run: (attempt: Omit<AttemptContext, 'keep'>) => Promise<TryOutcome<T>>,
): Promise<T> {
  const { operation, signal, whenGone } = call;
  const { maxWaitMs } = options;
  let limitMs = options.timeoutMs + (typeof call.body === 'object' ? transferMs(call.body.length) : 0);
  let wasLost = false;
  for (let tries = 1; ; tries++) {
    // Calls without a key are exempt from the rate limit.
    const leave = operation.key
      ? await gate.enter({ signal, maxWaitMs, onWait, again: tries > 1 })
      : () => undefined;
    const began = clock.now();
    const outcome = await run({ limitMs, leave });
    if (!outcome.failure) return outcome.value;
    const { error, obstacle } = outcome.failure;
    if (wasLost && whenGone !== undefined && error.code === 'not_found') return whenGone;
    wasLost ||= obstacle.kind === 'lost';
    limitMs -= clock.now() - began;
    const delay = delayBeforeRetry(operation.method, obstacle, { tries, leftMs: limitMs });
    if (delay === undefined) throw error;
    limitMs -= delay;
    onWait?.(error.message, delay);
    await clock.wait(delay, signal).catch(() => {
      throw interrupted('interrupted while waiting to retry');
    });
  }
}
