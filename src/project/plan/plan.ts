import type { Document, Slot, TranslationState } from '../../formats/format.ts';
import { slotFinder, type SlotId } from '../../documents/localization/pairing.ts';
import { EntryIndex } from '../../documents/localization/entry-index.ts';
import { hasCues } from '../../formats/subtitles/document.ts';
import type { Glossary } from '../../pipeline/glossary.ts';
import { missingInValue, type Terms, termsFor } from '../../pipeline/terms/terms.ts';
import { matchesKey } from '../config/glob.ts';
import {
  fingerprint,
  type Fingerprint,
  isOwnMark,
  type LockKey,
  type LockRecord,
} from '../state/lock-line.ts';
import {
  indexRenamedKeys,
  isTranslation,
  keyInOtherShape,
  type KeyState,
  type PreviousKey,
  type RenamedKeys,
  stateOf,
  wasEmptied,
} from './key-state.ts';
import { type ExtraKey, findExtra } from './extra-keys.ts';
import { mergeRepeated } from './repeated-keys.ts';
import { MovedFiles, type Orphans } from './moved-files.ts';
import { findOwnPatterns } from './own-patterns.ts';
import { rareFormsWithout } from './rare-forms.ts';
import { findReshaped, type ReshapedMessage } from './reshaped-keys.ts';
import { lapsedApproval, recordOf, ReviewMarks } from './review-marks.ts';
import type { SourceKey, SourceKeys } from './source-keys.ts';

/** The current state of one key of a target. */
export interface PlannedKey extends SourceKey {
  readonly state: KeyState;
  /** The state in the file, if the format has states; an approval of an earlier value counts as `translated`. */
  readonly translationState: TranslationState | undefined;
  /** The value in the target, if it has one. */
  readonly value: string | undefined;
  /** Whether the target marks the value for review. */
  readonly review: boolean;
  /** The fingerprint of the value. */
  readonly output: Fingerprint | undefined;
  readonly record: LockRecord | undefined;
  /** For `renamed`: the old key, which has the value in the target. */
  readonly previous: PreviousKey | undefined;
  /** Set if the message is a plural in the target and one text in the source, or the reverse. */
  readonly reshaped: ReshapedMessage | undefined;
  /** Whether the translation lacks a required term. Only set if such translations are redone. */
  readonly lacksTerm: boolean;
  /** For `no-text`: the offset in the target of the value in this position. */
  readonly occupiedAt: number | undefined;
}

/** The keys of one file in one language, compared with source and lock. */
export interface FilePlan {
  /** The keys that the target should have, in the source's order. */
  readonly wanted: readonly SourceKey[];
  /**
   * The wanted keys with the results of the comparison. Created when first used, because most runs only count the
   * intact ones.
   */
  readonly keys: readonly PlannedKey[];
  /** All keys except the intact ones: those with our translation of the current source, and nothing else to report. */
  readonly examined: readonly PlannedKey[];
  /** Unfinished keys: all others keep their values and records, unless they are translated again. */
  readonly open: readonly PlannedKey[];
  /** Keys of the target that the source lacks. */
  readonly extra: readonly ExtraKey[];
  /** Records of keys that only the target has, kept as long as those keys exist. */
  readonly leftover: Records;
  /** Recorded keys that are neither in the source nor in the target. */
  readonly gone: readonly LockKey[];
}

/** The lock's records of a resource's keys. */
export type Records = ReadonlyMap<LockKey, readonly LockRecord[]>;

export interface PlanInput {
  readonly expected: SourceKeys;
  /** The source as an untranslated file of the locale. */
  readonly skeleton: Document;
  /** Undefined if the file does not exist. */
  readonly target: Document | undefined;
  /** Whether the format can mark a text for review without hiding it from the program. */
  readonly marksReview?: boolean | undefined;
  /** Canonical. */
  readonly locale: string;
  readonly records: Records;
  /** Records of former files, so that the values of a file renamed with its targets are still ours. */
  readonly orphans?: Orphans | undefined;
  /** Patterns for key paths joined by dots: for matching keys, an empty value counts as a translation. */
  readonly keepEmpty?: readonly string[] | undefined;
  /** See `FollowedTarget`. */
  readonly unmatched?: ReadonlySet<SlotId> | undefined;
  /** Our translations that lack one of these terms are translated again. */
  readonly terms?: Terms | undefined;
}

/**
 * The terms that each source text requires. None for subtitles, because another cue of the sentence may contain the
 * term.
 */
export function termsOfTexts(
  glossary: Glossary | undefined,
  document: Document,
  source: string,
  target: string,
): Terms | undefined {
  return glossary && !hasCues(document) ? termsFor(glossary, source, target) : undefined;
}

/** Compares the source, the target and the lock. A pure function, linear in the number of keys. */
export function planFile(input: PlanInput): FilePlan {
  const { expected, target, records } = input;
  const planner = new KeyPlanner(input);
  const slotOf = slotsById(target, input.skeleton);
  const examined: PlannedKey[] = [];
  const spared = new Set<SourceKey>();
  const ownPatterns = target && findOwnPatterns(input.skeleton, target, records);
  const isSpared = target && rareFormsWithout(target, input.locale);
  let recorded = 0;
  let found = 0;
  const all = target ? mergeRepeated(expected.keys, target) : expected.keys;
  for (const key of all) {
    const standing = slotOf(key.id);
    if (!standing && (ownPatterns?.has(key.id) || isSpared?.(key))) {
      spared.add(key);
      continue;
    }
    if (standing) found++;
    const own = records.get(key.lockKey);
    if (own) recorded++;
    if (!planner.isIntact(key, standing, own)) examined.push(planner.plan(key, standing, own));
  }
  const wanted = spared.size === 0 ? all : all.filter((key) => !spared.has(key));
  const keys = (): readonly PlannedKey[] => planner.planAll(wanted, examined);
  const open = openKeys(examined, records);
  // Usually all records and all slots belong to keys.
  if (recorded === records.size && found === (target?.slots.length ?? 0))
    return withKeys(keys, { wanted, examined, open, extra: [], leftover: NO_RECORDS, gone: [] });
  const leftover = planner.leftover();
  const known = new Set(wanted.map(({ lockKey }) => lockKey));
  const gone = [...records.keys()].filter((key) => !known.has(key) && !leftover.has(key));
  const ids = ownPatterns && ownPatterns.size > 0 ? new Set([...expected.ids, ...ownPatterns]) : expected.ids;
  const extra = target ? findExtra({ ...input, ids, target, planned: open, leftover }) : [];
  return withKeys(keys, { wanted, examined, open, extra, leftover, gone });
}

const NO_RECORDS: Records = new Map();

/** A plan that lists all of its keys when they are first used. */
export function withKeys(list: () => readonly PlannedKey[], plan: Omit<FilePlan, 'keys'>): FilePlan {
  let keys: readonly PlannedKey[] | undefined;
  return {
    ...plan,
    get keys() {
      return (keys ??= list());
    },
  };
}

function slotsById(document: Document | undefined, skeleton: Document): (id: SlotId) => Slot | undefined {
  if (!document) return () => undefined;
  const find = slotFinder(document, skeleton);
  return (id) => document.slots[find(id) ?? -1];
}

/** Whether the only record of a key is our translation of its current source, without a decision or mark. */
export function isOursAlone(
  records: readonly LockRecord[] | undefined,
  sourceHash: Fingerprint,
): records is readonly [LockRecord] {
  if (records?.length !== 1) return false;
  const [record] = records;
  if (record?.source !== sourceHash || record.decision) return false;
  return record.mark === undefined || record.mark === 'memory';
}

/** A key is settled if it already has its final record, or needs none. */
export function openKeys(keys: readonly PlannedKey[], records: Records): readonly PlannedKey[] {
  return keys.filter(({ state, blank, record, lockKey, lacksTerm }) => {
    if (state !== 'current' || lacksTerm) return true;
    const own = records.get(lockKey);
    if (blank) return own !== undefined;
    return own?.length !== 1 || own[0] !== record || record?.mark === 'outdated';
  });
}

/** Compares the keys of one target with their records. */
class KeyPlanner {
  readonly #input: PlanInput;
  #renamed: RenamedKeys | undefined;
  #reshaped: ReadonlyMap<SlotId, ReshapedMessage> | undefined;
  readonly #entries: EntryIndex | undefined;
  readonly #marks: ReviewMarks;
  readonly #moved: MovedFiles | undefined;

  constructor(input: PlanInput) {
    this.#input = input;
    const { orphans, target, expected } = input;
    this.#moved = orphans && target && new MovedFiles(orphans, target, expected.keys);
    this.#marks = new ReviewMarks(input.records);
    this.#entries = target && !target.hasOnlyTexts ? new EntryIndex(target) : undefined;
  }

  /**
   * Whether a key has our translation of the current source, without a decision, mark or state. Plural forms are not
   * intact by themselves, because all forms of a message are counted together, as are texts with the same key.
   */
  isIntact(
    { id, category, isRepeated, blank, sourceHash }: SourceKey,
    standing: Slot | undefined,
    own: readonly LockRecord[] | undefined,
  ): boolean {
    if (!standing || !isOursAlone(own, sourceHash)) return false;
    const { value, review, state = 'translated', provisional = false } = standing;
    if (blank || category !== undefined || isRepeated || value === '' || provisional) return false;
    if (review || state !== 'translated' || this.#input.unmatched?.has(id) || this.#input.terms) return false;
    return own?.[0]?.output === fingerprint(value);
  }

  /** @param examined the plans of wanted keys that are not intact, in the same order */
  planAll(wanted: readonly SourceKey[], examined: readonly PlannedKey[]): readonly PlannedKey[] {
    const { target, skeleton, records } = this.#input;
    const slotOf = slotsById(target, skeleton);
    let next = 0;
    return wanted.map((key) => {
      const made = examined[next];
      if (made?.id !== key.id) return this.plan(key, slotOf(key.id), records.get(key.lockKey));
      next++;
      return made;
    });
  }

  plan(wanted: SourceKey, standing: Slot | undefined, own: readonly LockRecord[] | undefined): PlannedKey {
    const { id, sourceHash, text, blank } = wanted;
    const value =
      standing &&
      ((isTranslation(standing, text) && !this.#marks.isTakenOver(standing, own)) ||
        this.#staysEmpty(standing, wanted))
        ? standing.value
        : undefined;
    const output = value === undefined ? undefined : fingerprint(value);
    const known = output === undefined ? own : (own ?? this.#recordsFrom(wanted, output, standing));
    const { marksReview } = this.#input;
    const record = blank ? undefined : recordOf(known, { sourceHash, output, standing, marksReview });
    const reshaped = standing || blank ? undefined : this.#findReshaped(id);
    const previous =
      reshaped?.previous ??
      (record || blank || output !== undefined ? undefined : this.#index().takeRenamed(sourceHash));
    const isFound = standing || blank || previous || reshaped;
    const occupiedAt = isFound ? undefined : this.#entries?.findNoText(wanted.key);
    const state = previous
      ? 'renamed'
      : occupiedAt !== undefined
        ? 'no-text'
        : blank && standing
          ? 'current'
          : !blank && this.#input.unmatched?.has(id)
            ? 'unmatched'
            : stateOf({ sourceHash, output, record });
    const lapsed = lapsedApproval({ record, output, value });
    // Lists the fields, because spreading takes several times as long, and a project has as many keys as values.
    return {
      id,
      key: wanted.key,
      entry: wanted.entry,
      lockKey: wanted.lockKey,
      text,
      forms: wanted.forms,
      syntax: wanted.syntax,
      rule: wanted.rule,
      comment: wanted.comment,
      category: wanted.category,
      isRepeated: wanted.isRepeated,
      sourceOffset: wanted.sourceOffset,
      sourceHash,
      blank,
      state,
      translationState: lapsed && lapsed.verdict === standing?.state ? 'translated' : standing?.state,
      value,
      review: value !== undefined && standing?.review !== undefined,
      output,
      record,
      previous,
      reshaped,
      lacksTerm: state === 'current' && this.#lacksTerm(wanted, value, record),
      occupiedAt,
    };
  }

  #lacksTerm(
    { text, syntax, blank }: SourceKey,
    value: string | undefined,
    record: LockRecord | undefined,
  ): boolean {
    const { terms, locale } = this.#input;
    if (!terms || blank || value === undefined || !record || !isOwnMark(record.mark)) return false;
    return missingInValue(terms, { value: text, syntax }, { value, syntax }, locale).length > 0;
  }

  #findReshaped(id: SlotId): ReshapedMessage | undefined {
    const { target, expected, ...input } = this.#input;
    if (!target) return undefined;
    this.#reshaped ??= findReshaped({ ...input, target, wanted: expected.keys });
    const reshaped = this.#reshaped.get(id);
    if (!reshaped?.previous || this.#index().claim(reshaped.previous.lockKey)) return reshaped;
    return { ...reshaped, previous: undefined };
  }

  leftover(): Records {
    return this.#index().leftover();
  }

  /**
   * Whether an empty value is an intended translation. Never in PO files, because programs show the source text
   * instead.
   */
  #staysEmpty({ key, value, source, provisional }: Slot, wanted: SourceKey): boolean {
    const { keepEmpty, records } = this.#input;
    if (value !== '' || provisional === true) return false;
    if (keepEmpty && keepEmpty.length > 0) {
      const path = key.join('.');
      if (keepEmpty.some((pattern) => matchesKey(pattern, path))) return true;
    }
    if (source !== undefined) return false;
    return wasEmptied(records.get(wanted.lockKey) ?? this.#recordsFrom(wanted, fingerprint('')));
  }

  /** The records for a key that has none: those of its former key or file. */
  #recordsFrom(
    { lockKey, sourceHash }: SourceKey,
    output: Fingerprint,
    standing?: Slot,
  ): readonly LockRecord[] | undefined {
    const own = standing && this.#input.records.get(keyInOtherShape(standing) ?? '');
    if (own) return own;
    const record =
      this.#index().takeCarried(sourceHash, output) ??
      this.#moved?.find(lockKey, sourceHash, output) ??
      this.#index().takeOutdated(output);
    return record && [record];
  }

  #index(): RenamedKeys {
    const { records, expected, target } = this.#input;
    return (this.#renamed ??= indexRenamedKeys(records, expected.lockKeys, target));
  }
}
