import type { Document, Slot } from '../../formats/format.ts';
import { slotFinder, type SlotId } from '../../documents/localization/pairing.ts';
import type { Lock } from '../state/lock.ts';
import { fingerprint, type Fingerprint, type LockKey, type LockRecord } from '../state/lock-line.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** The records of former files, which were deleted or renamed. */
export interface Orphans {
  readonly byKey: ReadonlyMap<LockKey, readonly Orphan[]>;
  /** The number of records of each file. */
  readonly sizes: ReadonlyMap<string, number>;
}

interface Orphan {
  readonly file: string;
  readonly record: LockRecord;
}

export function findOrphans(lock: Lock, locale: string, isObsolete: (file: string) => boolean): Orphans {
  const byKey = new Map<LockKey, Orphan[]>();
  const sizes = new Map<string, number>();
  for (const file of lock.files()) {
    if (!isObsolete(file)) continue;
    for (const [key, records] of lock.section(file, locale)) {
      const own = records.map((record) => ({ file, record }));
      addTo(byKey, key, ...own);
      sizes.set(file, (sizes.get(file) ?? 0) + own.length);
    }
  }
  return { byKey, sizes };
}

interface Wanted {
  readonly id: SlotId;
  readonly lockKey: LockKey;
}

/** The records of former files, for one target that may continue one of them. */
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
   * The record that matches source and target, if any. Otherwise the record of a value whose source has changed: a
   * person's value stays outdated even if it is now in another file; other values are recognized only if their file
   * moved.
   */
  find(key: LockKey, source: Fingerprint, output: Fingerprint): LockRecord | undefined {
    const same = this.#orphans.byKey.get(key)?.filter(({ record }) => record.output === output);
    const found =
      same?.find(({ record }) => record.source === source) ??
      same?.find(({ record: { mark } }) => mark === 'outdated' || mark === 'human') ??
      same?.find(({ file, record: { mark } }) => mark !== 'pending' && this.#hasMoved(file));
    return found?.record;
  }

  /**
   * A single text may also occur in an unrelated file, but a file that has most of another's values under the same keys
   * is the other one, moved.
   */
  #hasMoved(file: string): boolean {
    this.#moved ??= this.#findMoved();
    return this.#moved.has(file);
  }

  #findMoved(): ReadonlySet<string> {
    const find = slotFinder(this.#target);
    const same = new Map<string, number>();
    for (const { id, lockKey } of this.#keys) {
      const records = this.#orphans.byKey.get(lockKey);
      const slot: Slot | undefined = records && this.#target.slots[find(id) ?? -1];
      if (!records || !slot) continue;
      const output = fingerprint(slot.value);
      for (const { file, record } of records)
        if (record.output === output) same.set(file, (same.get(file) ?? 0) + 1);
    }
    const { sizes } = this.#orphans;
    return new Set([...same].flatMap(([file, count]) => (count * 2 > (sizes.get(file) ?? 0) ? [file] : [])));
  }
}
