import { addTo } from '../../base/map-of-lists.ts';
import type { Document } from '../../formats/format.ts';
import {
  fingerprint,
  type LockKey,
  lockKeys,
  type LockRecord,
  sourceFingerprint,
} from '../state/lock-line.ts';
import type { Records } from './plan.ts';

/** A record that matches both texts outweighs any similarity between them. */
const [OF_BOTH, OF_PLACE] = [40, 4];

interface KnownText extends LockRecord {
  readonly key: LockKey;
}

/** The lock's records about the texts of a source and its translation, at any position. */
export class KnownTexts {
  readonly #wanted: readonly LockKey[];
  readonly #sources: readonly string[];
  readonly #outputs: readonly string[];
  readonly #recorded: Records;
  readonly #byOutput = new Map<string, KnownText[]>();
  readonly #learned = new Map<string, Pick<KnownText, 'source' | 'key'>[]>();

  constructor(source: Document, skeleton: Document, target: Document, recorded: Records) {
    this.#wanted = lockKeys(skeleton);
    this.#sources = source.slots.map(({ value, comment }) => sourceFingerprint({ text: value, comment }));
    this.#outputs = target.slots.map(({ value }) => fingerprint(value));
    this.#recorded = recorded;
    for (const [key, records] of recorded)
      for (const record of records) {
        addTo(this.#byOutput, record.output, { ...record, key });
      }
  }

  evidence(i: number, j: number): number {
    let found = 0;
    for (const { source, key } of this.#seen(j))
      found = Math.max(
        found,
        (source === this.#sources[i] ? OF_BOTH : 0) + (key === this.#wanted[i] ? OF_PLACE : 0),
      );
    return found;
  }

  /**
   * Uses pairs as evidence for repetitions of their texts, because the lock will have them: the next run must not find
   * more than this one.
   *
   * @returns whether both texts of a pair also occur without a counterpart
   */
  learn(pairs: ReadonlyMap<number, number>): boolean {
    const taken = new Set(pairs.values());
    const open = new Set(this.#sources.filter((_, i) => !pairs.has(i)));
    const openOutputs = new Set(this.#outputs.filter((_, j) => !taken.has(j)));
    let isRepeated = false;
    for (const [i, j] of pairs) {
      const [source = '', output = '', key = ''] = [this.#sources[i], this.#outputs[j], this.#wanted[i]];
      if (!open.has(source) || !openOutputs.has(output)) continue;
      addTo(this.#learned, output, { source, key });
      isRepeated = true;
    }
    return isRepeated;
  }

  /** Adds texts that moved within the source: their translation stays in place and is not written twice. */
  withMoved(pairs: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
    const all = new Map(pairs);
    const taken = new Set(pairs.values());
    const open = new Map<string, number>();
    for (const [i, source] of this.#sources.entries()) if (!pairs.has(i)) open.set(source, i);
    for (const j of this.#outputs.keys()) {
      const own = taken.has(j) ? undefined : this.#seen(j).find(({ source }) => open.has(source));
      const i = own && open.get(own.source);
      if (i === undefined) continue;
      all.set(i, j);
      open.delete(own?.source ?? '');
    }
    return all;
  }

  recordsOf(pairs: ReadonlyMap<number, number>): Records {
    // Texts without a counterpart are recorded with an empty output.
    const written = new Set([...this.#outputs, fingerprint('')]);
    const records = new Map<LockKey, readonly LockRecord[]>();
    for (const [i, j] of pairs) {
      const [key, source] = [this.#wanted[i] ?? '', this.#sources[i]];
      const candidates = this.#of(j);
      const record =
        candidates.find((one) => one.source === source) ??
        candidates.find((one) => one.key === key) ??
        candidates[0] ??
        // A person may have changed the translation of this text.
        this.#recorded.get(key)?.find((one) => one.source === source && !written.has(one.output));
      if (record) {
        const { source: from, output, mark, decision } = record;
        records.set(key, [{ source: from, output, mark, decision }]);
      }
    }
    return records;
  }

  #seen(j: number): readonly Pick<KnownText, 'source' | 'key'>[] {
    return [...this.#of(j), ...(this.#learned.get(this.#outputs[j] ?? '') ?? [])];
  }

  #of(j: number): readonly KnownText[] {
    return this.#byOutput.get(this.#outputs[j] ?? '') ?? [];
  }
}
