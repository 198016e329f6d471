import { isApproved, type Slot } from '../../formats/format.ts';
import { type Decision, isApproval, isTrustedApproval } from '../state/decision.ts';
import {
  fingerprint,
  type Fingerprint,
  isOwnMark,
  lockKey,
  type LockKey,
  type LockRecord,
} from '../state/lock-line.ts';
import { approvalInFile, chooseRecord } from './key-state.ts';

type Records = ReadonlyMap<LockKey, readonly LockRecord[]>;

/** The records of a file for its texts that are marked for review. */
export class ReviewMarks {
  readonly #records: Records;
  #ours: ReadonlySet<Fingerprint> | undefined;

  constructor(records: Records) {
    this.#records = records;
  }

  /**
   * Whether a tool copied a marked text from another message and no one has edited it since, in which case it is
   * retranslated. Texts that a person wrote or changed are drafts.
   *
   * @param own the records of the text's own key
   */
  isTakenOver({ review, value }: Slot, own: readonly LockRecord[] | undefined): boolean {
    if (!review) return false;
    const text = fingerprint(value);
    const isText = ({ output }: LockRecord): boolean => output === text;
    if (own?.some(isText) === true) return false;
    const before = review.takenFrom && this.#records.get(lockKey(review.takenFrom, 0));
    if (before) return before.some(isText);
    // Tools need not name the origin. Replacing dragoman's own text does not destroy a person's work.
    return !own && (review.takenFrom !== undefined || this.#isOurs(text));
  }

  #isOurs(text: Fingerprint): boolean {
    if (!this.#ours) {
      const own = [...this.#records.values()].flat().filter(({ mark }) => isOwnMark(mark));
      this.#ours = new Set(own.map(({ output }) => output));
    }
    return this.#ours.has(text);
  }
}

/** A key of a target, compared with its records. */
interface RecordedKey {
  readonly sourceHash: Fingerprint;
  /** The hash of the value in the target; undefined if it is missing. */
  readonly output: Fingerprint | undefined;
  readonly standing: Slot | undefined;
  /** See `PlanInput`. */
  readonly marksReview: boolean | undefined;
}

/** The record that matches a key, combined with the state in its file: a state changed in the file wins. */
export function recordOf(
  records: readonly LockRecord[] | undefined,
  key: RecordedKey,
): LockRecord | undefined {
  const agreed = records && records.length > 1 ? records.filter((one) => isAgreed(one, key)) : [];
  return approve(chooseRecord(agreed.length > 0 ? agreed : records, key.sourceHash, key.output), key);
}

/** Whether the file is consistent with a decision. A file that cannot express the decision is consistent with it. */
function isAgreed({ decision }: LockRecord, { standing, marksReview = false }: RecordedKey): boolean {
  if (!decision || !standing) return true;
  if (!isApproval(decision)) return !marksReview || standing.review !== undefined;
  if (!isTrustedApproval(decision)) return true;
  return !standing.review && (!standing.approving || isApproved(standing.state));
}

/**
 * The approval of a text that somebody has changed since. An approval that is still in the file does not apply to the
 * new text: an editor without support for states left it there. An emptied value keeps its state, so that it is not
 * translated again.
 */
export function lapsedApproval({
  record,
  output,
  value,
}: {
  readonly record: LockRecord | undefined;
  readonly output: Fingerprint | undefined;
  readonly value: string | undefined;
}): Decision | undefined {
  const decision = record?.decision;
  return value && record?.output !== output && isTrustedApproval(decision) ? decision : undefined;
}

/**
 * Our text that a person approved becomes that person's: the file records the approval, or no longer requests a review.
 */
function approve(record: LockRecord | undefined, key: RecordedKey): LockRecord | undefined {
  const { standing, output } = key;
  if (!record || !standing) return record;
  const isOurs = isOwnMark(record.mark) || record.mark === 'pending';
  const isSame = record.output === output && record.source === key.sourceHash && record.mark !== 'outdated';
  const approval = isSame ? approvalInFile(standing.state, output) : undefined;
  if (isOurs && isApproved(standing.state)) return { ...record, mark: 'human', decision: approval };
  if (record.output !== output) return record;
  const known = isAgreed(record, key) ? record : { ...record, decision: undefined };
  if (!isOwnMark(known.mark)) return approval ? approvedBy(known, approval) : known;
  if (standing.review) return known.mark === 'review' ? known : { ...known, mark: 'review' };
  return known.mark === 'review' ? { ...known, mark: 'human', decision: undefined } : known;
}

/** The lock records an approval in the file, to show later whether the text was changed after it. */
function approvedBy(record: LockRecord, approval: Decision): LockRecord {
  const { decision } = record;
  const isKnown = isTrustedApproval(decision) && decision?.verdict === approval.verdict;
  return isKnown ? record : { ...record, decision: approval };
}
