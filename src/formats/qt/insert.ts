import { splice, type Edit } from '../../base/span.ts';
import type { Document, Key, ScanOptions } from '../format.ts';
import { planRemovals, wholeGroups } from '../entry-changes.ts';
import { insertXml, type EntryTree } from '../xml/insert.ts';
import { removeSpan } from '../lines.ts';
import { attributeOf, elementsOf, type XmlTree } from '../xml/tree.ts';
import { messagesIn } from './messages.ts';
import { scanQt } from './scan.ts';

/** Inserts messages and contexts into a file, without line numbers that are relative to their original file. */
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

/** lupdate recreates these; copied, they would shift the places of all later messages. */
function relativePlaces(tree: XmlTree): readonly Edit[] {
  return messagesIn(tree).flatMap(({ element }) =>
    elementsOf(element)
      .filter((child) => child.name === 'location' && /^[+-]/.test(attributeOf(tree, child, 'line') ?? ''))
      .map((place) => removeSpan(tree.text, place)),
  );
}

/** Removes messages; removes a plural message if its own key, or each of its forms, is listed. */
export function removeMessages(document: Document, keys: readonly Key[]): readonly Edit[] {
  const all = [...keys, ...wholeGroups(document, keys)];
  return planRemovals(document.entries, all).map(({ span }) => removeSpan(document.text, span));
}
