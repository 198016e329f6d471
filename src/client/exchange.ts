import { DragomanError } from '../base/errors.ts';
import { interrupted } from '../base/interruption.ts';
import type { Operation } from '../contract/operations.ts';
import { FailedTry, readDetail } from './answers.ts';
import type { BaseUrl } from '../base/http/base-url.ts';
import {
  describeIncomplete,
  describeLost,
  describeRefusal,
  describeTimeout,
  describeUnsent,
  violation,
  type TryFailure,
  type RequestPlace,
} from './failures.ts';
import type { Multipart } from './multipart.ts';
import type { RateVerdict } from './rate-gate.ts';
import { readRateHeaders, type RateHeaders } from '../base/http/rate-headers.ts';
import { TimeLimit } from '../base/http/time-limit.ts';
import {
  headerOf,
  TransportError,
  type Stop,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '../base/http/transport.ts';

export interface Call<T> {
  readonly operation: Operation;
  /** The value of `{job_id}` in the path. */
  readonly jobId?: string | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Multipart | undefined;
  readonly signal: AbortSignal;
  /** The result of a deletion whose answer was lost, if the retry finds nothing left to delete. */
  readonly whenGone?: T | undefined;
}

/** A successful answer whose body is still to be read. */
export interface OpenResponse {
  readonly place: RequestPlace;
  readonly response: TransportResponse;
  /**
   * Keeps the request open for this long, for a caller that reads the body later; returns the function that ends it.
   */
  keepOpen(ms: number): () => void;
  /** The error for an exception while reading the body. */
  explain(error: unknown): DragomanError;
}

export interface ExchangeOptions {
  readonly base: BaseUrl;
  readonly key?: string | undefined;
  readonly transport: Transport;
  readonly maxWaitMs: number;
}

export type TryOutcome<T> =
  { readonly value: T; readonly failure?: never } | { readonly failure: TryFailure };

export interface AttemptContext {
  /** Milliseconds for the request. */
  readonly limitMs: number;
  /** Called once with the result, as soon as it is known. */
  readonly leave: (verdict: RateVerdict) => void;
  /** Called if the body is read later; returns the function to call then. */
  readonly keep: () => () => void;
}

/** Makes one request. Only throws on bugs. */
export async function exchange<T>(
  options: ExchangeOptions,
  call: Call<T>,
  { limitMs, leave, keep }: AttemptContext,
  read: (answer: OpenResponse) => Promise<T>,
): Promise<TryOutcome<T>> {
  const place = { host: options.base.host, operation: call.operation, isSecure: options.base.secure };
  const limit = new TimeLimit(limitMs, call.signal);
  const explain = (error: unknown): TryFailure => explainFailure(error, { place, call, limit, limitMs });
  let isKept = false;
  try {
    const response = await options.transport.send(requestOf(options, call, limit));
    const rate = readRateHeaders(response);
    leave({ headers: rate, refused: response.status === 429 });
    if (response.status !== 200 && response.status !== 201) {
      const failure = await refusalOf(place, response, rate, options.maxWaitMs);
      limit.abandon();
      return { failure };
    }
    const keepOpen = (ms: number): (() => void) => {
      isKept = true;
      limit.keep(limitMs + ms, keep());
      return () => limit.abandon();
    };
    const value = await read({ place, response, keepOpen, explain: (error) => explain(error).error });
    if (!isKept) limit.end();
    return { value };
  } catch (error) {
    leave(error instanceof TransportError && !error.sent ? 'unsent' : 'lost');
    const failure = explain(error);
    limit.abandon();
    return { failure };
  }
}

function requestOf<T>({ base, key }: ExchangeOptions, call: Call<T>, stop: Stop): TransportRequest {
  const { operation, jobId, query, body } = call;
  const path =
    jobId === undefined ? operation.path : operation.path.replace('{job_id}', encodeURIComponent(jobId));
  const search = query ? `?${new URLSearchParams(query).toString()}` : '';
  const headers: Record<string, string> = {
    accept: operation.response ? 'application/json' : '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'dragoman',
  };
  // The header's case matters. Operations without a key do not send it.
  if (key !== undefined && operation.key) headers['X-API-KEY'] = key;
  if (body !== undefined)
    headers['content-type'] = typeof body === 'string' ? 'application/json' : body.contentType;
  return {
    method: operation.method,
    origin: base.origin,
    path: `${base.prefix}${path}${search}`,
    headers,
    body,
    stop,
  };
}

async function refusalOf(
  place: RequestPlace,
  response: TransportResponse,
  { retryIn, retryAt, date }: RateHeaders,
  maxWaitMs: number,
): Promise<TryFailure> {
  const { status } = response;
  if (status < 300) return violation(place, `it answers with status ${status}`, { status });
  if (status < 400) {
    return violation(place, `it redirects to ${redirectHost(place.host, response)}`, { status });
  }
  const wait = retryIn ?? (retryAt === undefined ? undefined : retryAt - (date ?? Date.now()));
  const failure = describeRefusal(place, status, await readDetail(place, response), wait);
  return status === 429 && (wait ?? 0) > maxWaitMs ? { ...failure, obstacle: { kind: 'final' } } : failure;
}

/** Redirects are not followed: the key and texts are for the configured host only. */
function redirectHost(host: string, response: TransportResponse): string {
  const location = headerOf(response, 'location') ?? '';
  const base = `https://${host}`;
  return URL.canParse(location, base) ? new URL(location, base).host.slice(0, 200) : 'no address';
}

interface Circumstances {
  readonly place: RequestPlace;
  readonly call: Pick<Call<unknown>, 'signal' | 'body'>;
  readonly limit: TimeLimit;
  readonly limitMs: number;
}

function explainFailure(error: unknown, { place, call, limit, limitMs }: Circumstances): TryFailure {
  if (error instanceof FailedTry) return error.failure;
  if (call.signal.aborted) {
    return { error: interrupted('the request was interrupted'), obstacle: { kind: 'final' } };
  }
  if (error instanceof DragomanError) return { error, obstacle: { kind: 'final' } };
  if (!(error instanceof TransportError)) throw error;
  const { sent, cause } = error;
  // The error concerns the uploaded file, which is read meanwhile.
  if (cause instanceof DragomanError) return { error: cause, obstacle: { kind: 'final' } };
  if (limit.expired) return describeTimeout(place, sent, limitMs);
  if (!sent) return describeUnsent(place, cause);
  if (typeof call.body === 'object' && !call.body.wasComplete) return describeIncomplete(place);
  return describeLost(place, cause);
}
