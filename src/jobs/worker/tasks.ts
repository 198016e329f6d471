import type { EngineTraits } from '../../engines/host.ts';
import type { BuiltInFormatId } from '../../formats/registry.ts';
import type { SharedResources, WorkerAnswer, WorkerQuestion } from '../../resources/worker-resources.ts';
import type { OwnResources } from '../../store/resource-store.ts';

interface SourceFile {
  readonly path: string;
  readonly format: BuiltInFormatId;
  /** The client's file name, for errors. */
  readonly filename: string;
  /** Canonical; undefined if not known yet. */
  readonly language: string | undefined;
}

/** Reads as much of a file as is needed to accept it. */
export interface InspectTask {
  readonly kind: 'inspect';
  readonly source: SourceFile;
  /** Whether to collect texts for language detection. */
  readonly sample: boolean;
}

export interface Inspection {
  readonly totalKeys: number;
  /** The language that the file itself declares, canonical. */
  readonly declared: string | undefined;
  /** Texts for language detection, if requested. */
  readonly sample: readonly string[];
  /** Whether any text contains a letter. */
  readonly hasWords: boolean;
}

/** Translates a file into one language. The result is stored, synced, in `directory` under the name `fileId`. */
export interface TranslateTask {
  readonly kind: 'translate';
  readonly source: SourceFile & { readonly language: string };
  readonly target: string;
  /** The resources of the job's account. */
  readonly own: OwnResources | undefined;
  readonly directory: string;
  readonly fileId: string;
}

export interface Translation {
  readonly totalKeys: number;
  readonly translatedKeys: number;
  /** See `packKeys`; null if no key failed. */
  readonly failedKeys: string | null;
  /** Why the first failed key failed. */
  readonly reason: string | null;
  /** Whether the task was stopped: the remaining keys count as failed, and no file was written. */
  readonly isStopped: boolean;
  /** Size of the file; undefined if no key was translated. */
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
