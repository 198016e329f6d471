import type { Edit } from '../../base/span.ts';
import type { Document, Key } from '../format.ts';
import { planRemovals } from '../entry-changes.ts';
import { insertXml, type EntryTree } from '../xml/insert.ts';
import { removeSpan } from '../xml/remove.ts';
import { versionOf } from './units.ts';

/** Inserts units into a file of the same version: other versions have other elements. */
export function insertUnits(
  target: Document<EntryTree>,
  skeleton: Document<EntryTree>,
  missing: readonly Key[],
): readonly Edit[] {
  if (versionOf(target.tree.tree) !== versionOf(skeleton.tree.tree)) return [];
  return insertXml(target, skeleton, missing);
}

/** Removes the units with these keys; a unit with several segments only if all are listed. */
export function removeUnits({ text, slots, entries }: Document, keys: readonly Key[]): readonly Edit[] {
  const named = new Set(keys.map(idOf));
  const whole = new Map<string, Key>();
  for (const { key } of slots) if (key.length === 3) whole.set(idOf(key.slice(0, 2)), key.slice(0, 2));
  for (const { key } of slots) if (!named.has(idOf(key))) whole.delete(idOf(key.slice(0, 2)));
  return planRemovals(entries, [...keys, ...whole.values()]).map(({ span }) => removeSpan(text, span));
}

const idOf = (key: Key): string => JSON.stringify(key);
