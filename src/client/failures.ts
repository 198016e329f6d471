import { DragomanError, type ErrorCode } from '../base/errors.ts';
import type { Operation } from '../contract/operations.ts';
import { codeOfStatus, type AttemptFailure, whyLost, whyUnsent } from '../base/http/failures.ts';

/** A failed attempt: the error for the caller, and the obstacle to a retry. */
export interface TryFailure {
  readonly error: DragomanError;
  readonly obstacle: AttemptFailure;
}

/** The data for reporting a failure. */
export interface RequestPlace {
  readonly host: string;
  readonly operation: Operation;
  /** Whether the base URL uses HTTPS. */
  readonly isSecure: boolean;
}

const FINAL = { kind: 'final' } as const;

/** No connection was made, so nothing was sent. */
export function describeUnsent({ host }: RequestPlace, cause: unknown): TryFailure {
  const { reason, isPlain, untrusted } = whyUnsent(cause);
  const hint = untrusted
    ? 'If you use your own certificate authority, name it with --ca-file.'
    : isPlain
      ? `If ${host} is this machine, use http:// in the base URL; otherwise it needs a certificate.`
      : 'Check the base URL, the network and the proxy.';
  return {
    error: new DragomanError('unreachable', `cannot connect to ${host}: ${reason}`, { hint, cause }),
    obstacle: untrusted ? FINAL : { kind: 'unsent' },
  };
}

/** The request was at least partly sent, and no complete answer arrived. */
export function describeLost(place: RequestPlace, cause: unknown): TryFailure {
  const reason = whyLost(cause);
  // Omits the parser's error, because a service may echo the request.
  if (reason === undefined) return violation(place, 'the answer is not HTTP');
  return { error: lost(place, reason, cause), obstacle: { kind: 'lost' } };
}

/** The upload was not sent to its end, so the service has no complete request. */
export function describeIncomplete({ host }: RequestPlace): TryFailure {
  const message = `${host} closed the connection before the whole file was sent`;
  return {
    error: new DragomanError('unreachable', message, { hint: 'No job was created. Try again.' }),
    obstacle: FINAL,
  };
}

export function describeTimeout(place: RequestPlace, sent: boolean, ms: number): TryFailure {
  const limit = `${Number((ms / 1000).toPrecision(3))} seconds`;
  const error = sent
    ? lost(place, `no complete answer within ${limit}`)
    : new DragomanError('unreachable', `cannot connect to ${place.host} within ${limit}`);
  return { error, obstacle: FINAL };
}

function lost({ host, operation, isSecure }: RequestPlace, reason: string, cause?: unknown): DragomanError {
  const advice =
    operation.method === 'POST'
      ? 'The request may have been processed and charged, so it was not sent again.'
      : 'Try again.';
  // An HTTPS-only server closes plain connections.
  const hint =
    isSecure || !cause ? advice : `${advice} If the server speaks HTTPS, use https:// in the base URL.`;
  return new DragomanError('answer_lost', `${host}: ${reason}`, { hint, cause });
}

/** The failure for an answer that violates the operation's contract. */
export function violation(
  { host, operation }: Pick<RequestPlace, 'host' | 'operation'>,
  problem: string,
  { status }: { readonly status?: number } = {},
): TryFailure {
  const message = `${host} violates the specification in ${operation.method} ${operation.path}: ${problem}`;
  const hint = 'Check that the base URL belongs to a compatible service.';
  return { error: new DragomanError('contract_violation', message, { hint, status }), obstacle: FINAL };
}

const KEY_HINT = 'Check the API key: DRAGOMAN_API_KEY, --api-key-file, or that of dragoman login.';

/** The service refused the request or failed. @param detail its own message, if any */
export function describeRefusal(
  place: RequestPlace,
  status: number,
  detail: string | undefined,
  retryIn: number | undefined,
): TryFailure {
  const code = codeOfStatus(status);
  const message = detail ?? `${place.host} answered with status ${status}`;
  const error = new DragomanError(code, message, { status, hint: hintOf(place, code, retryIn) });
  return { error, obstacle: obstacleOf(status, retryIn) };
}

/** The rate gate handles the wait that a 429 asks for, because it applies to all requests. */
function obstacleOf(status: number, retryIn: number | undefined): AttemptFailure {
  if (status === 429) return { kind: 'refused' };
  return status === 503 ? { kind: 'refused', retryIn } : FINAL;
}

function hintOf(
  { host, operation }: RequestPlace,
  code: ErrorCode,
  retryIn: number | undefined,
): string | undefined {
  if (code === 'unauthenticated') return KEY_HINT;
  if (code === 'not_found' && !operation.failures.includes(404)) {
    return `${host} does not provide ${operation.path}: check the base URL.`;
  }
  if (code === 'not_found') return 'dragoman jobs list shows the jobs of your account.';
  if (code === 'insufficient_credits') {
    return `Ask the operator of ${host} for credits. On your own server: dragoman keys credit --email ADDRESS --add N`;
  }
  if (retryIn !== undefined) return `Try again in ${Math.ceil(retryIn / 1000)} seconds.`;
  return undefined;
}
