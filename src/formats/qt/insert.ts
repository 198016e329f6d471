import { splice, type Edit } from '../../base/span.ts';
import type { Document, Key, ScanOptions } from '../format.ts';
import { planRemovals } from '../entry-changes.ts';
import { insertXml, type EntryTree } from '../xml/insert.ts';
import { removeSpan } from '../xml/remove.ts';
import { attributeOf, elementsOf, type XmlTree } from '../xml/tree.ts';
import { contextsIn } from './messages.ts';
import { scanQt } from './scan.ts';

/** Puts messages and contexts into a file, without places that are relative to those of the file that they come from. */
export function insertMessages(
  target: Document<EntryTree>,
  skeleton: Document<EntryTree>,
  missing: readonly Key[],
  options?: ScanOptions,
): readonly Edit[] {
  const places = relativePlaces(skeleton.tree.tree);
  const bare = places.length === 0 ? skeleton : scanQt(splice(skeleton.text, places), options);
  return insertXml(target, bare, missing);
}

/** lupdate makes them anew; as they are, they would move the places of all messages behind. */
function relativePlaces(tree: XmlTree): readonly Edit[] {
  return contextsIn(tree).flatMap(({ messages }) =>
    messages.flatMap(({ element }) =>
      elementsOf(element)
        .filter((child) => child.name === 'location' && /^[+-]/.test(attributeOf(tree, child, 'line') ?? ''))
        .map((place) => removeSpan(tree.text, place)),
    ),
  );
}

/** Removes messages; a plural one by its own key, or when every form of it is named. */
export function removeMessages({ text, slots, entries }: Document, keys: readonly Key[]): readonly Edit[] {
  const named = new Set(keys.map(idOf));
  const whole = new Map<string, Key>();
  for (const { plural } of slots) if (plural) whole.set(idOf(plural.group), plural.group);
  for (const { key, plural } of slots) if (plural && !named.has(idOf(key))) whole.delete(idOf(plural.group));
  return planRemovals(entries, [...keys, ...whole.values()]).map(({ span }) => removeSpan(text, span));
}

const idOf = (key: Key): string => JSON.stringify(key);
