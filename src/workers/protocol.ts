import { DragomanError, type ErrorCode, type Location } from '../base/errors.ts';

/** The messages between one kind of worker and its host. All of them can be cloned. */
export interface WorkerProtocol {
  /** The data needed to start a worker. */
  readonly settings: unknown;
  readonly request: unknown;
  readonly result: unknown;
  /** A worker's reports during a call. */
  readonly note: unknown;
  /** A worker's questions to its host during a call, and their answers. */
  readonly question: unknown;
  readonly answer: unknown;
}

/** `id` identifies the call, and `question` counts the questions of one call. */
export type ToWorker<P extends WorkerProtocol> =
  | { readonly type: 'start'; readonly settings: P['settings'] }
  | { readonly type: 'call'; readonly id: number; readonly request: P['request'] }
  | { readonly type: 'abort'; readonly id: number }
  | { readonly type: 'answer'; readonly id: number; readonly question: number; readonly answer: P['answer'] }
  | { readonly type: 'refusal'; readonly id: number; readonly question: number; readonly error: PlainError };

export type FromWorker<P extends WorkerProtocol> =
  | { readonly type: 'note'; readonly id: number; readonly note: P['note'] }
  | { readonly type: 'ask'; readonly id: number; readonly question: number; readonly asked: P['question'] }
  | { readonly type: 'result'; readonly id: number; readonly result: P['result'] }
  | { readonly type: 'error'; readonly id: number; readonly error: PlainError };

/** An error in cloneable form, because cloning loses its class. */
export interface PlainError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
  readonly at: Location | undefined;
}

export function toPlainError(error: unknown): PlainError {
  if (error instanceof DragomanError) {
    const { code, message, hint, at } = error;
    return { code, message, hint, at };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'internal', message, hint: undefined, at: undefined };
}

export function fromPlainError({ code, message, hint, at }: PlainError): DragomanError {
  return new DragomanError(code, message, { hint, at });
}
