import type { ErrorCode } from '../base/errors.ts';

/** The HTTP status of an error. What is no fault of the request is 500 or 503. */
const ERROR_STATUS = {
  invalid_request: 400,
  unsupported_language: 400,
  unreadable_input: 400,
  not_a_file: 400,
  limit_exceeded: 400,
  // A pair that nothing here can do: asking again does not help.
  engine_unavailable: 400,
  insufficient_credits: 402,
  not_found: 404,
  rate_limited: 429,
  interrupted: 503,
  usage: 500,
  configuration: 500,
  unencodable_value: 500,
  integrity: 500,
  unwritable_output: 500,
  engine_failed: 500,
  unauthenticated: 500,
  unreachable: 500,
  answer_lost: 500,
  service_failed: 500,
  contract_violation: 500,
  internal: 500,
} as const satisfies Record<ErrorCode, number>;

export function statusOf(code: ErrorCode): number {
  return ERROR_STATUS[code];
}
