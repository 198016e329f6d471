import type { DragomanError } from '../../base/errors.ts';
import type { Edit } from '../../base/span.ts';
import type { SlotId } from '../../documents/localization/pairing.ts';
import type { Key, Slot } from '../../formats/format.ts';
import type { SubtitleDocument } from '../../formats/subtitles/document.ts';
import type { LengthLimit } from '../../text/length-limit.ts';
import type { Unit, UnitOutcome } from '../../pipeline/unit.ts';
import { matchesKey } from '../config/glob.ts';
import {
  type Fingerprint,
  isOwnMark,
  type LockKey,
  type LockRecord,
  sameRecords,
} from '../state/lock-line.ts';
import { keptRecord, type KeyState } from './key-state.ts';
import type { ExtraKey } from './extra-keys.ts';
import type { FilePlan, PlannedKey } from './plan.ts';

export interface Selection {
  /** Whether to translate our own translations again, even if nothing has changed. All others are kept. */
  readonly force?: boolean | undefined;
  /** Whether to retranslate our own translations that lack a glossary term. */
  readonly fixTerms?: boolean | undefined;
  /** Removes keys that the source lacks: only those whose values are ours, or all. */
  readonly prune?: 'ours' | 'all' | undefined;
  /** Whether new translations by engines are marked for review, if their format has a mark. */
  readonly markForReview?: boolean | undefined;
  /** Patterns for key paths joined by dots: only matching keys are changed. Default: all. */
  readonly keys?: readonly string[] | undefined;
  /** A person's texts or decisions: nothing else in a file is changed. */
  readonly given?: ReadonlyMap<SlotId, GivenText> | undefined;
}

/** A text that a person wrote or decided about. */
export interface GivenText {
  /** With the links of its source. Undefined to keep the value. */
  readonly value?: string | undefined;
  /** Whether the file marks the text for review, if its format can. */
  readonly isMarked: boolean;
  /** The new record in the lock; undefined for none. */
  recordOf(output: Fingerprint): LockRecord | undefined;
  /** Edits to the slot, which already has the value, that record the decision in the file. */
  editsOf(slot: Slot): readonly Edit[];
}

export type KeyAction =
  /** Ask the engine for a translation. */
  | 'translate'
  /** Copy the text, because it has nothing to translate. */
  | 'copy'
  /** Take the value of the old key. */
  | 'reuse'
  /** Leave the value, and update its record. */
  | 'keep'
  /** Leave the key, because it was not selected. */
  | 'skip';

const ACTIONS: Readonly<Record<KeyState, KeyAction>> = {
  missing: 'translate',
  stale: 'translate',
  pending: 'translate',
  renamed: 'reuse',
  unknown: 'keep',
  edited: 'keep',
  outdated: 'keep',
  'no-text': 'keep',
  unmatched: 'keep',
  current: 'keep',
};

export function actionFor(key: PlannedKey, selection: Selection): KeyAction {
  if (selection.given) return selection.given.get(key.id)?.value === undefined ? 'skip' : 'translate';
  if (!isSelected(key.key, selection)) return 'skip';
  if (key.state === 'missing' && key.blank) return 'copy';
  if (key.state === 'current' && (selection.force || key.lacksTerm) && isOurs(key)) return 'translate';
  return ACTIONS[key.state];
}

function isOurs({ blank, record }: PlannedKey): boolean {
  return !blank && record !== undefined && isOwnMark(record.mark);
}

/** The keys that pruning removes. */
export function prunedKeys({ extra }: FilePlan, selection: Selection): readonly ExtraKey[] {
  const { prune } = selection;
  if (prune === undefined) return [];
  return extra.filter(
    ({ key, origin }) => (prune === 'all' || origin === 'ours') && isSelected(key, selection),
  );
}

export function isSelected(key: Key, { keys }: Selection): boolean {
  if (!keys || keys.length === 0) return true;
  const path = key.join('.');
  return keys.some((pattern) => matchesKey(pattern, path));
}

/** The keys that may need an action. All others keep their values and records. */
export function keysToConsider(plan: FilePlan, { force, given }: Selection): readonly PlannedKey[] {
  return force || given ? plan.keys : plan.open;
}

/** The records of a key whose value stays unchanged. */
export function keptRecords(
  key: PlannedKey,
  records: ReadonlyMap<LockKey, readonly LockRecord[]>,
  selection: Selection,
): readonly LockRecord[] | undefined {
  if (actionFor(key, selection) === 'skip') return records.get(key.lockKey);
  if (key.blank) return undefined;
  const record = keptRecord(key.state, key);
  return record && [record];
}

/** Whether values of this file, or only its records, must be written. */
export function hasWork(
  plan: FilePlan,
  records: ReadonlyMap<LockKey, readonly LockRecord[]>,
  selection: Selection,
): boolean {
  if (plan.gone.length > 0 || prunedKeys(plan, selection).length > 0) return true;
  return keysToConsider(plan, selection).some((key) => {
    const action = actionFor(key, selection);
    if (action === 'translate' || action === 'copy' || action === 'reuse') return true;
    return !sameRecords(keptRecords(key, records, selection), records.get(key.lockKey));
  });
}

export interface WantedCue {
  readonly document: SubtitleDocument;
  readonly slot: number;
}

/** A key that a language needs. */
export interface WantedKey {
  /** The source file, relative to the root. */
  readonly file: string;
  readonly key: PlannedKey;
  /** For subtitles: the source, and the index of the slot in it. */
  readonly cue?: WantedCue | undefined;
  /** The source texts around it in its file. */
  readonly neighbours?: readonly string[] | undefined;
  readonly limit?: LengthLimit | undefined;
}

/** The key as a unit for the pipeline. */
export function unitOf({ key, neighbours, limit }: Omit<WantedKey, 'file'>): Unit {
  const { text, syntax, rule, forms, comment, category } = key;
  const context = { key: key.key, comment, limit, category, neighbours };
  return { value: text, syntax, rule, forms, context };
}

/**
 * Translates the keys that a language lacks: returns one outcome per key, in order, with verified values, or the error
 * that prevents the whole language, while other languages may succeed.
 */
export type TranslateKeys = (
  locale: string,
  wanted: readonly WantedKey[],
) => Promise<readonly UnitOutcome[] | DragomanError>;

/** The engine's outcome for a key, if its text is still the one sent. */
export type OutcomeOfKey = (key: PlannedKey) => UnitOutcome | undefined;

/** The progress of a sync in keys. Counts cover all languages. */
export interface SyncProgress {
  /** The language being translated, or the file whose job is running. */
  readonly label: string;
  /** The position of that language or job, starting at 1, and their total number. */
  readonly at: number;
  readonly of: number;
  readonly done: number;
  readonly total: number;
}

export type ProgressListener = (progress: SyncProgress) => void;
