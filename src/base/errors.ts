import type { Position } from './span.ts';

/** What a process reports to the shell. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 130;

/** What everything that handles errors has to know of a code: nothing else compares lists of codes. */
export interface ErrorTraits {
  /** How a command ends that fails with it. */
  readonly exitCode: ExitCode;
  /** The HTTP status of the server's answer: 500 or 503 unless the request is at fault. */
  readonly status: number;
  /** What the error is about, and so what else fails for the same reason. */
  readonly concerns: Concern;
  /** The next request would fail for the same reason: none is sent. */
  readonly stops?: boolean;
  /** The request may have been processed and charged: it is not sent again unasked. */
  readonly uncertain?: boolean;
  /** May pass without anybody doing anything: asking again later makes sense. */
  readonly transient?: boolean;
}

export type Concern =
  /** The command line, the configuration, or a file they name. */
  | 'command'
  /** The content of one file or text. */
  | 'document'
  /** The translated content of one document. */
  | 'rendering'
  /** A language, or a pair of them. */
  | 'languages'
  /** One request as it was put. */
  | 'request'
  | 'account'
  | 'service'
  | 'engine'
  | 'output'
  | 'interruption'
  | 'program';

/**
 * Everything that can make a call fail, as opposed to one item of it (a failed item is data). Codes cannot be added
 * without their traits: the union is made from the table.
 */
const TRAITS = {
  /** A flag or argument that makes no sense. */
  usage: { exitCode: 2, status: 500, concerns: 'command' },
  /** A request that the service's contract does not allow: a field that is missing, empty or beyond its limit. */
  invalid_request: { exitCode: 2, status: 400, concerns: 'request' },
  /** The configuration or the lock cannot be used. */
  configuration: { exitCode: 2, status: 500, concerns: 'command' },
  /** An input that is missing, in the wrong encoding, or not well-formed. */
  unreadable_input: { exitCode: 2, status: 400, concerns: 'document' },
  /** A directory, a FIFO or a device where a file has to be: the whole call fails, also where a broken file is data. */
  not_a_file: { exitCode: 2, status: 400, concerns: 'command' },
  /** An input beyond a bound that protects time and memory (depth, expansion, size). */
  limit_exceeded: { exitCode: 2, status: 400, concerns: 'document' },
  /** A value that the place it belongs to cannot hold (its encoding or its grammar has no way to write it). */
  unencodable_value: { exitCode: 1, status: 500, concerns: 'rendering' },
  /** A rendering that did not scan back to the intended keys and values. It was not written. */
  integrity: { exitCode: 1, status: 500, concerns: 'rendering' },
  /** The result could not be written, or what a server has to write before it answers: nothing was done. */
  unwritable_output: { exitCode: 1, status: 503, concerns: 'output' },
  /** The database of a server does not answer: nothing was done. */
  store_unavailable: { exitCode: 6, status: 503, concerns: 'service', transient: true },
  /** An unknown language code, or `auto` where a definite language is needed. */
  unsupported_language: { exitCode: 2, status: 400, concerns: 'languages' },
  /** No engine here can translate the pair; the hint says what would. Asking again does not help. */
  engine_unavailable: { exitCode: 7, status: 400, concerns: 'languages' },
  /** An engine broke its protocol, crashed repeatedly or exceeded its time limit. */
  engine_failed: { exitCode: 1, status: 500, concerns: 'engine' },
  /** The service has no key to know the caller by, or does not accept it. */
  unauthenticated: { exitCode: 3, status: 500, concerns: 'account', stops: true },
  /** The account lacks the credits that an operation needs, or a budget of the user's own is spent. */
  insufficient_credits: { exitCode: 4, status: 402, concerns: 'account', stops: true },
  /** Too many requests, and waiting for the window to reset would exceed the time limit. */
  rate_limited: { exitCode: 5, status: 429, concerns: 'account', stops: true, transient: true },
  /** There is no such job, file or account. */
  not_found: { exitCode: 1, status: 404, concerns: 'request' },
  /** No connection to the service: the request was not processed. */
  unreachable: { exitCode: 6, status: 500, concerns: 'service', stops: true, transient: true },
  /** The request was sent and its answer lost: it may have been processed and charged. */
  answer_lost: { exitCode: 6, status: 500, concerns: 'service', uncertain: true, transient: true },
  /** The service answered that it failed (5xx). */
  service_failed: { exitCode: 6, status: 500, concerns: 'service', uncertain: true, transient: true },
  /** An answer of the service that its contract does not allow. */
  contract_violation: { exitCode: 6, status: 500, concerns: 'service', uncertain: true },
  /** The user or a signal stopped the work. Finished work is saved. */
  interrupted: { exitCode: 130, status: 503, concerns: 'interruption', uncertain: true },
  /** A defect of this program. */
  internal: { exitCode: 1, status: 500, concerns: 'program' },
} as const satisfies Record<string, ErrorTraits>;

export type ErrorCode = keyof typeof TRAITS;

export function traitsOf({ code }: { readonly code: ErrorCode }): ErrorTraits {
  return TRAITS[code];
}

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
  /** After which time the same may succeed. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** The one error class of the program. `message` names the fault, without the place: see {@link describe}. */
export class DragomanError extends Error {
  override readonly name = 'DragomanError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly at: Location | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.at = details.at;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** The same error with the file named: formats know positions only, their callers know the file. */
  inFile(file: string): DragomanError {
    if (this.at?.file !== undefined) return this;
    return new DragomanError(this.code, this.message, {
      hint: this.hint,
      at: { line: 1, column: 1, ...this.at, file },
      status: this.status,
      retryAfterMs: this.retryAfterMs,
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
