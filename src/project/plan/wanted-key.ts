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

/** How far a sync is, in keys: counts are of all languages together. */
export interface SyncProgress {
  /** The language that is translated, or the file of the job that is waited for. */
  readonly label: string;
  /** Which language or job of how many that is, from 1. */
  readonly at: number;
  readonly of: number;
  readonly done: number;
  readonly total: number;
}

export type ProgressListener = (progress: SyncProgress) => void;
