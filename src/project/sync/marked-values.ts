import type { SlotId } from '../../documents/localization/pairing.ts';
import type { ReviewCause } from '../../formats/format.ts';
import type { KeyAction, OutcomeOfKey, Selection } from '../plan/key-action.ts';
import type { PlannedKey } from '../plan/plan.ts';
import type { Survey } from '../plan/survey.ts';

interface NewValues {
  /** In the order of the plan. */
  readonly keys: readonly PlannedKey[];
  readonly actions: ReadonlyMap<SlotId, KeyAction>;
  readonly values: ReadonlyMap<SlotId, string>;
  readonly answer: OutcomeOfKey;
  readonly selection: Selection;
}

/**
 * The new values to mark for review, if the file can: those whose old key was marked; with `markForReview`, those that
 * no person wrote; and the other forms of a plural with a mark, because all forms may share it.
 */
export function markedValues(
  { plan, resource }: Survey,
  { keys, actions, values, answer, selection }: NewValues,
): ReadonlyMap<SlotId, ReviewCause> {
  const marked = new Map<SlotId, ReviewCause>();
  if (!resource.format.reviewMark) return marked;
  const written = keys.filter(({ id, blank }) => values.has(id) && !blank);
  const { given } = selection;
  if (given) {
    for (const { id } of written) if (given.get(id)?.isMarked) marked.set(id, 'other');
    return marked;
  }
  const causeOf = (key: PlannedKey): ReviewCause | undefined => {
    if (actions.get(key.id) === 'reuse') {
      const { review, record } = key.previous ?? {};
      return review ? (record?.mark === 'review' && !record.decision ? 'machine' : 'other') : undefined;
    }
    // An engine returned the same text that was rejected before.
    if (key.review && key.record?.decision && values.get(key.id) === key.value) return 'other';
    const outcome = selection.markForReview === true ? answer(key) : undefined;
    return outcome && 'value' in outcome && outcome.memory !== 'human' ? 'machine' : undefined;
  };
  const entries = new Set(
    plan.examined.flatMap(({ id, entry, review }) => (review && !values.has(id) ? [entry] : [])),
  );
  for (const key of written) {
    const cause = causeOf(key);
    if (!cause) continue;
    marked.set(key.id, cause);
    entries.add(key.entry);
  }
  for (const { id, entry } of written) if (entries.has(entry) && !marked.has(id)) marked.set(id, 'other');
  return marked;
}
