import { wrapWords } from './word-wrap.ts';

/**
 * Formats a table: cells are padded to the width of their column, except for the last one.
 *
 * @param width of a terminal: longer text continues on the next line, between words
 */
export function columns(rows: readonly (readonly string[])[], width = Infinity): readonly string[] {
  const widths = widthsOf(rows);
  return rows.flatMap((row) => {
    const last = row.at(-1) ?? '';
    const before = row
      .slice(0, -1)
      .map((cell, i) => cell.padEnd(widths[i] ?? 0) + GAP)
      .join('');
    const room = width - before.length;
    if (last.length <= room) return [before + last];
    if (room < LEAST_ROOM) return wrapWords(before + last, width).split('\n');
    const [first = '', ...others] = wrapWords(last, room).split('\n');
    return [before + first, ...others.map((line) => ' '.repeat(before.length) + line.trimStart())];
  });
}

/** The minimum width of a wrapped last column. */
const LEAST_ROOM = 20;

const GAP = '  ';

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  return widths;
}

/** `87 %`; without a value, a dash. */
export function percentText(percent: number | undefined): string {
  return percent === undefined ? '-' : `${percent} %`;
}

/** A row of {@link countTable}. */
export interface CountRow {
  readonly label: string;
  /** Numbers are counts. Texts, such as percentages, are printed unchanged. */
  readonly cells: readonly (number | string)[];
  readonly note?: string | undefined;
}

/**
 * A table of counts without the columns that are zero in every row. Columns that do not fit into the width follow in
 * another block, below the labels.
 */
export function countTable(
  titles: readonly string[],
  rows: readonly CountRow[],
  width: number,
): readonly string[] {
  const counted = rows.filter(({ note }) => note === undefined);
  const shown = titles
    .map((_, i) => i)
    .filter((i) => i === 0 || counted.some(({ cells }) => (cells[i - 1] ?? 0) !== 0));
  const table = [
    shown.map((i) => titles[i] ?? ''),
    ...counted.map(({ label, cells }) => shown.map((i) => (i === 0 ? label : textOf(cells[i - 1] ?? 0)))),
  ];
  const labels = Math.max(
    ...[titles[0] ?? '', ...rows.map(({ label }) => label)].map(({ length }) => length),
  );
  const lines: string[] = [];
  for (const block of blocksOf(widthsOf(table).slice(1), width - labels)) {
    const [head = '', ...others] = columns(
      table.map((row) => [(row[0] ?? '').padEnd(labels), ...block.map((i) => row[i + 1] ?? '')]),
    );
    const isFirst = lines.length === 0;
    let next = 0;
    // A row with only a label needs no table.
    if (counted.length > 0) lines.push(head.trimEnd());
    for (const { label, note } of rows) {
      if (note === undefined) lines.push((others[next++] ?? '').trimEnd());
      else if (isFirst) lines.push(`${label.padEnd(labels)}${GAP}${note}`);
    }
  }
  return lines;
}

function textOf(cell: number | string): string {
  return typeof cell === 'number' ? digits(cell) : cell;
}

/** Groups columns that fit side by side, at least one per group. */
function blocksOf(widths: readonly number[], room: number): readonly (readonly number[])[] {
  const blocks: number[][] = [[]];
  let left = room;
  for (const [i, width] of widths.entries()) {
    const isFull = left < width + GAP.length && (blocks.at(-1)?.length ?? 0) > 0;
    if (isFull) blocks.push([]);
    left = (isFull ? room : left) - width - GAP.length;
    blocks.at(-1)?.push(i);
  }
  return blocks;
}

/** `12,345`: one format for all numbers that people read. */
export function digits(number: number): string {
  // Not toLocaleString: loading its data takes longer than a small sync.
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 credit`, `2,000 credits`, `3 entries` */
export function pluralize(number: number, what: string, plural = `${what}s`): string {
  return `${digits(number)} ${number === 1 ? what : plural}`;
}

/** A size for people: `12 kB`, `1.5 MB`. */
export function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${digits(Math.ceil(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** `0:09`, `1:10`, `2:03:09` */
export function durationOf(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const two = (number: number): string => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const clock = `${hours > 0 ? two(minutes) : minutes}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${clock}` : clock;
}
