import type { Document, Slot } from '../../formats/format.ts';
import { slotFinder, type SlotId } from '../../documents/localization/pairing.ts';
import type { Lock } from '../state/lock.ts';
import { fingerprint, type Fingerprint, type LockKey, type LockRecord } from '../state/lock-line.ts';

/** The records of files of the past, by key: of those that were deleted, or have another name now. */
export type Orphans = ReadonlyMap<LockKey, readonly Orphan[]>;

interface Orphan {
  readonly file: string;
  readonly record: LockRecord;
}

export function findOrphans(lock: Lock, locale: string, isPast: (file: string) => boolean): Orphans {
  const orphans = new Map<LockKey, Orphan[]>();
  for (const file of lock.files()) {
    if (!isPast(file)) continue;
    for (const [key, records] of lock.section(file, locale)) {
      const own = records.map((record) => ({ file, record }));
      const known = orphans.get(key);
      if (known) known.push(...own);
      else orphans.set(key, own);
    }
  }
  return orphans;
}

interface Wanted {
  readonly id: SlotId;
  readonly lockKey: LockKey;
}

/** The records of files that are gone, as one target may continue them. */
export class MovedFiles {
  readonly #orphans: Orphans;
  readonly #target: Document;
  readonly #keys: readonly Wanted[];
  #moved: ReadonlySet<string> | undefined;

  constructor(orphans: Orphans, target: Document, keys: readonly Wanted[]) {
    this.#orphans = orphans;
    this.#target = target;
    this.#keys = keys;
  }

  /**
   * The record that is true of both source and target, if any; else that of a value whose source has changed: a person's
   * stays outdated in another file, and any is known again where its file moved.
   */
  find(key: LockKey, source: Fingerprint, output: Fingerprint): LockRecord | undefined {
    const same = this.#orphans.get(key)?.filter(({ record }) => record.output === output);
    const found =
      same?.find(({ record }) => record.source === source) ??
      same?.find(({ record: { mark } }) => mark === 'outdated' || mark === 'human') ??
      same?.find(({ file, record: { mark } }) => mark !== 'pending' && this.#hasMoved(file));
    return found?.record;
  }

  /** A single text may stand in an unrelated file too. One that has most values of a file, under their keys, is that file. */
  #hasMoved(file: string): boolean {
    this.#moved ??= this.#findMoved();
    return this.#moved.has(file);
  }

  #findMoved(): ReadonlySet<string> {
    const find = slotFinder(this.#target);
    const counts = new Map<string, { keys: number; same: number }>();
    for (const { id, lockKey } of this.#keys) {
      const records = this.#orphans.get(lockKey);
      const slot: Slot | undefined = records && this.#target.slots[find(id) ?? -1];
      if (!records || !slot) continue;
      const output = fingerprint(slot.value);
      for (const { file, record } of records) {
        const count = counts.get(file) ?? { keys: 0, same: 0 };
        count.keys++;
        if (record.output === output) count.same++;
        counts.set(file, count);
      }
    }
    return new Set([...counts].flatMap(([file, { keys, same }]) => (same * 2 > keys ? [file] : [])));
  }
}
