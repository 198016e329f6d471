import type { DragomanError } from '../../base/errors.ts';
import type { Unit, UnitOutcome } from '../../pipeline/unit.ts';
import type { PlannedKey } from './plan.ts';

/** A key that a language lacks. */
export interface WantedKey {
  /** The source file, relative to the root. */
  readonly file: string;
  readonly key: PlannedKey;
  /** The source texts before and after it in its file. */
  readonly neighbours?: readonly string[] | undefined;
}

/** A key as the pipeline takes it. */
export function unitOf({ key, neighbours }: Omit<WantedKey, 'file'>): Unit {
  const { text, syntax, forms, comment, category } = key;
  return { value: text, syntax, forms, context: { key: key.key, comment, category, neighbours } };
}

/**
 * Translates what a language lacks: one outcome per key, in order, with values that are verified; or the error that
 * prevents the whole language, while other languages may succeed.
 */
export type TranslateKeys = (
  locale: string,
  wanted: readonly WantedKey[],
) => Promise<readonly UnitOutcome[] | DragomanError>;

export interface SyncProgress {
  /** Canonical; several with commas between where they are done together. */
  readonly locale: string;
  readonly phase: 'translating' | 'writing' | 'waiting';
  readonly done: number;
  /** Texts to translate (at the beginning, `done` 0, the keys that have them), keys of a job (at the beginning 0), or files to write. */
  readonly total: number;
  /** `waiting`: the file that the job translates. */
  readonly file?: string | undefined;
}

export type ProgressListener = (progress: SyncProgress) => void;
