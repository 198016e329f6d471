import { readStrayBytes } from '../stray-bytes.ts';
import type { Line } from './lines.ts';

const LICENCE = /copyright|licen[cs]e|spdx/i;

/** The comment lines directly above the line at `index`; a licence at the top of the file is nobody's comment. */
export function commentLines(text: string, lines: readonly Line[], index: number): readonly Line[] {
  let first = index;
  while (lines[first - 1]?.kind === 'comment') first--;
  const block = lines.slice(first, index);
  const isHeader = first === 0 && block.some(({ start, end }) => LICENCE.test(text.slice(start, end)));
  return isHeader ? [] : block;
}

/** What the developer says about the pair, without the comment signs. */
export function noteOf(text: string, comments: readonly Line[]): string | undefined {
  const note = comments
    .map(({ start, end }) =>
      readStrayBytes(text.slice(start, end))
        .replace(/^[ \t\f]*[#!]+ ?/, '')
        .trimEnd(),
    )
    .join('\n')
    .trim();
  return note === '' ? undefined : note;
}

/** The first line of the pair at `index` and the comments that speak of it alone: those above a row do not. */
export function firstOwnLine(text: string, lines: readonly Line[], index: number): number {
  if (lines[index + 1]?.kind === 'pair') return index;
  return index - commentLines(text, lines, index).length;
}
