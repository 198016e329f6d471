import type { Entry } from '../format.ts';
import { readStrayBytes } from '../stray-bytes.ts';
import { readLines, type LogicalLine } from './lines.ts';
import { readPair, type Pair } from './pairs.ts';

/** A file with its lines and pairs. */
export interface Table {
  readonly text: string;
  readonly lines: readonly LogicalLine[];
  readonly pairs: readonly Pair[];
  /** The line index of each pair. */
  readonly places: readonly number[];
}

export function readTable(text: string): Table {
  const lines = readLines(text);
  const readable = readStrayBytes(text);
  const pairs: Pair[] = [];
  const places: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.kind !== 'pair') continue;
    pairs.push(readPair(readable, line));
    places.push(index);
  }
  return { text, lines, pairs, places };
}

/** A table with one entry for each pair, in the same order. */
export interface Tree extends Table {
  readonly entries: readonly Entry[];
}

export function readTree(text: string): Tree {
  const table = readTable(text);
  return { ...table, entries: entriesOf(table) };
}

function entriesOf({ text, lines, pairs, places }: Table): readonly Entry[] {
  return pairs.map(({ key, line }, i) => {
    const first = lines[firstOwnLine(text, lines, places[i] ?? 0)] ?? line;
    return { key: [key], span: { start: first.start, end: line.end } };
  });
}

const LICENCE = /copyright|licen[cs]e|spdx/i;

/** The comment lines directly above the line at `index`, without a licence at the top of the file. */
function commentLines(text: string, lines: readonly LogicalLine[], index: number): readonly LogicalLine[] {
  let first = index;
  while (lines[first - 1]?.kind === 'comment') first--;
  return withoutLicence(text, lines.slice(first, index), first === 0);
}

/** @param isTop whether the comment lines start the file */
export function withoutLicence(
  text: string,
  block: readonly LogicalLine[],
  isTop: boolean,
): readonly LogicalLine[] {
  return isTop && block.some(({ start, end }) => LICENCE.test(text.slice(start, end))) ? [] : block;
}

/** The developer's note on the pair, without comment markers. */
export function noteOf(text: string, comments: readonly LogicalLine[]): string | undefined {
  if (comments.length === 0) return undefined;
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

/**
 * The first line of the pair at `index` and its own comments. Excludes comments that concern several consecutive pairs.
 */
export function firstOwnLine(text: string, lines: readonly LogicalLine[], index: number): number {
  if (lines[index + 1]?.kind === 'pair') return index;
  return index - commentLines(text, lines, index).length;
}
