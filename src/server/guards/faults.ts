import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '../../base/errors.ts';
import { interrupted } from '../../base/interruption.ts';
import { requireLanguage } from '../../languages/catalog.ts';

/** A simulated failure: a status as the answer, or a connection cut without one. */
export type Fault = { readonly status: 429 | 500 | 503 } | { readonly drop: true };

/**
 * Failures that a server simulates so that clients can be tested (`--fault`). A request that fails this way causes no
 * work and costs nothing.
 */
export interface Faults {
  /** For people: the upcoming failures, one phrase each. */
  readonly descriptions: readonly string[];
  /**
   * Waits for the configured delay.
   *
   * @throws DragomanError `interrupted` if `signal` aborts first.
   */
  delay(signal: AbortSignal): Promise<void>;
  /**
   * The fault for a request that has passed all checks; undefined without one. Each call uses up one fault, in the
   * order of the command line. Answers with 429 and 503 have `Retry-After: 1`, and a 429 also has
   * `X-RateLimit-Remaining: 0` and a reset one second ahead, so polite clients soon continue.
   */
  next(): Fault | undefined;
  /** Whether every key of a job fails in this language. */
  failsLanguage(code: string): boolean;
}

const FORMS = `429:N, 500:N, 503:N (the next N requests get that answer), drop:N (the next N connections are cut), slow:MS (every request waits), job-fail:CODE (every key of a job fails in that language)`;

/** @throws DragomanError `usage` for an invalid value */
export function parseFaults(values: readonly string[]): Faults {
  const queue: { readonly fault: Fault; left: number }[] = [];
  const failing = new Set<string>();
  let delayMs = 0;
  for (const value of values) {
    const [, kind = '', argument = ''] = /^([\w-]+):(.+)$/.exec(value) ?? [];
    if (kind === 'job-fail') failing.add(parseCode(argument, value));
    else if (kind === 'slow') delayMs = parseNumber(argument, value, MAX_DELAY_MS);
    else if (kind === 'drop') queue.push({ fault: { drop: true }, left: parseNumber(argument, value) });
    else queue.push({ fault: { status: parseStatus(kind, value) }, left: parseNumber(argument, value) });
  }
  return {
    descriptions: values,
    delay: (signal) => (delayMs === 0 ? Promise.resolve() : wait(delayMs, signal)),
    next: () => {
      const first = queue.find(({ left }) => left > 0);
      if (first) first.left--;
      return first?.fault;
    },
    failsLanguage: (code) => failing.has(code),
  };
}

/** One hour, which is longer than any client waits. */
const MAX_DELAY_MS = 3_600_000;

function refuse(value: string, reason: string): DragomanError {
  return new DragomanError('usage', `--fault ${JSON.stringify(value)}: ${reason}`, {
    hint: `Expected ${FORMS}.`,
  });
}

function parseStatus(kind: string, value: string): 429 | 500 | 503 {
  if (kind === '429') return 429;
  if (kind === '500') return 500;
  if (kind === '503') return 503;
  throw refuse(value, 'unknown fault');
}

function parseNumber(argument: string, value: string, max = 1_000_000): number {
  const number = /^\d{1,7}$/.test(argument) ? Number(argument) : 0;
  if (number >= 1 && number <= max) return number;
  throw refuse(value, `the number must be from 1 to ${max}`);
}

function parseCode(argument: string, value: string): string {
  try {
    return requireLanguage(argument);
  } catch (error) {
    throw error instanceof DragomanError ? refuse(value, error.message) : error;
  }
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    throw interrupted('the request was interrupted', { cause: error });
  }
}
