import { isApproved, type Slot } from '../../formats/format.ts';
import {
  fingerprint,
  type Fingerprint,
  isOwnMark,
  lockKey,
  type LockKey,
  type LockRecord,
} from '../state/lock-line.ts';

type Records = ReadonlyMap<LockKey, readonly LockRecord[]>;

/** What the records of a file say of its texts that are marked for review. */
export class ReviewMarks {
  readonly #records: Records;
  #ours: ReadonlySet<Fingerprint> | undefined;

  constructor(records: Records) {
    this.#records = records;
  }

  /**
   * Whether such a text is one that a tool took from another message and that nobody has touched since: it is translated
   * anew. What somebody wrote or changed is a draft of theirs.
   *
   * @param own the records of its own key
   */
  isTakenOver({ review, value }: Slot, own: readonly LockRecord[] | undefined): boolean {
    if (!review) return false;
    const text = fingerprint(value);
    const isText = ({ output }: LockRecord): boolean => output === text;
    if (own?.some(isText) === true) return false;
    const before = review.takenFrom && this.#records.get(lockKey(review.takenFrom, 0));
    if (before) return before.some(isText);
    // Tools need not say where they took it from. Of what dragoman wrote no person loses anything.
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

/**
 * What we wrote and a person approved is that person's: the file says so, or it does not say any more that somebody has to
 * look at it.
 */
export function approve(
  record: LockRecord | undefined,
  output: Fingerprint | undefined,
  standing: Slot | undefined,
): LockRecord | undefined {
  if (!record || !standing) return record;
  const isOurs = isOwnMark(record.mark) || record.mark === 'pending';
  if (isOurs && isApproved(standing.state)) return { ...record, mark: 'human' };
  if (record.output !== output || !isOwnMark(record.mark)) return record;
  if (standing.review) return record.mark === 'review' ? record : { ...record, mark: 'review' };
  return record.mark === 'review' ? { ...record, mark: 'human' } : record;
}
