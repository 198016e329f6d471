import type { Position } from './span.ts';

/**
 * Everything that can make a call fail, as opposed to one item of it (a failed item is data).
 * The union is closed: tables over it (exit codes, HTTP statuses) do not compile when a code is missing.
 */
export type ErrorCode =
  /** A flag or argument that makes no sense. */
  | 'usage'
  /** A request that the service's contract does not allow: a field that is missing, empty or beyond its limit. */
  | 'invalid_request'
  /** The configuration or the lock cannot be used. */
  | 'configuration'
  /** An input that is missing, in the wrong encoding, or not well-formed. */
  | 'unreadable_input'
  /** A directory, a FIFO or a device where a file has to be: the whole call fails, also where a broken file is data. */
  | 'not_a_file'
  /** An input beyond a bound that protects time and memory (depth, expansion, size). */
  | 'limit_exceeded'
  /** A value that the place it belongs to cannot hold (its encoding or its grammar has no way to write it). */
  | 'unencodable_value'
  /** A rendering that did not scan back to the intended keys and values. It was not written. */
  | 'integrity'
  /** The result could not be written. */
  | 'unwritable_output'
  /** A language code nobody knows, or `auto` where a definite language is needed. */
  | 'unsupported_language'
  /** No engine here can translate the pair; the hint says what would. */
  | 'engine_unavailable'
  /** An engine broke its protocol, crashed repeatedly or exceeded its time limit. */
  | 'engine_failed'
  /** The service has no key to know the caller by, or does not accept it. */
  | 'unauthenticated'
  /** The account lacks the credits that an operation needs, or a budget of the user's own is spent. */
  | 'insufficient_credits'
  /** Too many requests, and waiting for the window to reset would exceed the time limit. */
  | 'rate_limited'
  /** There is no such job, file or account. */
  | 'not_found'
  /** No connection to the service: the request was not processed. */
  | 'unreachable'
  /** The request was sent and its answer lost: it may have been processed and charged, so it is not sent again. */
  | 'answer_lost'
  /** The service answered that it failed (5xx). */
  | 'service_failed'
  /** An answer of the service that its contract does not allow. */
  | 'contract_violation'
  /** The user or a signal stopped the work. What was done is saved. */
  | 'interrupted'
  /** A defect of this program. */
  | 'internal';

/** Where in a file something is wrong. Lines and columns count from 1, columns in UTF-16 code units. */
export interface Location extends Position {
  readonly file?: string;
}

export interface ErrorDetails {
  /** What the user can do about it: a command or a change, one sentence. */
  readonly hint?: string | undefined;
  readonly at?: Location | undefined;
  /** The HTTP status that a service answered with. */
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/** The one error class of the program. `message` says what is wrong, without the place: see {@link describe}. */
export class DragomanError extends Error {
  override readonly name = 'DragomanError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly at: Location | undefined;
  readonly status: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.at = details.at;
    this.status = details.status;
  }

  /** The same error with the file named: formats know positions only, their callers know the file. */
  inFile(file: string): DragomanError {
    if (this.at?.file !== undefined) return this;
    return new DragomanError(this.code, this.message, {
      hint: this.hint,
      at: { line: 1, column: 1, ...this.at, file },
      status: this.status,
      cause: this,
    });
  }
}

/** `file:line:column: message`, as far as each part is known. */
export function describe(error: DragomanError): string {
  if (!error.at) return error.message;
  const { file, line, column } = error.at;
  const place = file === undefined ? `line ${line}, column ${column}` : `${file}:${line}:${column}`;
  return `${place}: ${error.message}`;
}
