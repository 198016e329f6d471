import { headerOf, type TransportResponse } from './transport.ts';

/** Rate-limit headers of an answer. Times are milliseconds; fields named `…At` use the service's clock. */
export interface RateHeaders {
  readonly limit?: number | undefined;
  readonly remaining?: number | undefined;
  /** The latest time at which the window ends. */
  readonly resetAt?: number | undefined;
  /** The end of the window relative to now, for services that count down. */
  readonly resetIn?: number | undefined;
  /** When the next request is allowed, after a refusal. */
  readonly retryAt?: number | undefined;
  readonly retryIn?: number | undefined;
  /** The service's clock, rounded down to a second. */
  readonly date?: number | undefined;
}

/** If none of these headers is present, the others carry no information. */
const TELLING = ['x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after', 'retry-after-ms'];

/** Times that are rounded down to a second may be early by this much. */
const ROUNDING = 1000;

/** Smaller numbers are durations: as a time, this number would be in 2001. */
const EPOCH_SECONDS = 1e9;
const EPOCH_MILLISECONDS = 1e12;

export function readRateHeaders(response: Pick<TransportResponse, 'headers'>): RateHeaders {
  const { headers } = response;
  if (TELLING.every((name) => headers[name] === undefined)) return {};
  return {
    limit: readNumber(headerOf(response, 'x-ratelimit-limit')),
    remaining: readNumber(headerOf(response, 'x-ratelimit-remaining')),
    ...readReset(headerOf(response, 'x-ratelimit-reset')),
    ...readRetryAfter(headerOf(response, 'retry-after'), headerOf(response, 'retry-after-ms')),
    date: readDate(headerOf(response, 'date')),
  };
}

function readNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,16}(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

function readDate(text: string | undefined): number | undefined {
  const time = text === undefined ? NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** The specification does not define the format of a time: epoch seconds, epoch milliseconds, a countdown or a date. */
function readReset(text: string | undefined): Pick<RateHeaders, 'resetAt' | 'resetIn'> {
  const value = readNumber(text);
  if (value === undefined) {
    const time = readDate(text);
    return time === undefined ? {} : { resetAt: time + ROUNDING };
  }
  if (value >= EPOCH_MILLISECONDS) return { resetAt: value };
  if (value >= EPOCH_SECONDS) return { resetAt: value * 1000 + (Number.isInteger(value) ? ROUNDING : 0) };
  return { resetIn: value * 1000 + ROUNDING };
}

/** Seconds, which services round up, or a date (RFC 9110). Some model services also send milliseconds. */
function readRetryAfter(
  text: string | undefined,
  inMilliseconds: string | undefined,
): Pick<RateHeaders, 'retryIn' | 'retryAt'> {
  const milliseconds = readNumber(inMilliseconds);
  if (milliseconds !== undefined) return { retryIn: milliseconds };
  const seconds = readNumber(text);
  if (seconds !== undefined) return { retryIn: seconds * 1000 };
  const time = readDate(text);
  return time === undefined ? {} : { retryAt: time + ROUNDING };
}
