import { DragomanError } from '../../base/errors.ts';
import { type Edit, splice } from '../../base/span.ts';
import { slotFinder, type SlotId } from '../../documents/localization/pairing.ts';
import type { Target } from '../../documents/localization/target.ts';
import type { Document } from '../../formats/format.ts';
import { sameKey } from '../../formats/render.ts';
import { actionFor, type GivenText, type Selection } from '../plan/key-action.ts';
import type { PlannedKey } from '../plan/plan.ts';
import { lapsedApproval } from '../plan/review-marks.ts';
import type { Survey } from '../plan/survey.ts';

interface Stated {
  readonly built: Target;
  /** The texts whose states or marks have changed. */
  readonly restated: ReadonlySet<SlotId>;
}

/**
 * Records the decisions about texts in the file, if its format has a place for them. No value changes.
 *
 * @param given undefined for texts without a decision
 */
export function stateDecisions(
  { existing, source, plan, resource, locale, targetPath }: Survey,
  built: Target,
  given: (id: SlotId) => Pick<GivenText, 'editsOf'> | undefined,
): Stated {
  // Most formats have no states, and scanning the built file takes as long as the rest.
  if (!resource.format.reviewMark) return { built, restated: new Set() };
  const { document } = built;
  const find = slotFinder(document);
  const edits = new Map<string, Edit>();
  const restated = new Set<SlotId>();
  for (const { id } of plan.keys) {
    const text = given(id);
    const slot = text && document.slots[find(id) ?? -1];
    const made = slot ? text.editsOf(slot) : [];
    if (made.length > 0) restated.add(id);
    // Forms of one message share their edits.
    for (const edit of made) edits.set(`${edit.span.start}-${edit.span.end} ${edit.text}`, edit);
  }
  if (edits.size === 0) return { built, restated };
  const file = existing ?? source;
  const text = splice(document.text, [...edits.values()]);
  const stated = file.format.scan(text, { ...file.scanOptions, locale });
  requireSameValues(document, stated, targetPath);
  return { built: { ...built, document: stated, bytes: file.encode(text) }, restated };
}

/** Removes approvals from the file for texts that were changed elsewhere. */
export function withdrawLapsed(
  survey: Survey,
  built: Target,
  keys: readonly PlannedKey[],
  selection: Selection,
): Stated {
  const lapsed = new Map<SlotId, Pick<GivenText, 'editsOf'>>();
  for (const key of keys) {
    const approval = actionFor(key, selection) === 'keep' ? lapsedApproval(key) : undefined;
    if (!approval) continue;
    lapsed.set(key.id, {
      editsOf: ({ state, companions = [] }) => (state === approval.verdict ? companions : []),
    });
  }
  if (lapsed.size === 0) return { built, restated: new Set() };
  return stateDecisions(survey, built, (id) => lapsed.get(id));
}

/** @throws DragomanError `integrity` if the edits changed a value, which would be a bug in the format */
function requireSameValues(before: Document, after: Document, file: string): void {
  const isSame =
    before.slots.length === after.slots.length &&
    before.slots.every(({ key, value }, i) => {
      const now = after.slots[i];
      return now?.value === value && sameKey(now.key, key);
    });
  if (!isSame) throw new DragomanError('integrity', `recording the decision in ${file} would change a text`);
}
