import type { Entry } from '../format.ts';
import { firstOwnLine } from './comments.ts';
import { readLines, type Line } from './lines.ts';
import { readPair, type Pair } from './pairs.ts';

/** A file with its lines and pairs. */
export interface Table {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly pairs: readonly Pair[];
  /** For each pair the index of its line. */
  readonly places: readonly number[];
}

export function readTable(text: string): Table {
  const lines = readLines(text);
  const pairs: Pair[] = [];
  const places: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.kind !== 'pair') continue;
    pairs.push(readPair(text, line));
    places.push(index);
  }
  return { text, lines, pairs, places };
}

/** A table with its entries: one for each pair, in the same order. */
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
