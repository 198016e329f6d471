import type { SlotId } from '../../documents/localization/pairing.ts';
import { describeFormat } from '../../formats/registry.ts';
import type { Action, OutcomeOfKey, Selection } from '../plan/key-action.ts';
import type { PlannedKey } from '../plan/plan.ts';
import type { Survey } from '../plan/survey.ts';

interface NewValues {
  /** In the order of the plan. */
  readonly keys: readonly PlannedKey[];
  readonly actions: ReadonlyMap<SlotId, Action>;
  readonly values: ReadonlyMap<SlotId, string>;
  readonly answer: OutcomeOfKey;
  readonly selection: Selection;
}

/**
 * The new values that somebody has to look at, where the file can say so: those that had a mark under their old key, with
 * `markForReview` those that no person wrote, and the other forms of a plural that has a mark, which may be one for all.
 */
export function markedValues(
  { plan, resource }: Survey,
  { keys, actions, values, answer, selection }: NewValues,
): ReadonlySet<SlotId> {
  const marked = new Set<SlotId>();
  if (!describeFormat(resource.format).reviewMark) return marked;
  const written = keys.filter(({ id, blank }) => values.has(id) && !blank);
  const { given } = selection;
  if (given) return new Set(written.flatMap(({ id }) => (given.get(id)?.isMarked ? [id] : [])));
  const isMarked = (key: PlannedKey): boolean => {
    if (actions.get(key.id) === 'reuse') return key.previous?.review === true;
    // An engine repeats what somebody has rejected.
    if (key.review && key.record?.decision && values.get(key.id) === key.value) return true;
    const outcome = selection.markForReview === true ? answer(key) : undefined;
    return outcome !== undefined && 'value' in outcome && outcome.memory !== 'human';
  };
  const entries = new Set([
    ...written.filter(isMarked).map(({ entry }) => entry),
    ...plan.keys.flatMap(({ id, entry, review }) => (review && !values.has(id) ? [entry] : [])),
  ]);
  for (const { id, entry } of written) if (entries.has(entry)) marked.add(id);
  return marked;
}
