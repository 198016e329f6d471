import type { DragomanError } from '../base/errors.ts';

/** A file to translate as a job into supported languages. Codes are canonical. */
export interface FileTranslationJob {
  /** A unique name without directories, for finding the job again. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly source: string;
  readonly targets: readonly string[];
  /** The number of translatable keys, which determines the price of each language. */
  readonly keys: number;
}

/** The part of a job that the budget allows. */
export interface BudgetedTargets {
  /** The first requested targets; their price is reserved. */
  readonly targets: readonly string[];
  /** Why some targets are missing. */
  readonly error?: DragomanError | undefined;
}

/** How a job ended. */
export interface FileTranslationEnd {
  readonly status: 'completed' | 'partial' | 'failed';
  /** The service's reason for a failure. */
  readonly reason?: string | undefined;
}

export interface JobWait {
  readonly signal: AbortSignal;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Translates whole files as jobs that continue on the server: a job can be found by name or id even after its creator
 * has ended. Rejects with the service's DragomanErrors.
 */
export interface FileTranslator {
  readonly id: string;
  /** Why a file of this name and size cannot be translated; undefined if it can. */
  refusal(filename: string, bytes: number): string | undefined;
  supports(source: string, target: string, signal: AbortSignal): Promise<boolean>;
  /** Reserves the cost. Call it before {@link create}, which releases amounts that are certainly not charged. */
  afford(targets: readonly string[], keys: number): BudgetedTargets;
  /** Returns the id. After this call the job may exist, even if it rejects with `answer_lost` or the process ends. */
  create(job: FileTranslationJob, signal: AbortSignal): Promise<string>;
  /** The job with this id, or with this name if no id is given, unless it failed. */
  find(
    job: { readonly id?: string | undefined; readonly name: string },
    signal: AbortSignal,
  ): Promise<string | undefined>;
  /**
   * Resolves when the job has ended. The wait is limited: a job that makes no progress is an error, although it
   * continues on the server.
   */
  wait(id: string, options: JobWait): Promise<FileTranslationEnd>;
  /** Downloads the file of one language. @throws DragomanError `not_found` if that language failed completely */
  download(id: string, target: string, signal: AbortSignal): Promise<Uint8Array>;
  /** Deletes the job with all its files. */
  discard(id: string, signal: AbortSignal): Promise<void>;
}
