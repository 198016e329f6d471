import type { Edit } from '../../base/span.ts';
import type { Document, Key } from '../format.ts';
import { planRemovals } from '../graft.ts';
import { insertXml, type EntryTree } from '../xml/insert.ts';
import { removeSpan } from '../xml/remove.ts';

/** Puts messages and contexts into a file, without places that are relative to those of the file that they come from. */
export function insertMessages(
  target: Document<EntryTree>,
  skeleton: Document<EntryTree>,
  missing: readonly Key[],
): readonly Edit[] {
  return insertXml(target, skeleton, missing).map(({ span, text }) => ({
    span,
    text: text.replace(RELATIVE_PLACE, ''),
  }));
}

/** lupdate makes them anew; as they are, they would move the places of all messages behind. */
const RELATIVE_PLACE = /[ \t]*<location\s[^<>]*\bline="[+-]\d+"[^<>]*>(?:\r\n|\n|\r)?/g;

/** Removes messages; a plural one by its own key, or when every form of it is named. */
export function removeMessages({ text, slots, entries }: Document, keys: readonly Key[]): readonly Edit[] {
  const named = new Set(keys.map(idOf));
  const whole = new Map<string, Key>();
  for (const { plural } of slots) if (plural) whole.set(idOf(plural.group), plural.group);
  for (const { key, plural } of slots) if (plural && !named.has(idOf(key))) whole.delete(idOf(plural.group));
  return planRemovals(entries, [...keys, ...whole.values()]).map(({ span }) => removeSpan(text, span));
}

const idOf = (key: Key): string => JSON.stringify(key);
