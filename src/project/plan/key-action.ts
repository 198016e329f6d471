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
  /** Translates our own translations again, even if nothing has changed. All others stay. */
  readonly force?: boolean | undefined;
  /** Retranslates our own translations that lack a glossary term. */
  readonly fixTerms?: boolean | undefined;
  /** Removes keys that the source does not have: those whose values are ours, or all of them. */
  readonly prune?: 'ours' | 'all' | undefined;
  /** New translations of engines are marked for review, if their format has a mark. */
  readonly markForReview?: boolean | undefined;
  /** Patterns over key paths joined by dots: only keys matching one are touched. Default: all. */
  readonly keys?: readonly string[] | undefined;
  /** A person's text or decision: nothing else of a file is changed. */
  readonly given?: ReadonlyMap<SlotId, GivenText> | undefined;
}

/** A text that somebody wrote or decided about. */
export interface GivenText {
  /** With the links of its source. Undefined: the value stays. */
  readonly value?: string | undefined;
  /** Whether the file marks the text for review, if its format can. */
  readonly isMarked: boolean;
  /** The record that the lock is to have of it; undefined for none. */
  recordOf(output: Fingerprint): LockRecord | undefined;
  /** Edits of its slot, which has the value, that record the decision in the file. */
  editsOf(slot: Slot): readonly Edit[];
}

export type Action =
  /** Ask the engine. */
  | 'translate'
  /** It has no translatable text, so it stays unchanged. */
  | 'copy'
  /** Take the value of its old key. */
  | 'reuse'
  /** Leave it, and see to its record. */
  | 'keep'
  /** Not asked for. */
  | 'skip';

const ACTIONS: Readonly<Record<KeyState, Action>> = {
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

export function actionFor(key: PlannedKey, selection: Selection): Action {
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
export function keysToSee({ keys, open }: FilePlan, { force, given }: Selection): readonly PlannedKey[] {
  return force || given ? keys : open;
}

/** The records of one key with an unchanged value. */
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

/** Whether this file needs a write: of a value, or only of records. */
export function hasWork(
  plan: FilePlan,
  records: ReadonlyMap<LockKey, readonly LockRecord[]>,
  selection: Selection,
): boolean {
  if (plan.gone.length > 0 || prunedKeys(plan, selection).length > 0) return true;
  return keysToSee(plan, selection).some((key) => {
    const action = actionFor(key, selection);
    if (action === 'translate' || action === 'copy' || action === 'reuse') return true;
    return !sameRecords(keptRecords(key, records, selection), records.get(key.lockKey));
  });
}

export interface WantedCue {
  readonly document: SubtitleDocument;
  readonly slot: number;
}

/** A key that a language lacks. */
export interface WantedKey {
  /** The source file, relative to the root. */
  readonly file: string;
  readonly key: PlannedKey;
  /** The source, if it is a subtitle, and the index of its slot there. */
  readonly cue?: WantedCue | undefined;
  /** The source texts before and after it in its file. */
  readonly neighbours?: readonly string[] | undefined;
  readonly limit?: LengthLimit | undefined;
}

/** A key as the pipeline takes it. */
export function unitOf({ key, neighbours, limit }: Omit<WantedKey, 'file'>): Unit {
  const { text, syntax, rule, forms, comment, category } = key;
  const context = { key: key.key, comment, limit, category, neighbours };
  return { value: text, syntax, rule, forms, context };
}

/**
 * Translates what a language lacks: one outcome per key, in order, with values that are verified; or the error that
 * prevents the whole language, while other languages may succeed.
 */
export type TranslateKeys = (
  locale: string,
  wanted: readonly WantedKey[],
) => Promise<readonly UnitOutcome[] | DragomanError>;

/** The engine's outcome for a key, if its text is still the one that was sent. */
export type OutcomeOfKey = (key: PlannedKey) => UnitOutcome | undefined;

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
