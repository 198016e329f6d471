import type { Document, Format, Key } from '../format.ts';
import { insert } from './insert.ts';
import { scan } from './scan.ts';
import { type Tree, firstOwnLine } from './table.ts';
import type { Edit } from '../../base/span.ts';
import { planRemovals } from '../entry-changes.ts';
import { newlineOf } from '../lines.ts';

/** Java .properties, parsed as java.util.Properties does. A file never names its own locale. */
export const properties: Format<Tree> = { scan, retarget: () => [], insert, remove };

/** Removes whole lines, with the comments that concern the pair alone. */
function remove(document: Document<Tree>, keys: readonly Key[]): readonly Edit[] {
  const { text, lines, places, entries } = document.tree;
  const doomed = new Set(planRemovals(entries, keys));
  const edits = entries.flatMap((entry, i) => {
    if (!doomed.has(entry)) return [];
    const place = places[i] ?? 0;
    const [line, below] = [lines[place], lines[place + 1]];
    const above = lines[firstOwnLine(text, lines, place) - 1];
    // Keeps one of the blank lines around the pair.
    const closes = below?.kind === 'blank' && above?.kind === 'blank';
    return [
      {
        span: { start: entry.span.start, end: (closes ? below.next : line?.next) ?? entry.span.end },
        text: '',
      },
    ];
  });
  if (!makesMark(document.text, edits)) return edits;
  return [{ span: { start: 0, end: 0 }, text: newlineOf(document.text) }, ...edits];
}

/**
 * Whether a key that begins with U+FEFF would become the first key. At the start of a file that character is read as a
 * byte order mark.
 */
function makesMark(text: string, edits: readonly Edit[]): boolean {
  let start = 0;
  for (const { span } of edits) {
    if (span.start > start) break;
    start = span.end;
  }
  return start > 0 && text.charCodeAt(start) === 0xfeff;
}
