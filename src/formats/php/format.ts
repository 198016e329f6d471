import { type Edit, splice } from '../../base/span.ts';
import type { Document, Format, Key } from '../format.ts';
import type { Outline } from '../json/outline.ts';
import { remove as removeMembers } from '../json/remove.ts';
import { insert } from '../json/insert.ts';
import { scan } from './scan.ts';
import { parsePhp } from './tree.ts';

/**
 * Arrays of texts in PHP files, read as PHP would. No code is executed. A file never names its language. Array
 * elements, and assignments such as CodeIgniter's, are inserted like the members of an object.
 */
export const php: Format<Outline> = { scan, retarget: () => [], insert, remove };

/**
 * Keeps the last assignment of a text (`$lang['name'] = …`): without it, the texts of another array in the file would
 * be read instead.
 */
function remove(document: Document<Outline>, keys: readonly Key[]): readonly Edit[] {
  const edits = removeMembers(document, keys);
  const { root } = parsePhp(document.text);
  if (edits.length === 0 || root.kind !== 'statements') return edits;
  if (parsePhp(splice(document.text, edits)).root.kind === 'statements') return edits;
  const last = root.children.findLast(({ nameStart, nameEnd }) => nameEnd > nameStart);
  return removeMembers(
    document,
    keys.filter(([name]) => name !== last?.name),
  );
}
