import { keyId, slotIds, type SlotId } from '../../documents/localization/pairing.ts';
import type { Document } from '../../formats/format.ts';
import { type LockKey, lockKeys, type LockRecord } from '../state/lock-line.ts';
import { originOfExtra } from './key-state.ts';

type Records = ReadonlyMap<LockKey, readonly LockRecord[]>;

/**
 * The texts of messages whose selections differ between translation and source: only one of them has a selection, or
 * the translation selects by a different argument, or has different texts around its selection. The translator then
 * wrote the whole message freely, so nothing in it is missing or extra, unless it had the selections of an earlier
 * source.
 *
 * @param source with the plural forms of the language
 * @returns the texts of both documents
 */
export function findOwnPatterns(source: Document, target: Document, records: Records): ReadonlySet<SlotId> {
  const own = new Set<SlotId>();
  if (![source, target].some(({ slots }) => slots.some(({ whole }) => whole))) return own;
  const standing = patternsOf(target);
  let isFormer: ReturnType<typeof formerPatterns> | undefined;
  for (const [pattern, wanted] of patternsOf(source)) {
    const found = standing.get(pattern);
    if (!found || (found.size === wanted.size && [...found.keys()].every((part) => wanted.has(part))))
      continue;
    // The message became a plural, or stopped being one.
    if (found.size === 1 && wanted.size === 1 && (found.has(pattern) || wanted.has(pattern))) continue;
    isFormer ??= formerPatterns(source, target, records);
    if (isFormer([...found.values()])) continue;
    for (const id of [...wanted.values(), ...found.values()].flat()) own.add(id);
  }
  return own;
}

/**
 * Whether the source of a message had the translation's selections: the lock has all of its parts. A person's parts may
 * be in the lock because the source has them, too.
 */
function formerPatterns(
  source: Document,
  target: Document,
  records: Records,
): (parts: readonly (readonly SlotId[])[]) => boolean {
  if (records.size === 0) return () => false;
  const wanted = new Set(slotIds(source));
  const ids = slotIds(target);
  const keys = lockKeys(target);
  const places = new Map(ids.map((id, i) => [id, i]));
  const recordsOf = (id: SlotId) => records.get(keys[places.get(id) ?? -1] ?? '');
  const isOurs = (id: SlotId): boolean =>
    originOfExtra(target.slots[places.get(id) ?? -1]?.value ?? '', recordsOf(id)) === 'ours';
  return (parts) =>
    parts.every((part) => part.some(recordsOf)) && parts.flat().some((id) => !wanted.has(id) || isOurs(id));
}

/**
 * The parts of each message, and the texts in them. The forms of a plural are one part, because languages have
 * different numbers of forms.
 */
function patternsOf(document: Document): ReadonlyMap<string, ReadonlyMap<string, readonly SlotId[]>> {
  const patterns = new Map<string, Map<string, SlotId[]>>();
  for (const [i, { key, whole, plural }] of document.slots.entries()) {
    const pattern = keyId(whole ?? key);
    const parts = patterns.get(pattern) ?? new Map<string, SlotId[]>();
    const part = keyId(plural?.group ?? key);
    const ids = parts.get(part) ?? [];
    ids.push(slotIds(document)[i] ?? '');
    patterns.set(pattern, parts.set(part, ids));
  }
  return patterns;
}
