import type { ErrorCode } from '../base/errors.ts';

/** The exit status of the process. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 130;

export const OK = 0;
/** Some translations failed, the rest is saved. So is what no engine has the languages for. */
export const PARTIAL = 7;
/** Lint findings, or drift found by `--frozen`. */
export const CHECK_FAILED = 8;
/** Stopped by a signal: what is done is saved. */
export const INTERRUPTED = 130;

const EXIT_CODES: Readonly<Record<ErrorCode, ExitCode>> = {
  usage: 2,
  invalid_request: 2,
  configuration: 2,
  unreadable_input: 2,
  not_a_file: 2,
  limit_exceeded: 2,
  unsupported_language: 2,
  unencodable_value: 1,
  integrity: 1,
  unwritable_output: 1,
  engine_unavailable: PARTIAL,
  engine_failed: 1,
  not_found: 1,
  unauthenticated: 3,
  insufficient_credits: 4,
  rate_limited: 5,
  unreachable: 6,
  answer_lost: 6,
  service_failed: 6,
  contract_violation: 6,
  interrupted: INTERRUPTED,
  internal: 1,
};

export function exitCodeOf(code: ErrorCode): ExitCode {
  return EXIT_CODES[code];
}
