import { randomUUID } from 'node:crypto';

/** The name that a request has in the log and in the answer's `X-Request-Id`. */
export function requestIdFrom(header: string | undefined): string {
  return header !== undefined && SAFE.test(header) ? header : randomUUID();
}

/** What a proxy or a client chose may go into logs and headers as it is. */
const SAFE = /^[\w.-]{1,64}$/;
