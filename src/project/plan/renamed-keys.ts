import type { Document, Key, Slot } from '../../formats/format.ts';
import { fingerprint, type Fingerprint } from '../state/fingerprint.ts';
import { lockKeys, type LockKey } from '../state/lock-key.ts';
import type { LockRecord } from '../state/lock-line.ts';
import { keptRecord, stateOf, wasEmptied } from './key-state.ts';

/** The key that a renamed one was before. */
export interface PreviousKey {
  readonly record: LockRecord;
  readonly value: string;
  /** The old key. */
  readonly key: Key;
  readonly lockKey: LockKey;
}

/** The lock's records of keys that the source no longer has, by which renamed keys are found. */
export interface RenamedKeys {
  /** A key that was translated from the same text and still has its value in the target. Taken once. */
  takeRenamed(source: Fingerprint): PreviousKey | undefined;
  /** The record of a value that was renamed in source and target by hand. */
  takeCarried(source: Fingerprint, output: Fingerprint): LockRecord | undefined;
  /** Records of keys that are still in the target. */
  leftover(): ReadonlyMap<LockKey, readonly LockRecord[]>;
}

interface RenamedKey {
  readonly lockKey: LockKey;
  readonly slot: Slot;
  readonly record: LockRecord;
}

export function indexRenamedKeys(
  records: ReadonlyMap<LockKey, readonly LockRecord[]>,
  expected: ReadonlySet<LockKey>,
  target: Document | undefined,
): RenamedKeys {
  const standing = new Map<Fingerprint, RenamedKey[]>();
  const carried = new Map<string, LockRecord>();
  const leftover = new Map<LockKey, readonly LockRecord[]>();
  const slots = new Map<LockKey, Slot>();
  const gone: [LockKey, readonly LockRecord[]][] = [];
  for (const [key, candidates] of records) if (!expected.has(key)) gone.push([key, candidates]);
  // Computing the lock keys of a whole target takes long, and is needed only if keys are gone from the source.
  if (gone.length > 0 && target) {
    const keys = lockKeys(target);
    target.slots.forEach((slot, i) => slots.set(keys[i] ?? '', slot));
  }
  for (const [lockKey, candidates] of gone) {
    const slot = slots.get(lockKey);
    if (slot) leftover.set(lockKey, candidates);
    for (const record of candidates) {
      if (record.mark === 'pending') continue;
      if (!slot) carried.set(`${record.source} ${record.output}`, record);
      else if (slot.value !== '' || wasEmptied(candidates)) {
        const list = standing.get(record.source);
        if (list) list.push({ lockKey, slot, record });
        else standing.set(record.source, [{ lockKey, slot, record }]);
      }
    }
  }
  // Taken from the end: in file order, then.
  for (const list of standing.values()) list.reverse();
  const taken = new Set<LockKey>();
  return {
    takeRenamed: (source) => {
      const list = standing.get(source);
      let previous = list?.pop();
      while (previous && taken.has(previous.lockKey)) previous = list?.pop();
      if (!previous) return undefined;
      const { record, slot, lockKey } = previous;
      taken.add(lockKey);
      const output = fingerprint(slot.value);
      const kept = keptRecord(stateOf({ sourceHash: source, output, record }), {
        sourceHash: source,
        output,
        record,
      });
      return { value: slot.value, key: slot.key, lockKey, record: kept ?? record };
    },
    takeCarried: (source, output) => carried.get(`${source} ${output}`),
    leftover: () => leftover,
  };
}
