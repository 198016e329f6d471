import { randomUUID } from 'node:crypto';
import { DragomanError } from '../../base/errors.ts';
import type { Operation } from '../../contract/operations.ts';
import { answerFailure, failureOf, type Headers } from '../http/answer.ts';
import type { KnownCaller } from './key-check.ts';
import { endsConnection, closeLingering } from '../http/lingering-close.ts';
import type { AppContext, AppDependencies } from '../http/dependencies.ts';

/** How long a client may stop reading its answer. */
const UNREAD_MS = 60_000;

/** A request and the state of its answer. */
export interface Exchange {
  readonly id: string;
  readonly context: AppContext;
  /** Sent with every answer. */
  headers: Headers;
  /** Set once the key is accepted. */
  caller?: KnownCaller;
}

/** The fields of a route in logs and metrics. */
export interface ExchangeRoute {
  /** Method and path as in the operations table. */
  readonly name: string;
  readonly operation?: Operation;
  /** Whether the log gets the requested path, which is only done for unknown routes. */
  readonly isUnknown?: boolean;
}

/** Answers a request: every error becomes an answer, and every answer is logged and counted. Never rejects. */
export async function answerRequest(
  parts: AppDependencies,
  context: AppContext,
  route: ExchangeRoute,
  work: (exchange: Exchange) => Response | Promise<Response>,
): Promise<Response> {
  const startedAt = performance.now();
  parts.metrics.begin();
  const id = requestIdFrom(context.req.header('x-request-id'));
  const exchange: Exchange = { id, context, headers: { 'x-request-id': id } };
  let response: Response;
  let failed: unknown;
  try {
    response = await work(exchange);
  } catch (error) {
    failed = error;
    response = answerFailure(failureOf(error), route.operation, exchange.headers);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  parts.metrics.observe(route.name, response.status, seconds);
  record(parts, exchange, { route, status: response.status, seconds, failed });
  return closeOrKeep(context, context.req.raw.method === 'HEAD' ? await withoutBody(response) : response);
}

/** The body of a file answer must be cancelled to close the file. */
async function withoutBody(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
}

interface ExchangeEnd {
  readonly route: ExchangeRoute;
  readonly status: number;
  readonly seconds: number;
  readonly failed: unknown;
}

function record(
  { log }: AppDependencies,
  exchange: Exchange,
  { route, status, seconds, failed }: ExchangeEnd,
): void {
  const { id, caller, context } = exchange;
  // Undefined fields are not written. Spreading would take longer, and this runs for every request.
  const fields = {
    id,
    route: route.name,
    status,
    // Omits the query, which may contain a text or a key.
    path: route.isUnknown ? context.req.path : undefined,
    ms: Math.round(seconds * 1e5) / 100,
    account: caller?.accountId,
    key: caller?.keyId,
    code: failed === undefined ? undefined : nameOf(failed),
  };
  if (status === 500) log.error({ ...fields, err: failed }, 'request');
  // Details about the store or its disk are for the operator only.
  else if (status === 503 && failed instanceof DragomanError && failed.code !== 'interrupted')
    log.warn({ ...fields, err: failed }, 'request');
  else log.info(fields, 'request');
}

function nameOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error) return String(error.code);
  return error instanceof Error ? error.name : typeof error;
}

function closeOrKeep({ env }: AppContext, response: Response): Response {
  const incoming = env?.incoming;
  if (!incoming || !('socket' in incoming)) return response;
  incoming.socket.setTimeout(UNREAD_MS);
  if (incoming.complete) return response;
  // Drops the rest of the body, because the next request follows it.
  incoming.resume();
  if (endsConnection(incoming)) {
    response.headers.set('connection', 'close');
    closeLingering(incoming);
  }
  return response;
}

/** The request's id in the log and in the answer's `X-Request-Id`. */
export function requestIdFrom(header: string | undefined): string {
  return header !== undefined && SAFE.test(header) ? header : randomUUID();
}

/** Ids from a proxy or client that are safe in logs and headers. */
const SAFE = /^[\w.-]{1,64}$/;
