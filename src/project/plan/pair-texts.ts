import type { Document } from '../../formats/format.ts';
import { hasCues } from '../../formats/subtitles/document.ts';
import { type LockKey, lockKeys, type LockRecord, sourceFingerprint } from '../state/lock-line.ts';
import { likenessOf } from './align-texts.ts';
import { gapNotation, gapsOf, type StructureGap } from './structure.ts';

/**
 * Finds the translation's slot for each slot of the source: the one translated from the same text, or from an earlier
 * version of the paragraph.
 *
 * @param known the records of the translation's slots
 * @param gaps the parts of the translation's structure
 */
export function pairTexts(
  source: Document,
  target: Document,
  known: readonly (LockRecord | undefined)[],
  gaps: readonly StructureGap[],
): readonly (number | undefined)[] {
  const [wanted, standing] = [lockKeys(source), lockKeys(target)];
  const own = source.slots.map(({ value, comment }) => sourceFingerprint({ text: value, comment }));
  const open = new Map<string, Set<number>>();
  for (const [at, record] of known.entries())
    if (record) open.set(record.source, (open.get(record.source) ?? new Set()).add(at));
  const pairs: (number | undefined)[] = own.map(() => undefined);
  const take = (at: number, from: number | undefined): void => {
    if (pairs[at] === undefined && from !== undefined && open.get(own[at] ?? '')?.delete(from))
      pairs[at] = from;
  };
  const firstOf = (at: number): number | undefined =>
    open
      .get(own[at] ?? '')
      ?.values()
      .next().value;
  const sameTimes = hasCues(source) ? pairTimes(source, gaps) : [];
  for (const [at, from] of sameTimes.entries()) take(at, from);
  const counts = new Map<string, number>();
  for (const text of own) counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const [at, text] of own.entries())
    if (counts.get(text) === 1 && open.get(text)?.size === 1) take(at, firstOf(at));
  // Equal texts are matched by their neighbours, otherwise by position.
  for (const at of own.keys()) take(at, at === 0 ? 0 : beside(pairs[at - 1], 1));
  for (const at of [...own.keys()].reverse())
    take(at, at === own.length - 1 ? standing.length - 1 : beside(pairs[at + 1], -1));
  const places = new Map(standing.map((key, from) => [key, from]));
  for (const [at, key] of wanted.entries()) take(at, places.get(key));
  for (const at of own.keys()) take(at, firstOf(at));
  const taken = new Set(pairs);
  for (const [at, from] of sameTimes.entries())
    if (pairs[at] === undefined && from !== undefined && !taken.has(from)) taken.add((pairs[at] = from));
  let likeness: ReturnType<typeof likenessOf> | undefined;
  for (let at = 0; at < pairs.length; at++) {
    if (pairs[at] !== undefined) continue;
    let end = at;
    while (end < pairs.length && pairs[end] === undefined) end++;
    const from = at === 0 ? 0 : (pairs[at - 1] ?? 0) + 1;
    let to = from;
    while (to < standing.length && !taken.has(to)) to++;
    const [rows, columns] = [end - at, to - from];
    if (columns > 0 && rows * columns <= MAX_CELLS) {
      const alike =
        rows === columns
          ? undefined
          : (likeness ??= likenessOf(source, target))({ from: [at, from], to: [end, to] });
      const changed = pairRuns(rows, columns, (row, column) =>
        kindOf(wanted[at + row]) === kindOf(standing[from + column])
          ? Math.max(LEAST, alike?.(row, column) ?? 0)
          : undefined,
      );
      for (const [row, column] of changed) {
        pairs[at + row] = from + column;
        taken.add(from + column);
      }
    }
    at = end;
  }
  return pairs;
}

/** Longer runs of changed texts stay unpaired. */
const MAX_CELLS = 1_000_000;
/** Outweighs any similarity, because each pair preserves the words of a translation. */
const PAIR = 1000;
const LEAST = -100;

/**
 * Pairs changed texts of the source with those between the same neighbours: as many as possible, in order, and if some
 * are left over, the most similar ones.
 *
 * @param score of a pair; undefined for texts of different kinds
 */
function pairRuns(
  rows: number,
  columns: number,
  score: (row: number, column: number) => number | undefined,
): readonly (readonly [number, number])[] {
  const width = columns + 1;
  const best = new Float64Array((rows + 1) * width);
  const paired = new Uint8Array(best.length);
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--) {
      const at = row * width + column;
      const own = score(row, column);
      const pair = own === undefined ? -Infinity : PAIR + own + (best[at + width + 1] ?? 0);
      const skipped = Math.max(best[at + width] ?? 0, best[at + 1] ?? 0);
      best[at] = Math.max(pair, skipped);
      paired[at] = Number(pair >= skipped);
    }
  const pairs: [number, number][] = [];
  for (let [row, column] = [0, 0]; row < rows && column < columns;) {
    const at = row * width + column;
    if (paired[at] === 1) pairs.push([row++, column++]);
    else if ((best[at + width] ?? 0) > (best[at + 1] ?? 0)) row++;
    else column++;
  }
  return pairs;
}

/** By slot of the source: the translation's slot with the same recorded times, if exactly one exists. */
function pairTimes(source: Document, gaps: readonly StructureGap[]): readonly (number | undefined)[] {
  const places = new Map<string, number | undefined>();
  // The last gap is not followed by a text.
  for (const [from, { record }] of gaps.slice(0, -1).entries())
    if (record) places.set(record.source, places.has(record.source) ? undefined : from);
  const { print } = gapNotation(source);
  return gapsOf(source)
    .slice(0, -1)
    .map(({ start, end }) => places.get(print(source.text.slice(start, end))));
}

function beside(place: number | undefined, step: number): number | undefined {
  return place === undefined ? undefined : place + step;
}

/** Keys end with a number and the kind of the text. */
function kindOf(key: LockKey | undefined): string | undefined {
  return key?.slice(key.lastIndexOf('/') + 1).replace(/^\d+/, '');
}
