import { DragomanError, type ErrorCode, type Location } from '../../base/errors.ts';
import type { BatchSize, EngineOutcome, EngineRequest } from '../../engines/engine.ts';
import type { FormatId } from '../../formats/format.ts';

/** What the workers of the pool and the program say to each other. All of it can be cloned. */

/** What a worker has to know of the engine, which stays in the program. */
export interface WorkerSettings {
  readonly engine: { readonly id: string; readonly batch: BatchSize | undefined };
}

interface SourceFile {
  readonly path: string;
  readonly format: FormatId;
  /** As the client named it, for errors. */
  readonly filename: string;
  /** Canonical; undefined while it is not known. */
  readonly language: string | undefined;
}

/** Reads a file as far as that is needed to accept it. */
export interface InspectTask {
  readonly kind: 'inspect';
  readonly source: SourceFile;
  /** Whether its language has to be found out. */
  readonly sample: boolean;
}

export interface Inspection {
  readonly totalKeys: number;
  /** The language that the file itself declares, canonical. */
  readonly declared: string | undefined;
  /** Texts to detect the language of a file that does not declare it, if that was requested. */
  readonly sample: readonly string[];
  /** Whether there is a letter in any text. */
  readonly hasWords: boolean;
}

/** Translates a file into one language, and leaves the result, synced, in `directory` under the name `fileId`. */
export interface TranslateTask {
  readonly kind: 'translate';
  readonly source: SourceFile & { readonly language: string };
  readonly target: string;
  readonly directory: string;
  readonly fileId: string;
}

export interface Translation {
  readonly totalKeys: number;
  readonly translatedKeys: number;
  /** See `packKeys`; null where no key failed. */
  readonly failedKeys: string | null;
  /** Why the first of the keys failed that did. */
  readonly reason: string | null;
  /** Bytes of the file; undefined when there is none, because no key was translated. */
  readonly size: number | undefined;
}

export type Task = InspectTask | TranslateTask;
export interface Results {
  inspect: Inspection;
  translate: Translation;
}

export type ToWorker =
  | { readonly type: 'start'; readonly settings: WorkerSettings }
  | { readonly type: 'run'; readonly task: Task }
  | { readonly type: 'abort' }
  | { readonly type: 'answer'; readonly call: number; readonly outcomes: readonly PlainOutcome[] }
  | { readonly type: 'refusal'; readonly call: number; readonly error: PlainError };

export type FromWorker =
  | { readonly type: 'ask'; readonly call: number; readonly request: EngineRequest }
  | { readonly type: 'progress'; readonly done: number; readonly total: number }
  | { readonly type: 'result'; readonly result: Inspection | Translation }
  | { readonly type: 'error'; readonly error: PlainError };

/** An error as it can be cloned: a class does not survive that. */
export interface PlainError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
  readonly at: Location | undefined;
}

export type PlainOutcome =
  | Extract<EngineOutcome, { translation: string }>
  | { readonly failure: string; readonly error?: PlainError | undefined };

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

export function toPlainOutcome(outcome: EngineOutcome): PlainOutcome {
  if (!('failure' in outcome)) return outcome;
  if (!outcome.error) return { failure: outcome.failure };
  return { failure: outcome.failure, error: toPlainError(outcome.error) };
}

export function fromPlainOutcome(outcome: PlainOutcome): EngineOutcome {
  if (!('failure' in outcome)) return outcome;
  if (!outcome.error) return { failure: outcome.failure };
  return { failure: outcome.failure, error: fromPlainError(outcome.error) };
}
