import type { Position } from './span.ts';

/** The exit codes of a process. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 130;

/** Properties of an error code. Error handlers use them instead of comparing codes with lists. */
export interface ErrorTraits {
  /** The exit code of a command that fails with this code. */
  readonly exitCode: ExitCode;
  /** The HTTP status of the server's answer: 500 or 503 unless the request is the cause. */
  readonly status: number;
  /** The subject of the error, which determines what else fails for the same reason. */
  readonly concerns: Concern;
  /** Later requests would fail for the same reason, so none are sent. */
  readonly stops?: boolean;
  /** The request may have been processed and charged, so it is not retried automatically. */
  readonly uncertain?: boolean;
  /** The error may resolve itself: a later retry makes sense. */
  readonly transient?: boolean;
}

export type Concern =
  /** The command line, the configuration, or a file named in them. */
  | 'command'
  /** The content of one file or text. */
  | 'document'
  /** The translated content of one document. */
  | 'rendering'
  /** A language or language pair. */
  | 'languages'
  /** A single request. */
  | 'request'
  | 'account'
  | 'service'
  | 'engine'
  | 'output'
  | 'interruption'
  | 'program';

/**
 * All reasons for which a whole call can fail; the failure of a single item is returned as data. The union of
 * codes is derived from the table, so every code has traits.
 */
const TRAITS = {
  /** An invalid flag or argument. */
  usage: { exitCode: 2, status: 500, concerns: 'command' },
  /** A request that violates the service's contract: a field that is missing, empty or too large. */
  invalid_request: { exitCode: 2, status: 400, concerns: 'request' },
  /** The configuration or the lock is unusable. */
  configuration: { exitCode: 2, status: 500, concerns: 'command' },
  /** An input that is missing, malformed or in the wrong encoding. */
  unreadable_input: { exitCode: 2, status: 400, concerns: 'document' },
  /** A directory, FIFO or device instead of a file: the whole call fails, whereas a malformed file fails alone. */
  not_a_file: { exitCode: 2, status: 400, concerns: 'command' },
  /** An input that exceeds a limit on time and memory (depth, expansion, size). */
  limit_exceeded: { exitCode: 2, status: 400, concerns: 'document' },
  /** A value that its place cannot hold, because of its encoding or grammar. */
  unencodable_value: { exitCode: 1, status: 500, concerns: 'rendering' },
  /** A rendering that read back with wrong keys or values. It was not written. */
  integrity: { exitCode: 1, status: 500, concerns: 'rendering' },
  /** The result, or data that a server must store before answering, could not be written. Nothing has changed. */
  unwritable_output: { exitCode: 1, status: 503, concerns: 'output' },
  /** The database of a server does not answer; the request had no effect. */
  store_unavailable: { exitCode: 6, status: 503, concerns: 'service', transient: true },
  /** An unknown language code, or `auto` where a specific language is required. */
  unsupported_language: { exitCode: 2, status: 400, concerns: 'languages' },
  /** No installed engine can translate the pair; the hint names an engine that can. Retrying does not help. */
  engine_unavailable: { exitCode: 7, status: 400, concerns: 'languages' },
  /** An engine broke its protocol, crashed repeatedly or exceeded its time limit. */
  engine_failed: { exitCode: 1, status: 500, concerns: 'engine' },
  /** The service has no key, or rejects it. */
  unauthenticated: { exitCode: 3, status: 500, concerns: 'account', stops: true },
  /** The account lacks the credits for an operation, or the user's own budget is spent. */
  insufficient_credits: { exitCode: 4, status: 402, concerns: 'account', stops: true },
  /** Too many requests, and waiting for the window to reset would exceed the time limit. */
  rate_limited: { exitCode: 5, status: 429, concerns: 'account', stops: true, transient: true },
  /** There is no such job, file or account. */
  not_found: { exitCode: 1, status: 404, concerns: 'request' },
  /** No connection to the service: the request was not processed. */
  unreachable: { exitCode: 6, status: 500, concerns: 'service', stops: true, transient: true },
  /** The request was sent, but its answer was lost: it may have been processed and charged. */
  answer_lost: { exitCode: 6, status: 500, concerns: 'service', uncertain: true, transient: true },
  /** The service reported a failure (5xx). */
  service_failed: { exitCode: 6, status: 500, concerns: 'service', uncertain: true, transient: true },
  /** An answer that violates the service's contract. */
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

/** A place in a file. Lines and columns count from 1, columns in UTF-16 code units. */
export interface Location extends Position {
  readonly file?: string;
}

export interface ErrorDetails {
  /** A remedy: a command or a change, in one sentence. */
  readonly hint?: string | undefined;
  readonly at?: Location | undefined;
  /** The HTTP status of a service's answer. */
  readonly status?: number | undefined;
  /** Milliseconds after which a retry may succeed. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** The program's only error class. `message` states the problem without the place: see {@link describe}. */
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

  /**
   * The same error with the file's name, which the callers of formats add, because formats only know the
   * position.
   */
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

/** The result of `work` on the content of a file. @throws DragomanError of the work, with the file's name */
export function inFile<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(file) : error;
  }
}

/** `file:line:column: message`, with the known parts. */
export function describe(error: DragomanError): string {
  if (!error.at) return error.message;
  const { file, line, column } = error.at;
  const place = file === undefined ? `line ${line}, column ${column}` : `${file}:${line}:${column}`;
  return `${place}: ${error.message}`;
}
