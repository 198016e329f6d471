import type { Edit } from '../../base/span.ts';
import type { Slot } from '../../formats/format.ts';
import { marksVisibly } from '../../formats/registry.ts';
import type { GivenText } from '../plan/key-action.ts';
import { keptRecord } from '../plan/key-state.ts';
import type { PlannedKey } from '../plan/plan.ts';
import type { Survey } from '../plan/survey.ts';
import { type Decision, isApproval, isTrustedApproval, type Reviewer } from '../state/decision.ts';
import { isOwnMark, type LockRecord } from '../state/lock-line.ts';

/** A decision about the current translation; undefined for a text that waits for another translation. */
export function decidedText(
  key: PlannedKey,
  slot: Slot | undefined,
  survey: Survey,
  decision: Decision,
): (GivenText & { readonly record: LockRecord; readonly edits: readonly Edit[] }) | undefined {
  const edits = slot ? decisionEdits(slot, survey, decision) : [];
  const record = recordAfter(key, decision, slot?.review !== undefined || edits.length > 0);
  if (!record || !slot) return undefined;
  return { record, edits, isMarked: false, recordOf: () => record, editsOf: () => edits };
}

/**
 * A translation that a person wrote.
 *
 * @param value undefined for a form that stays next to changed ones
 * @param decision undefined for a person's text without an approval
 */
export function writtenText(
  key: PlannedKey,
  value: string | undefined,
  survey: Survey,
  { by, decision }: { readonly by: Reviewer; readonly decision: Decision | undefined },
): GivenText {
  const isMarked = decision !== undefined && !isApproval(decision) && marksVisibly(survey.resource.format);
  return {
    value,
    isMarked,
    recordOf: (output) => {
      const base = { source: key.sourceHash, output, decision };
      if (by !== 'agent') return { ...base, mark: 'human' };
      if (value !== undefined) return { ...base, mark: isMarked ? 'review' : undefined };
      return decision && recordAfter(key, decision, isMarked);
    },
    editsOf: (slot) => {
      if (decision) return decisionEdits(slot, survey, decision);
      return slot.review ? (slot.companions ?? []) : [];
    },
  };
}

/**
 * Undefined for a text that waits for another translation.
 *
 * @param isMarked whether the file marks the text for review, now or before
 */
function recordAfter(key: PlannedKey, decision: Decision, isMarked: boolean): LockRecord | undefined {
  const kept = keptRecord(key.state, key);
  if (!kept || key.output === undefined || (key.state === 'stale' && !isApproval(decision))) return undefined;
  const base = { source: key.sourceHash, output: key.output, decision };
  if (isTrustedApproval(decision)) return { ...base, mark: 'human' };
  if (isOwnMark(kept.mark))
    return { ...base, mark: isMarked ? 'review' : kept.mark === 'memory' ? 'memory' : undefined };
  return { ...base, mark: kept.mark === 'outdated' ? 'human' : kept.mark };
}

/** An agent's approval is recorded only in the lock, because programs assume that a file's approval is a person's. */
function decisionEdits(slot: Slot, { resource }: Survey, decision: Decision): readonly Edit[] {
  const { verdict } = decision;
  if (verdict !== 'reviewed' && verdict !== 'final')
    return marksVisibly(resource.format) && !slot.review ? (slot.marking?.('other') ?? []) : [];
  if (!isTrustedApproval(decision) || slot.state === verdict) return [];
  return slot.approving?.(verdict) ?? (slot.review ? (slot.companions ?? []) : []);
}
