import { DragomanError, traitsOf } from '../../base/errors.ts';
import { detailOf } from '../../contract/details.ts';
import type { Operation } from '../../contract/operations.ts';
import { Refusal } from '../guards/refusal.ts';

export type Headers = Readonly<Record<string, string>>;

const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  // Each answer is only valid for one caller at one moment.
  'cache-control': 'no-store',
} as const;

export function answerJson(status: number, body: unknown, headers: Headers): Response {
  // Spreading both objects takes ten times as long.
  return new Response(JSON.stringify(body), { status, headers: Object.assign({}, JSON_HEADERS, headers) });
}

/** The answer to a client for an error. */
export interface FailureAnswer {
  readonly status: number;
  readonly detail: string;
  readonly headers: Headers;
}

/** Contains no stack and no internal details: those go to the log. */
export function failureOf(error: unknown): FailureAnswer {
  if (error instanceof Refusal)
    return { status: error.status, detail: error.message, headers: error.headers };
  if (!(error instanceof DragomanError)) return { status: 500, detail: INTERNAL, headers: {} };
  const status = traitsOf(error).status;
  if (status === 503) {
    const reason = error.code === 'store_unavailable' ? DATABASE_AWAY : INTERRUPTED;
    return { status, detail: `${reason}; try again later`, headers: { 'retry-after': '1' } };
  }
  const { retryAfterMs } = error;
  const headers: Headers =
    retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) };
  return { status, detail: status === 500 ? internalDetail(error) : detailOf(error), headers };
}

const INTERRUPTED = 'the request was interrupted';
const DATABASE_AWAY = 'the database does not answer';
const INTERNAL = 'internal server error';

/** An engine's message may quote another client's text. */
function internalDetail({ code }: DragomanError): string {
  return code === 'engine_failed' ? `${INTERNAL}: the engine failed` : INTERNAL;
}

/** The answer for a failure, with its text in the operation's error field. */
export function answerFailure(
  failure: FailureAnswer,
  operation?: Operation,
  headers: Headers = {},
): Response {
  const { status, detail } = failure;
  const field = status === 400 || status === 404 ? (operation?.errorField ?? 'detail') : 'detail';
  return answerJson(status, { [field]: detail }, { ...headers, ...failure.headers });
}
