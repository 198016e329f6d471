import { keyId, slotIds, type SlotId } from '../../documents/localization/pairing.ts';
import type { Document } from '../../formats/format.ts';

/**
 * Finds texts of a source whose key also has a map of texts. Programs read the last one, so an earlier text is
 * never displayed.
 */
export function findOverridden(document: Document): ReadonlySet<SlotId> {
  const overridden = new Set<SlotId>();
  if (!hasDuplicates(document)) return overridden;
  const ids = slotIds(document);
  const last = new Map(document.slots.map(({ key }, i) => [keyId(key), i]));
  for (const [i, { key }] of document.slots.entries()) {
    for (let length = 1; length < key.length; length++) {
      const above = last.get(keyId(key.slice(0, length)));
      if (above !== undefined) overridden.add(ids[Math.min(above, i)] ?? '');
    }
  }
  return overridden;
}

/** The keys that occur several times in a source; programs read only one text of each. */
export function findRepeated(document: Document): ReadonlySet<string> {
  if (!hasDuplicates(document)) return new Set();
  const ids = slotIds(document);
  return new Set(
    document.slots.flatMap(({ key }, i) => (isRepeat({ id: ids[i] ?? '', key }) ? keyId(key) : [])),
  );
}

/** A source key that a target should have. */
interface Repeatable {
  readonly id: SlotId;
  readonly key: readonly string[];
}

/**
 * The keys for a target of a source with duplicate keys. If the target has fewer copies of such a key, it gets the key
 * once, with the source's last text, which programs read.
 */
export function mergeRepeated<Wanted extends Repeatable & { readonly lockKey: string }>(
  wanted: readonly Wanted[],
  target: Document,
): readonly Wanted[] {
  if (!wanted.some(isRepeat)) return wanted;
  const merged = new Set(mergedCopies(wanted, target));
  const last = new Map([...merged].map((one) => [keyId(one.key), one]));
  return wanted.flatMap((one) => {
    if (merged.has(one)) return [];
    const repeat = last.get(one.id);
    return [repeat ? { ...repeat, id: one.id, lockKey: one.lockKey } : one];
  });
}

/** The last text of each key of which a target has fewer copies than its source, by the key's id. */
export function lastCopies(source: Document, target: Document): ReadonlyMap<SlotId, SlotId> {
  if (!hasDuplicates(source)) return new Map();
  const ids = slotIds(source);
  const all = source.slots.map(({ key }, i) => ({ id: ids[i] ?? '', key }));
  return new Map(mergedCopies(all, target).map(({ id, key }) => [keyId(key), id]));
}

/** The copies that a target lacks although it has their key. */
function mergedCopies<One extends Repeatable>(all: readonly One[], target: Document): readonly One[] {
  const present = new Set(slotIds(target));
  return all.filter((one) => isRepeat(one) && !present.has(one.id) && present.has(keyId(one.key)));
}

function isRepeat({ id, key }: Repeatable): boolean {
  return id.includes('\0#') && id !== keyId(key);
}

function hasDuplicates({ slots, warnings }: Document): boolean {
  // In a bilingual file, every entry is separate.
  return slots[0]?.source === undefined && warnings.some(({ rule }) => rule === 'duplicate-key');
}
