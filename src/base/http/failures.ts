import { DragomanError, type ErrorCode } from '../errors.ts';
import type { TransportRequest } from './transport.ts';

/** Why there was no connection. */
interface Unsent {
  readonly reason: string;
  /** Whether the server uses HTTP instead of HTTPS. */
  readonly isPlain: boolean;
  /** Whether the certificate of the service, or of an intermediary, is not trusted, so that retrying does not help. */
  readonly untrusted: boolean;
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|^ERR_TLS/;

const CONNECT_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak HTTPS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak HTTPS',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name cannot be looked up now',
  ECONNRESET: 'the connection was closed while connecting',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'it does not respond',
  UND_ERR_CONNECT_TIMEOUT: 'it does not respond',
};

export function whyUnsent(cause: unknown): Unsent {
  const code = codeOf(cause);
  if (CERTIFICATE.test(code))
    return { reason: `its certificate is not trusted (${code})`, isPlain: false, untrusted: true };
  const reason = CONNECT_REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return { reason, isPlain: code.startsWith('ERR_SSL_'), untrusted: false };
}

/**
 * Explains why an answer is incomplete; undefined if it is not HTTP. The parser's own message would quote the bytes.
 */
export function whyLost(cause: unknown): string | undefined {
  const code = codeOf(cause);
  const isGarbage = cause instanceof Error && cause.name === 'HTTPParserError';
  if (isGarbage || code === 'UND_ERR_HEADERS_OVERFLOW') return undefined;
  return code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
    ? 'the answer is shorter than announced'
    : 'the connection was cut before the answer was complete';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

const CODES: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthenticated',
  402: 'insufficient_credits',
  403: 'unauthenticated',
  404: 'not_found',
  413: 'limit_exceeded',
  429: 'rate_limited',
};

/** The default error code for an HTTP status. */
export function codeOfStatus(status: number): ErrorCode {
  return CODES[status] ?? (status < 500 ? 'invalid_request' : 'service_failed');
}

/** Why an attempt failed, as far as the decision to retry depends on it. */
export type AttemptFailure =
  /** Not sent: there was no connection. */
  | { readonly kind: 'unsent' }
  /** The service refused to process it now (429, 503), possibly with a waiting time in milliseconds. */
  | { readonly kind: 'refused'; readonly retryIn?: number | undefined }
  /** Sent, but the answer was lost. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'final' };

const MAX_TRIES = 4;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 4000;

interface RetryProgress {
  /** The number of attempts so far, from 1. */
  readonly tries: number;
  /** Milliseconds that are left for the call. */
  readonly leftMs: number;
  /** Default 4. */
  readonly mostTries?: number;
}

/**
 * Milliseconds to wait before the next attempt; undefined for no retry. Only requests that were not processed or are
 * idempotent are retried: a POST whose answer was lost may have been charged. Full jitter: clients that were refused
 * together do not return together.
 */
export function delayBeforeRetry(
  method: TransportRequest['method'],
  obstacle: AttemptFailure,
  { tries, leftMs, mostTries = MAX_TRIES }: RetryProgress,
): number | undefined {
  if (obstacle.kind === 'final' || tries >= mostTries) return undefined;
  if (obstacle.kind === 'lost' && method === 'POST') return undefined;
  const ceiling = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
  const asked = obstacle.kind === 'refused' ? (obstacle.retryIn ?? 0) : 0;
  const delay = asked + Math.random() * ceiling;
  return delay < leftMs ? delay : undefined;
}

/** The error without the key, which a service may repeat in its answer. */
export function withoutKey(error: unknown, key: string | undefined): unknown {
  if (key === undefined || !(error instanceof DragomanError) || !error.message.includes(key)) return error;
  const { code, message, hint, at, status } = error;
  return new DragomanError(code, message.replaceAll(key, '***'), { hint, at, status });
}
