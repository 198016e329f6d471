import { keyId } from '../../documents/localization/pairing.ts';
import {
  type Document,
  isApproved,
  type Key,
  type PluralForm,
  type Slot,
  type TranslationState,
} from '../../formats/format.ts';
import { type Decision, isTrustedApproval, rankOfDecision } from '../state/decision.ts';
import {
  fingerprint,
  type Fingerprint,
  isOwnMark,
  lockKey,
  type LockKey,
  lockKeys,
  type LockRecord,
} from '../state/lock-line.ts';
import { allowedCategories } from '../../text/plural.ts';
import { addTo } from '../../base/map-of-lists.ts';

export type KeyState =
  /** The target has no value, an empty one, or a guess. */
  | 'missing'
  /** The translation is ours, and its source has changed. */
  | 'stale'
  /** The target contains the source text, because a translation failed. */
  | 'pending'
  /**
   * The key is new, but its text was translated under a different key or in a different shape that no longer exists.
   * That value moves here.
   */
  | 'renamed'
  /** The value existed before the first sync, so its writer is unknown. */
  | 'unknown'
  /** A person changed the recorded translation; the source is unchanged. */
  | 'edited'
  /** The target has a value that is not a text in this position, such as a computed one. Never overwritten. */
  | 'no-text'
  /** It is unknown which text of the target is the translation, if any. */
  | 'unmatched'
  /**
   * Dragoman did not write the translation, or a person changed it, and its source has changed since. Never
   * overwritten.
   */
  | 'outdated'
  /** Nothing to do. */
  | 'current';

/** The author of a target's value. */
export type TranslationOrigin = 'ours' | 'human' | 'unknown';

interface KeyFacts {
  readonly sourceHash: Fingerprint;
  /** The fingerprint of the value in the target; undefined if it is missing. */
  readonly output: Fingerprint | undefined;
  readonly record: LockRecord | undefined;
  /** The state in the file, unless the text was changed after the state was set. */
  readonly translationState?: TranslationState | undefined;
}

export function stateOf({ sourceHash, output, record }: KeyFacts): KeyState {
  if (output === undefined) return 'missing';
  if (!record) return 'unknown';
  const untouched = record.output === output;
  const sameSource = record.source === sourceHash;
  if (untouched && record.mark === 'pending') return 'pending';
  if (untouched && isOwnMark(record.mark)) return sameSource ? 'current' : 'stale';
  if (untouched && sameSource) return 'current';
  // The value was changed after the source's change was reported, so the change answers the report.
  if (record.mark === 'outdated' && !untouched) return 'edited';
  return sameSource || record.mark === 'pending' ? 'edited' : 'outdated';
}

const EMPTY = fingerprint('');

/** The approval that a file contains, which is considered a person's. For empty values, only the state is kept. */
export function approvalInFile(
  state: TranslationState | undefined,
  output: Fingerprint | undefined,
): Decision | undefined {
  if (output === EMPTY || (state !== 'reviewed' && state !== 'final')) return undefined;
  return { verdict: state, by: 'person' };
}

/**
 * Whether the records show that the value is empty on purpose: a person emptied our value, or an earlier run recorded
 * it as intentional. An emptied value that is not ours is translated. Values that an interrupted run only intended to
 * write prove nothing.
 */
export function wasEmptied(records: readonly LockRecord[] | undefined): boolean {
  const known = records?.filter(({ intended }) => intended !== true) ?? [];
  const own = known.find(({ output }) => output === EMPTY);
  if (own) return own.mark === 'human' || own.mark === 'outdated';
  return known.some(({ mark }) => isOwnMark(mark) || mark === 'pending');
}

/** The record of a key whose value is not touched; undefined for a key without a value, or not handled yet. */
export function keptRecord(state: KeyState, facts: KeyFacts): LockRecord | undefined {
  const { sourceHash, output, record, translationState } = facts;
  // Records that the source had the text when the translation was compared with it.
  if (state === 'unmatched') return { source: sourceHash, output: EMPTY, mark: 'unknown' };
  if (output === undefined) return undefined;
  const approval = approvalInFile(translationState, output);
  if (state === 'unknown') return { source: sourceHash, output, mark: 'unknown', decision: approval };
  if (state === 'edited') return { source: sourceHash, output, mark: 'human', decision: approval };
  if (state === 'outdated') {
    const decision = record?.output === output ? record.decision : undefined;
    return { source: record?.source ?? sourceHash, output, mark: 'outdated', decision };
  }
  if (state === 'missing' || state === 'renamed' || state === 'no-text') return undefined;
  if (state !== 'current' || record?.mark !== 'outdated') return record;
  // The source was changed back to the text that was translated, so the value is current. The lock records who approved
  // it, but not who wrote it.
  return { ...record, mark: isTrustedApproval(record.decision) ? 'human' : 'unknown' };
}

/**
 * Whether a person translated exactly the current source with the current value: the value differs from the record, and
 * the source matches it. Nothing else proves that the two belong together.
 */
export function isHumanEdit({ sourceHash, output, record }: KeyFacts): boolean {
  return (
    record !== undefined &&
    output !== undefined &&
    record.output !== output &&
    record.source === sourceHash &&
    record.mark !== 'outdated'
  );
}

/**
 * The valid one of several records of a key. After a merge of branches or a killed run, only the files show which
 * record is valid. In order of precedence: a record that describes the target's current value, one that describes the
 * current source, one with a decision (a rejection before an approval), the first one.
 */
export function chooseRecord(
  records: readonly LockRecord[] | undefined,
  source: Fingerprint,
  output: Fingerprint | undefined,
): LockRecord | undefined {
  if (!records || records.length < 2) return records?.[0];
  let best: LockRecord | undefined;
  let bestRank = -Infinity;
  for (const record of records) {
    const isSame = (record.output === output ? 2 : 0) + (record.source === source ? 1 : 0);
    const rank = 100 * isSame - rankOfDecision(record.decision);
    if (rank > bestRank) {
      best = record;
      bestRank = rank;
    }
  }
  return best;
}

/** The former key of a renamed key. */
export interface PreviousKey {
  readonly record: LockRecord;
  readonly value: string;
  /** Whether the value is marked for review. */
  readonly review: boolean;
  /** The old key. */
  readonly key: Key;
  readonly lockKey: LockKey;
}

/** The lock's records of keys that the source no longer has, used to find renamed keys. */
export interface RenamedKeys {
  /** Takes a key that was translated from the same text and still has its value in the target. Each is taken once. */
  takeRenamed(source: Fingerprint): PreviousKey | undefined;
  /** Takes the record of a value that was renamed by hand in source and target. */
  takeCarried(source: Fingerprint, output: Fingerprint): LockRecord | undefined;
  /**
   * Takes the record of a value whose source had changed before, so only the value identifies it. Each is taken once.
   */
  takeOutdated(output: Fingerprint): LockRecord | undefined;
  /** Takes a key that has the value according to other evidence. Returns false if it was already taken. */
  claim(key: LockKey): boolean;
  /** Records of keys that still exist in the target. */
  leftover(): ReadonlyMap<LockKey, readonly LockRecord[]>;
}

interface RenamedKey {
  readonly lockKey: LockKey;
  readonly slot: Slot;
  readonly record: LockRecord;
}

export function indexRenamedKeys(
  records: ReadonlyMap<LockKey, readonly LockRecord[]>,
  expected: ReadonlySet<LockKey>,
  target: Document | undefined,
): RenamedKeys {
  const standing = new Map<Fingerprint, RenamedKey[]>();
  const carried = new Map<string, LockRecord>();
  const outdated = new Map<Fingerprint, LockRecord>();
  const leftover = new Map<LockKey, readonly LockRecord[]>();
  const slots = new Map<LockKey, Slot>();
  const gone: [LockKey, readonly LockRecord[]][] = [];
  for (const [key, candidates] of records) if (!expected.has(key)) gone.push([key, candidates]);
  // Computing the lock keys of a whole target is slow, and only needed if keys are gone from the source.
  if (gone.length > 0 && target) {
    const keys = lockKeys(target);
    target.slots.forEach((slot, i) => slots.set(keys[i] ?? '', slot));
  }
  for (const [lockKey, candidates] of gone) {
    const slot = slots.get(lockKey);
    if (slot) leftover.set(lockKey, candidates);
    for (const record of candidates) {
      if (record.mark === 'pending') continue;
      if (!slot) {
        carried.set(`${record.source} ${record.output}`, record);
        if (record.mark === 'outdated') outdated.set(record.output, record);
      } else if (slot.value !== '' || wasEmptied(candidates)) {
        addTo(standing, record.source, { lockKey, slot, record });
      }
    }
  }
  // Reversed, because entries are taken from the end and should come in file order.
  for (const list of standing.values()) list.reverse();
  const taken = new Set<LockKey>();
  return {
    takeRenamed: (source) => {
      const list = standing.get(source);
      let previous = list?.pop();
      while (previous && taken.has(previous.lockKey)) previous = list?.pop();
      if (!previous) return undefined;
      const { record, slot, lockKey } = previous;
      taken.add(lockKey);
      const output = fingerprint(slot.value);
      const kept = keptRecord(stateOf({ sourceHash: source, output, record }), {
        sourceHash: source,
        output,
        record,
      });
      const review = slot.review !== undefined;
      return { value: slot.value, review, key: slot.key, lockKey, record: kept ?? record };
    },
    takeCarried: (source, output) => carried.get(`${source} ${output}`),
    takeOutdated: (output) => {
      const record = outdated.get(output);
      outdated.delete(output);
      return record;
    },
    claim: (key) => !taken.has(key) && taken.add(key).has(key),
    leftover: () => leftover,
  };
}

/** The author of a value whose key the source lacks: the value is ours only if it matches our record. */
export function originOfExtra(value: string, records: readonly LockRecord[] | undefined): TranslationOrigin {
  const output = fingerprint(value);
  const record = records?.find((candidate) => candidate.output === output);
  if (!record) return records?.some(({ mark }) => mark === 'human') === true ? 'human' : 'unknown';
  if (isOwnMark(record.mark) || record.mark === 'pending') return 'ours';
  return record.mark === 'human' ? 'human' : 'unknown';
}

const CATEGORY = /^(?:zero|one|two|few|many|other)$/;
/** i18next: `item_few`, `place_ordinal_few`; in older versions `item_plural`, `item_2`. */
const SUFFIXED = /^(.+?)_(?:zero|one|two|few|many|other|plural|[0-5])$/s;

/**
 * Recognizes plural forms that a translator added because the target's language has them and the source's does not:
 * separate keys in i18next (`item_few` next to `item_other`) and Rails (`few:` next to `other:`), and forms of a plural
 * element elsewhere.
 *
 * @param expected what the target should contain: a scan of the skeleton
 * @returns whether an unexpected key of the target belongs to an expected plural and its form exists in the locale
 */
export function pluralSiblings(
  expected: Document,
  locale: string,
): (slot: Document['slots'][number]) => boolean {
  // `zero` is always allowed, because i18next, Rails and Android use it for 0 in any language.
  const categories = new Set([...allowedCategories(locale), 'zero']);
  const groups = new Set<string>();
  for (const { key, plural } of expected.slots) {
    const group = plural?.group ?? siblingForm(key)?.group;
    if (group) groups.add(keyId(group));
  }
  return ({ key, plural }) => {
    const form = plural ?? siblingForm(key);
    return form !== undefined && groups.has(keyId(form.group)) && categories.has(form.category);
  };
}

/** The plural that a key's name alone suggests. Its group is not a key, so use it only for comparison. */
export function siblingForm(key: Key): PluralForm | undefined {
  const name = key.at(-1) ?? '';
  const parent = key.slice(0, -1);
  // The groups of the two notations differ in a last segment that never occurs in a key.
  if (CATEGORY.test(name) && parent.length > 0) return { group: [...parent, '\0'], category: name };
  const stem = SUFFIXED.exec(name)?.[1];
  if (stem === undefined) return undefined;
  const suffix = name.slice(stem.length + 1);
  return { group: [...parent, stem, '\0_'], category: CATEGORY.test(suffix) ? suffix : 'other' };
}

/** The key of the form for all numbers if the message used to be one text in the source, or the reverse. */
export function keyInOtherShape({ key, plural }: Slot): LockKey | undefined {
  if (plural?.includesText !== true || plural.category !== 'other') return undefined;
  const { group } = plural;
  return lockKey(key.length === group.length ? [...group, 'other'] : group, 0);
}

/** Empty or guessed values count as untranslated, unless the source is empty or a person approved them. */
export function isTranslation(slot: Slot, sourceText: string): boolean {
  if (isApproved(slot.state)) return true;
  return !slot.provisional && (slot.value !== '' || sourceText === '');
}
