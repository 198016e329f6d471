import { isApproved, TRANSLATION_STATES, type TranslationState } from '../../formats/format.ts';
import { type Decision, isApproval } from '../state/decision.ts';
import { isOwnMark } from '../state/lock-line.ts';
import type { ReviewReason } from '../state/text-counts.ts';
import type { PlannedKey } from './plan.ts';
import { isMissing, keyStatusOf } from './key-status.ts';

/** The progress of a translation, and whether it needs a review. */
export interface TextState {
  readonly state: TranslationState;
  readonly needsReview?: ReviewReason | undefined;
  /** The decision about the current text and source. */
  readonly decision?: Decision | undefined;
}

/** @param isFaulty whether the translation fails verification */
export function textStateOf(key: PlannedKey, isFaulty: boolean): TextState {
  if (isMissing(key) || keyStatusOf(key) === 'unmatched') return { state: 'initial' };
  const needsReview = reasonOf(key, isFaulty);
  const stateInFile = key.translationState ?? 'translated';
  // The approval applied to another source.
  if (key.state === 'stale' || key.state === 'outdated')
    return { state: isApproved(stateInFile) ? 'translated' : stateInFile, needsReview };
  const decision = decisionOf(key);
  const verdict = decision?.verdict;
  const isDecided = (verdict === 'reviewed' || verdict === 'final') && !isApproved(stateInFile);
  return { state: isDecided ? verdict : stateInFile, needsReview, decision };
}

function reasonOf(key: PlannedKey, isFaulty: boolean): ReviewReason | undefined {
  const decision = decisionOf(key);
  const isOurs = key.record !== undefined && isOwnMark(key.record.mark);
  if (decision?.verdict === 'rejected') return 'rejected';
  if (isFaulty) return 'lint';
  if (key.state === 'stale' || key.state === 'outdated') return 'source-changed';
  if (decision?.by === 'agent') return 'agent';
  if (isApproval(decision)) return undefined;
  if (decision) return decision.by === 'person' ? 'requested' : 'imported';
  if (key.review && !isOurs) return 'marked';
  return isOurs && key.state === 'current' ? 'machine' : undefined;
}

/** The decision about the current text and source. */
function decisionOf({ state, record }: PlannedKey): Decision | undefined {
  return state === 'current' ? record?.decision : undefined;
}

/** Whether a translation has the state that a gate requires. A merely translated text may still need a review. */
export function reaches({ state, needsReview }: TextState, required: TranslationState): boolean {
  if (TRANSLATION_STATES.indexOf(state) < TRANSLATION_STATES.indexOf(required)) return false;
  return needsReview === undefined || (!isApproved(required) && needsReview !== 'rejected');
}
