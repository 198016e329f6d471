import type { EngineTraits } from '../../engines/host.ts';
import type { FormatId } from '../../formats/registry.ts';
import type { SharedResources, WorkerAnswer, WorkerQuestion } from '../../resources/worker-resources.ts';
import type { OwnResources } from '../../store/resource-store.ts';

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
  /** Whether its language must be detected. */
  readonly sample: boolean;
}

export interface Inspection {
  readonly totalKeys: number;
  /** The language that the file itself declares, canonical. */
  readonly declared: string | undefined;
  /** What tells the language of a file that does not say it, where that was asked for. */
  readonly sample: readonly string[];
  /** Whether there is a letter in any text. */
  readonly hasWords: boolean;
}

/** Translates a file into one language, and leaves the result, synced, in `directory` under the name `fileId`. */
export interface TranslateTask {
  readonly kind: 'translate';
  readonly source: SourceFile & { readonly language: string };
  readonly target: string;
  /** Of the job's account. */
  readonly own: OwnResources | undefined;
  readonly directory: string;
  readonly fileId: string;
}

export interface Translation {
  readonly totalKeys: number;
  readonly translatedKeys: number;
  /** See `packKeys`; null if no key failed. */
  readonly failedKeys: string | null;
  /** Why the first of the keys failed that did. */
  readonly reason: string | null;
  /** Whether it was stopped: keys not translated by then have failed, and no file was written. */
  readonly isStopped: boolean;
  /** Bytes of the file; undefined without translated keys. */
  readonly size: number | undefined;
}

export type FileTask = InspectTask | TranslateTask;

/** The settings for all tasks of a worker. */
export interface WorkerSettings {
  readonly engine: EngineTraits;
  readonly shared: SharedResources;
}

export interface FileProtocol {
  readonly settings: WorkerSettings;
  readonly request: FileTask;
  readonly result: Inspection | Translation;
  /** The progress of a translation, in texts. */
  readonly note: { readonly done: number; readonly total: number };
  readonly question: WorkerQuestion;
  readonly answer: WorkerAnswer;
}
