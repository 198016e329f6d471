import type { Document, Key, Slot } from '../../formats/format.ts';
import { isApproved, type TranslationState } from '../../formats/state.ts';
import { leavesOf } from '../../documents/localization/missing-entries.ts';
import {
  keyId,
  pairWith,
  slotFinder,
  slotIds,
  type SlotFinder,
  type SlotId,
} from '../../documents/localization/pairing.ts';
import { matchesKey } from '../config/glob.ts';
import { fingerprint, sourceFingerprint, type Fingerprint } from '../state/fingerprint.ts';
import { lockKeys, type LockKey } from '../state/lock-key.ts';
import type { LockRecord } from '../state/lock-line.ts';
import { stateOf, wasEmptied, type KeyState, type TranslationOrigin } from './key-state.ts';
import { pluralSiblings } from './plural-siblings.ts';
import { indexRenamedKeys, type PreviousKey } from './renamed-keys.ts';

/** One key that a target should have, with its source text. */
export interface SourceKey {
  readonly id: SlotId;
  readonly key: Key;
  /** The entry that it is, or is a form of: what coverage and changes count. */
  readonly entry: string;
  readonly lockKey: LockKey;
  /** The text to translate. */
  readonly text: string;
  readonly forms?: readonly string[] | undefined;
  readonly syntax: Slot['syntax'];
  /** The developer's note to translators. */
  readonly comment?: string | undefined;
  /** The plural category, if the key is a plural form. */
  readonly category?: string | undefined;
  /** The offset of the text in the source file. */
  readonly sourceOffset: number;
  readonly sourceHash: Fingerprint;
  /** The source text is empty: there is nothing to translate, whatever the target contains. */
  readonly blank: boolean;
}

/** The keys that a source requires in its targets. */
export interface SourceKeys {
  readonly keys: readonly SourceKey[];
  /** Of all slots of the skeleton. */
  readonly ids: ReadonlySet<SlotId>;
  readonly lockKeys: ReadonlySet<LockKey>;
  /** Whether the format says how far translations have come. */
  readonly haveStates: boolean;
}

/** One key of a target, as it is now. */
export interface PlannedKey extends SourceKey {
  readonly state: KeyState;
  /** What the target says of its translation, where the format has states. */
  readonly translationState: TranslationState | undefined;
  /** The value in the target, if it has one. */
  readonly value: string | undefined;
  /** Of that value. */
  readonly output: Fingerprint | undefined;
  readonly record: LockRecord | undefined;
  /** `renamed`: the old key, which has the value in the target. */
  readonly previous: PreviousKey | undefined;
}

export interface ExtraKey {
  readonly key: Key;
  readonly entry: string;
  readonly origin: TranslationOrigin;
  /** Its offset in the target file. */
  readonly offset: number;
}

/** The keys of one file in one language, compared with source and lock. */
export interface FilePlan {
  readonly keys: readonly PlannedKey[];
  /** In the target, not in the source. */
  readonly extra: readonly ExtraKey[];
  /** Records of keys that are in the target only: kept as long as they are. */
  readonly leftover: ReadonlyMap<LockKey, readonly LockRecord[]>;
}

/**
 * Lists the keys that a source requires in the targets of a language.
 *
 * @param skeleton the source turned towards the locale: its slots are those the target should have
 * @param locale canonical
 */
export function listSourceKeys(source: Document, skeleton: Document, locale: string): SourceKeys {
  const sourceOf = pairWith(source, { locale });
  const ids = slotIds(skeleton);
  const locked = lockKeys(skeleton);
  const keys = skeleton.slots.flatMap((slot, i): SourceKey[] => {
    const id = ids[i] ?? '';
    const from = sourceOf(slot, id);
    if (!from) return [];
    const { comment, plural } = from.slot;
    return [
      {
        id,
        key: slot.key,
        entry: slot.plural ? keyId(slot.plural.group) : id,
        lockKey: locked[i] ?? '',
        text: from.text,
        forms: from.forms,
        syntax: slot.syntax,
        comment,
        category: slot.plural?.category,
        sourceOffset: from.slot.span.start,
        sourceHash: sourceFingerprint({ text: from.text, comment, category: plural?.category }),
        blank: from.text.trim() === '',
      },
    ];
  });
  const haveStates = skeleton.slots.some(({ state }) => state !== undefined);
  return { keys, ids: new Set(ids), lockKeys: new Set(locked), haveStates };
}

export interface PlanInput {
  readonly expected: SourceKeys;
  /** The source turned towards the locale. */
  readonly skeleton: Document;
  /** Undefined: there is no such file. */
  readonly target: Document | undefined;
  /** Canonical. */
  readonly locale: string;
  readonly records: ReadonlyMap<LockKey, readonly LockRecord[]>;
  /** Records of files that are gone: values of a file that was renamed with its targets are still ours. */
  readonly orphans?: ReadonlyMap<LockKey, readonly LockRecord[]> | undefined;
  /** Patterns over key paths joined by dots: where an empty value of the target is its translation. */
  readonly keepEmpty?: readonly string[] | undefined;
}

/** Compares source, target and lock. Pure; linear in the number of keys. */
export function planFile(input: PlanInput): FilePlan {
  const { expected, target, records, orphans, keepEmpty } = input;
  const find = target && slotFinder(target);
  const renamed = indexRenamedKeys(records, expected.lockKeys, target);
  const planned = expected.keys.map((wanted): PlannedKey => {
    const { id, lockKey, sourceHash, text, blank } = wanted;
    const standing = target?.slots[find?.(id) ?? -1];
    const recordsOf = (output: Fingerprint): readonly LockRecord[] | undefined => {
      const own = records.get(lockKey);
      if (own) return own;
      const record =
        renamed.takeCarried(sourceHash, output) ?? describing(orphans?.get(lockKey), sourceHash, output);
      return record && [record];
    };
    const value =
      standing && (isTranslation(standing, text) || staysEmpty(standing, keepEmpty, recordsOf))
        ? standing.value
        : undefined;
    const output = value === undefined ? undefined : fingerprint(value);
    const known = output === undefined ? records.get(lockKey) : recordsOf(output);
    const record = blank ? undefined : approve(chooseRecord(known, sourceHash, output), standing);
    const previous = record || blank || output !== undefined ? undefined : renamed.takeRenamed(sourceHash);
    const state = previous
      ? 'renamed'
      : blank && standing
        ? 'current'
        : stateOf({ sourceHash, output, record });
    // Field by field: spreading takes several times as long, and there are as many keys as values in a project.
    return {
      id,
      key: wanted.key,
      entry: wanted.entry,
      lockKey,
      text,
      forms: wanted.forms,
      syntax: wanted.syntax,
      comment: wanted.comment,
      category: wanted.category,
      sourceOffset: wanted.sourceOffset,
      sourceHash,
      blank,
      state,
      translationState: expected.haveStates ? (standing?.state ?? 'initial') : undefined,
      value,
      output,
      record,
      previous,
    };
  });
  const leftover = renamed.leftover();
  const extra = target ? findExtra({ ...input, target, planned, leftover }) : [];
  return { keys: planned, extra, leftover };
}

/**
 * The plan of a target without extra keys after values were written to it and their records made: as {@link planFile}
 * would find it, without comparing unchanged keys again.
 *
 * @param written the values, by slot
 * @param target the target as it is now, called only if a key is not as planned
 */
export function replanFile(
  plan: FilePlan,
  written: ReadonlyMap<SlotId, string>,
  records: ReadonlyMap<LockKey, readonly LockRecord[]>,
  target: () => Document,
): FilePlan {
  let find: SlotFinder | undefined;
  const keys = plan.keys.map((key): PlannedKey => {
    const { id, text, blank, sourceHash, lockKey } = key;
    let value = written.get(id);
    if (key.state === 'current' && value === undefined) return key;
    const record = records.get(lockKey)?.[0];
    let isThere = true;
    if (value === undefined) {
      const slot = target().slots[(find ??= slotFinder(target()))(id) ?? -1];
      isThere = slot !== undefined;
      // An empty value has a record only where it stays so.
      const isValue = slot && (isTranslation(slot, text) || (slot.value === '' && record !== undefined));
      value = isValue ? slot.value : undefined;
    }
    const output = value === undefined ? undefined : fingerprint(value);
    const state = blank && isThere ? 'current' : stateOf({ sourceHash, output, record });
    const translationState = key.translationState && (written.has(id) ? 'translated' : key.translationState);
    return { ...key, state, translationState, value, output, record };
  });
  return { keys, extra: [], leftover: plan.leftover };
}

/** What we wrote and a person approved is that person's. */
function approve(record: LockRecord | undefined, standing: Slot | undefined): LockRecord | undefined {
  const isOurs = record?.mark === undefined || record.mark === 'pending';
  return record && isOurs && isApproved(standing?.state) ? { ...record, mark: 'human' } : record;
}

/** The record that is true of both source and target, if any. */
function describing(
  records: readonly LockRecord[] | undefined,
  source: Fingerprint,
  output: Fingerprint,
): LockRecord | undefined {
  return records?.find((record) => record.source === source && record.output === output);
}

/** An empty or guessed value is no translation, unless its source is empty too, or a person approved it. */
function isTranslation(slot: Slot, sourceText: string): boolean {
  if (isApproved(slot.state)) return true;
  return !slot.provisional && (slot.value !== '' || sourceText === '');
}

/**
 * Whether an empty value is meant as the translation. In PO files a person never means it, because programs show the
 * source text instead.
 */
function staysEmpty(
  { key, value, source, provisional }: Slot,
  keepEmpty: readonly string[] | undefined,
  recordsOf: (output: Fingerprint) => readonly LockRecord[] | undefined,
): boolean {
  if (value !== '' || provisional === true) return false;
  if (keepEmpty && keepEmpty.length > 0) {
    const path = key.join('.');
    if (keepEmpty.some((pattern) => matchesKey(pattern, path))) return true;
  }
  return source === undefined && wasEmptied(recordsOf(fingerprint('')));
}

interface ExtraInput extends PlanInput, Pick<FilePlan, 'leftover'> {
  readonly target: Document;
  readonly planned: readonly PlannedKey[];
}

function findExtra({
  expected,
  target,
  skeleton,
  locale,
  planned,
  leftover,
}: ExtraInput): readonly ExtraKey[] {
  const ids = slotIds(target);
  const reused = new Set(planned.flatMap(({ previous }) => (previous ? keyId(previous.key) : [])));
  const isExpected = (id: SlotId): boolean => expected.ids.has(id) || reused.has(id);
  // Made when there is something to ask it: most targets have nothing unexpected.
  let isSibling: ReturnType<typeof pluralSiblings> | undefined;
  let untranslatable: ReadonlySet<string> | undefined;
  let keys: readonly LockKey[] | undefined;
  const seen = new Set<string>();
  return target.slots.flatMap((slot, i): ExtraKey[] => {
    if (isExpected(ids[i] ?? '')) return [];
    // The second of two that the source has once is no extra key.
    const id = keyId(slot.key);
    if (isExpected(id) || seen.has(id)) return [];
    isSibling ??= pluralSiblings(skeleton, locale);
    if (isSibling(slot)) return [];
    // The source has it, and nothing to translate in it: an item of an array that pruning would renumber.
    untranslatable ??= new Set(leavesOf(skeleton.entries));
    if (untranslatable.has(id)) return [];
    seen.add(id);
    keys ??= lockKeys(target);
    const origin = originOf(slot.value, leftover.get(keys[i] ?? ''));
    return [{ key: slot.key, entry: entryOf(slot), origin, offset: slot.span.start }];
  });
}

/** The author of a value whose key the source does not have: it is ours only if it is as we recorded it. */
function originOf(value: string, records: readonly LockRecord[] | undefined): TranslationOrigin {
  const output = fingerprint(value);
  const record = records?.find((candidate) => candidate.output === output);
  if (!record) return records?.some(({ mark }) => mark === 'human') === true ? 'human' : 'unknown';
  if (record.mark === undefined || record.mark === 'pending') return 'ours';
  return record.mark === 'human' ? 'human' : 'unknown';
}

function entryOf({ key, plural }: Slot): string {
  return keyId(plural?.group ?? key);
}

/**
 * The one of several records of a key that is true: first one that describes the value standing in the target, then
 * one that describes the source as it is, then the first. With merged branches, and with the intentions that a killed
 * run left, only the files can say which record was carried out.
 */
export function chooseRecord(
  records: readonly LockRecord[] | undefined,
  source: Fingerprint,
  output: Fingerprint | undefined,
): LockRecord | undefined {
  if (!records || records.length < 2) return records?.[0];
  let best: LockRecord | undefined;
  let bestRank = -1;
  for (const record of records) {
    const rank = (record.output === output ? 2 : 0) + (record.source === source ? 1 : 0);
    if (rank > bestRank) {
      best = record;
      bestRank = rank;
    }
  }
  return best;
}
