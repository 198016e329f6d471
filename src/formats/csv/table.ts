import { DragomanError } from '../../base/errors.ts';
import { positionAt, type Span } from '../../base/span.ts';
import { parseLocale } from '../../languages/locale.ts';
import { startOfText } from '../lines.ts';
import type { FileLanguages } from '../format.ts';

/** A cell as written, with its quotes. */
export interface CsvCell extends Span {
  readonly isQuoted: boolean;
}

export interface CsvRow {
  readonly cells: readonly CsvCell[];
  /** The offset after its last cell. */
  readonly end: number;
}

/** If several delimiters occur equally often in a header, the first one wins. */
const DELIMITERS = [',', ';', '\t'];

/** A table, held as its text: rows are parsed one at a time, because all of them would take ten times the memory. */
export interface CsvTable {
  readonly text: string;
  readonly delimiter: string;
  readonly header: CsvRow;
}

/** Reads only the header: the text may be cut off anywhere after it. */
export function openTable(text: string): CsvTable {
  const delimiter = delimiterOf(text);
  return { text, delimiter, header: readRow(text, startOfText(text), delimiter) };
}

/**
 * The rows of a table below its header.
 *
 * @throws DragomanError `unreadable_input` with the place of an unclosed quote, or of text after a closing quote
 */
export function* rowsOf({ text, delimiter, header }: CsvTable): Iterable<CsvRow> {
  for (let row = header; ;) {
    const next = row.end + (text.startsWith('\r\n', row.end) ? 2 : 1);
    if (next >= text.length) return;
    row = readRow(text, next, delimiter);
    yield row;
  }
}

/**
 * The delimiter is the candidate that occurs most often in the header, because spreadsheets choose it by the system's
 * language. Each candidate leads to different quoted cells and a different end of the header. All candidates are read
 * in parallel. The first candidate whose header ends while no other candidate has more cells wins. Rows below are
 * ignored: editing a row must not change how the table is read.
 */
function delimiterOf(text: string): string {
  const readings = DELIMITERS.map((delimiter) => new HeaderReading(delimiter));
  const first = (among: readonly HeaderReading[]): HeaderReading | undefined => {
    const most = Math.max(...among.map(({ count }) => count));
    return among.find(({ count }) => count === most);
  };
  let open: readonly HeaderReading[] = readings;
  for (let at = startOfText(text); open.length > 0 && at <= text.length; at++) {
    for (const reading of open) reading.take(text.charAt(at));
    open = open.filter(({ state }) => state !== 'broken');
    const best = first(open);
    if (best?.state === 'ended') return best.delimiter;
    open = open.filter(({ state }) => state !== 'ended');
  }
  return first(readings)?.delimiter ?? ',';
}

/** Reads a header with one delimiter, character by character. */
class HeaderReading {
  readonly delimiter: string;
  count = 0;
  /** `quote`: after a quote that either closes the cell or is the first of a doubled pair. */
  state: 'start' | 'bare' | 'quoted' | 'quote' | 'ended' | 'broken' = 'start';

  constructor(delimiter: string) {
    this.delimiter = delimiter;
  }

  /** @param character empty at the end of the text */
  take(character: string): void {
    const { state } = this;
    if (state === 'quoted') {
      if (character === '"') this.state = 'quote';
    } else if (character === '"' && state !== 'bare') this.state = 'quoted';
    else if (character === this.delimiter) {
      this.count++;
      this.state = 'start';
    } else if (character === '' || endsCell(character, this.delimiter)) this.state = 'ended';
    else this.state = state === 'quote' ? 'broken' : 'bare';
  }
}

/** The offset after the closing quote of the cell at `start`; doubled quotes belong to the cell. */
function quotesEnd(text: string, start: number): number | undefined {
  for (let at = start + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0) return undefined;
    if (text.charAt(at + 1) !== '"') return at + 1;
  }
}

export function readRow(text: string, start: number, delimiter: string): CsvRow {
  const cells: CsvCell[] = [];
  let at = start;
  for (;;) {
    const cell = readCell(text, at, delimiter);
    cells.push(cell);
    if (text.charAt(cell.end) !== delimiter) return { cells, end: cell.end };
    at = cell.end + 1;
  }
}

function readCell(text: string, start: number, delimiter: string): CsvCell {
  if (text.charAt(start) !== '"') {
    let end = start;
    while (end < text.length && !endsCell(text.charAt(end), delimiter)) end++;
    return { start, end, isQuoted: false };
  }
  const end = quotesEnd(text, start);
  if (end === undefined) {
    throw new DragomanError('unreadable_input', 'this cell is not closed', {
      at: positionAt(text, start),
      hint: 'A quoted cell ends with a quote; a quote inside it is written twice.',
    });
  }
  if (end < text.length && !endsCell(text.charAt(end), delimiter)) {
    throw new DragomanError('unreadable_input', 'text after the closing quote of a cell', {
      at: positionAt(text, end),
      hint: 'A quote inside a cell is written twice.',
    });
  }
  return { start, end, isQuoted: true };
}

function endsCell(character: string, delimiter: string): boolean {
  return character === delimiter || character === '\n' || character === '\r';
}

export function cellText(text: string, { start, end, isQuoted }: CsvCell): string {
  return isQuoted ? text.slice(start + 1, end - 1).replaceAll('""', '"') : text.slice(start, end);
}

/** Column names that mark the keys of a catalogue. */
const KEY =
  /^(?:keys?|ids?|names?|identifiers?|(?:string|text|message|resource|translation)[ _-]?(?:keys?|ids?|names?|identifiers?)|strings?|msgid|labels?|tags?|codes?|constants?)$/i;

/** Columns with notes for translators, including those of Unity and Godot. */
const NOTE =
  /^(?:[?_])?(?:shared )?(?:comments?|contexts?|descriptions?|notes?|info|hints?|max[ _-]?length)$/i;

/** Unity's column of numbers. Lower-case `id` is Indonesian. */
const NUMBERS = /^I[dD]$/;

/** The role of each column. */
export interface LanguageColumns {
  readonly key: number;
  readonly notes: readonly number[];
  /**
   * Columns by canonical code, with their names as spelled. If two columns name the same language, the first one is
   * used.
   */
  readonly languages: ReadonlyMap<string, { readonly column: number; readonly spelling: string }>;
}

/** Undefined unless the first row names a key column and at least one language. */
export function columnsOf({ text, header }: CsvTable): LanguageColumns | undefined {
  const names = header.cells.map((cell) => cellText(text, cell).trim());
  if (!KEY.test(names[0] ?? '')) return undefined;
  const languages = new Map<string, { readonly column: number; readonly spelling: string }>();
  const notes: number[] = [];
  for (const [column, name] of names.entries()) {
    if (column === 0) continue;
    // Unity writes `German(de)`.
    const spelling = /\(([^()]*)\)$/.exec(name)?.[1] ?? name;
    const locale = parseLocale(spelling);
    if (NOTE.test(name)) notes.push(column);
    else if (locale !== undefined && !NUMBERS.test(name) && !languages.has(locale))
      languages.set(locale, { column, spelling });
  }
  return languages.size > 0 ? { key: 0, notes, languages } : undefined;
}

/** The default language: English, or that of the first column. */
export function firstLanguage({ languages }: LanguageColumns): string {
  const all = [...languages.keys()];
  return all.find((locale) => /^en\b/.test(locale)) ?? all[0] ?? 'en';
}

export function languagesOf(text: string): FileLanguages | undefined {
  const columns = columnsOf(openTable(text));
  return (
    columns && { source: undefined, all: [...columns.languages.values()].map(({ spelling }) => spelling) }
  );
}

/** The key of a row; empty for a row without one. */
export function keyOf(text: string, { key }: LanguageColumns, { cells }: CsvRow): string {
  const cell = cells[key];
  return cell ? cellText(text, cell).trim() : '';
}
