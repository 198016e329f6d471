import { keyId, slotIds, type SlotId } from '../../documents/localization/pairing.ts';
import type { Document } from '../../formats/format.ts';

/**
 * The texts of messages whose selections differ between translation and source: one of them selects nothing, the
 * translation selects by another argument, or has other texts around a selection. The whole message is the translator's
 * own, so nothing in it counts as missing or extra.
 *
 * @param source with the plural forms of the language
 * @returns the texts of both documents
 */
export function findOwnPatterns(source: Document, target: Document): ReadonlySet<SlotId> {
  const own = new Set<SlotId>();
  if (![source, target].some(({ slots }) => slots.some(({ whole }) => whole))) return own;
  const standing = patternsOf(target);
  for (const [pattern, wanted] of patternsOf(source)) {
    const found = standing.get(pattern);
    if (!found || (found.size === wanted.size && [...found.keys()].every((part) => wanted.has(part))))
      continue;
    // One text and the forms of a plural become each other.
    if (found.size === 1 && wanted.size === 1 && (found.has(pattern) || wanted.has(pattern))) continue;
    for (const id of [...wanted.values(), ...found.values()].flat()) own.add(id);
  }
  return own;
}

/**
 * The parts of each message, and the texts in them. The forms of a plural are one part, because languages have different
 * numbers of forms.
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
