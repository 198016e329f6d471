import type { Fingerprint } from '../state/fingerprint.ts';
import type { LockRecord } from '../state/lock-line.ts';

/**
 * The one of several records of a key that is true: first one that describes the value standing in the target, then
 * one that describes the source as it is, then the first. With merged branches, and with the intentions that a killed
 * run left, only the files can say which record was carried out.
 */
export function chooseRecord(
  records: readonly LockRecord[] | undefined,
  source: Fingerprint,
  output: Fingerprint | undefined,
): LockRecord | undefined {
  if (!records || records.length < 2) return records?.[0];
  let best: LockRecord | undefined;
  let bestRank = -1;
  for (const record of records) {
    const rank = (record.output === output ? 2 : 0) + (record.source === source ? 1 : 0);
    if (rank > bestRank) {
      best = record;
      bestRank = rank;
    }
  }
  return best;
}
