import type { Document, Slot } from '../../formats/format.ts';
import { slotFinder, type SlotFinder, type SlotId } from '../../documents/localization/pairing.ts';
import { EntryIndex } from '../../documents/localization/entry-index.ts';
import { fingerprint } from '../state/lock-line.ts';
import { isTranslation, stateOf } from './key-state.ts';
import { isOursAlone, openKeys, withKeys, type FilePlan, type PlannedKey, type Records } from './plan.ts';

interface WrittenFile {
  /** The written values, by slot. */
  readonly written: ReadonlyMap<SlotId, string>;
  /** The slots that need a review. */
  readonly marked: Pick<ReadonlySet<SlotId>, 'has'>;
  /** Slots whose marks and states in the file have changed, apart from the written values. */
  readonly restated?: ReadonlySet<SlotId> | undefined;
  readonly records: Records;
  /** Returns the current target. Called only if a key is not as planned. */
  readonly target: () => Document;
}

/**
 * The plan of a target after values were written and recorded, without extra keys. Equals the result of {@link
 * planFile}, without comparing unchanged keys again.
 *
 * @param acted the changed keys, in the plan's order
 */
export function replanFile(
  plan: FilePlan,
  acted: readonly PlannedKey[],
  { written, marked, restated, records, target }: WrittenFile,
): FilePlan {
  let find: SlotFinder | undefined;
  let entries: EntryIndex | undefined;
  const replan = (key: PlannedKey): PlannedKey => {
    if (key.state === 'unmatched') return key;
    const { id, text, blank, sourceHash, lockKey } = key;
    const record = records.get(lockKey)?.[0];
    let value = written.get(id);
    let output = value === undefined ? undefined : record?.output;
    const isRestated = restated?.has(id) === true;
    if (key.state === 'current' && value === undefined && !isRestated && record === key.record) return key;
    let isThere = true;
    const slotNow = (): Slot | undefined => target().slots[(find ??= slotFinder(target()))(id) ?? -1];
    if (value === undefined) {
      const slot = slotNow();
      isThere = slot !== undefined;
      // An empty value has a record only if it is meant to stay empty.
      const isValue = slot && (isTranslation(slot, text) || (slot.value === '' && record !== undefined));
      value = isValue ? slot.value : undefined;
    }
    if (key.state === 'no-text') {
      // The order is unchanged, but the offset may differ.
      const occupiedAt = (entries ??= new EntryIndex(target())).findNoText(key.key);
      if (occupiedAt !== undefined) return { ...key, occupiedAt };
    }
    if (value !== undefined) output ??= fingerprint(value);
    const state = blank && isThere ? 'current' : stateOf({ sourceHash, output, record });
    const isMarked = marked.has(id);
    const stateBefore = written.has(id) ? undefined : key.translationState;
    const translationState = isMarked || isRestated ? slotNow()?.state : stateBefore;
    if (isRestated) {
      const review = value !== undefined && slotNow()?.review !== undefined;
      return { ...key, state, translationState, value, review, output, record, lacksTerm: false };
    }
    const review = isMarked || (key.review && !written.has(id) && value !== undefined);
    return { ...key, state, translationState, value, review, output, record, lacksTerm: false };
  };
  const isIntact = ({ id, blank, category, isRepeated, state, sourceHash, lockKey }: PlannedKey): boolean =>
    Boolean(written.get(id)) &&
    !(blank || category !== undefined || isRepeated || state === 'unmatched') &&
    !(marked.has(id) || restated?.has(id)) &&
    isOursAlone(records.get(lockKey), sourceHash);
  const replanned = acted.map((key) => (isIntact(key) ? undefined : replan(key)));
  const replace = (
    keys: readonly PlannedKey[],
    byIntact: (key: PlannedKey) => PlannedKey | undefined,
  ): readonly PlannedKey[] => {
    let next = 0;
    return keys.flatMap((key) => (key === acted[next] ? (replanned[next++] ?? byIntact(key) ?? []) : key));
  };
  const { wanted, leftover } = plan;
  // Retranslating includes intact keys.
  const before = acted.length > plan.examined.length ? acted : plan.examined;
  const examined = replace(before, () => undefined);
  const open = openKeys(
    replanned.filter((key) => key !== undefined),
    records,
  );
  const keys = (): readonly PlannedKey[] => replace(plan.keys, replan);
  return withKeys(keys, { wanted, examined, open, extra: [], leftover, gone: [] });
}
