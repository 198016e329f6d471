import type { ErrorCode } from '../errors.ts';

const CODES: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthenticated',
  402: 'insufficient_credits',
  403: 'unauthenticated',
  404: 'not_found',
  413: 'limit_exceeded',
  429: 'rate_limited',
};

/** What a status of failure means to a client, where nothing else says it. */
export function codeOfStatus(status: number): ErrorCode {
  return CODES[status] ?? (status < 500 ? 'invalid_request' : 'service_failed');
}
