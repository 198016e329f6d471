import type { DragomanError } from '../base/errors.ts';

/** A file to translate as a job, into languages that the translator supports. Codes are canonical. */
export interface FileTranslationJob {
  /** A name of its own, without directories, by which the job is found again. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly source: string;
  readonly targets: readonly string[];
  /** Translatable keys of the file: what each language costs. */
  readonly keys: number;
}

/** What of a job there is budget for. */
export interface Affordable {
  /** The first ones of what was asked for; their price is taken from the budget. */
  readonly targets: readonly string[];
  /** Why not all of them. */
  readonly error?: DragomanError | undefined;
}

/** How a job ended. */
export interface FileTranslationEnd {
  readonly status: 'completed' | 'partial' | 'failed';
  /** Why something failed, as the service says it. */
  readonly reason?: string | undefined;
}

export interface JobWait {
  readonly signal: AbortSignal;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Translates whole files as jobs that go on by themselves: one that was created is found again by its name or id,
 * whatever happened to the process that created it. Rejects with the DragomanErrors of the service.
 */
export interface FileTranslator {
  readonly id: string;
  /** Why no file of this name and size can be translated; undefined when it can. */
  refusal(filename: string, bytes: number): string | undefined;
  supports(source: string, target: string, signal: AbortSignal): Promise<boolean>;
  /** To be asked before {@link create}, which gives back what is certainly not charged. */
  afford(targets: readonly string[], keys: number): Affordable;
  /** The id. Once it was called the job may exist, also where it rejects with `answer_lost` or the process ends. */
  create(job: FileTranslationJob, signal: AbortSignal): Promise<string>;
  /** The job with this id or, without one, this name, unless it failed. */
  find(
    job: { readonly id?: string | undefined; readonly name: string },
    signal: AbortSignal,
  ): Promise<string | undefined>;
  /** Resolves when the job has ended. Bounded: a job without progress is an error, and goes on by itself. */
  wait(id: string, options: JobWait): Promise<FileTranslationEnd>;
  /** The file of one language. @throws DragomanError `not_found` where that language failed as a whole. */
  download(id: string, target: string, signal: AbortSignal): Promise<Uint8Array>;
  /** Deletes the job with all its files. */
  discard(id: string, signal: AbortSignal): Promise<void>;
}
