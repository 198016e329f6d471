import type { Edit } from '../../base/span.ts';
import type { Document, Key, RetargetOptions, ScanOptions } from '../format.ts';
import { encodeCell, styleOf, type CellStyle } from './encode.ts';
import { textCell, viewOf, type CsvTree, type TableView } from './scan.ts';
import { cellText, readTable, type CsvRow } from './table.ts';

/** The texts of the source stand in the cells of the target's column that are empty, and so in all of a new one. */
export function retargetTable(
  document: Document<CsvTree>,
  { locale, spelling, role }: RetargetOptions,
): readonly Edit[] {
  if (role === 'existing') return [];
  const view = viewOf(document.text, document.locale);
  const { table, columns, locale: from, keyed } = view;
  if (locale === from) return [];
  const source = columns.languages.get(from)?.column;
  const filling = new Filling(view, locale, spelling, styleOf(table));
  for (const { row } of keyed) {
    const cell = textCell(table.text, row, source);
    if (cell) filling.fill(row, cellText(table.text, cell));
  }
  const edits = filling.edits();
  // Also where nothing is lacking, the skeleton has to be scanned: its slots are those of the other language.
  return edits.length === 0 ? [{ span: { start: 0, end: 0 }, text: '' }] : edits;
}

/** A row that the target does not have is not added: its keys are the program's. */
export function insertCells(
  document: Document<CsvTree>,
  skeleton: Document<CsvTree>,
  missing: readonly Key[],
  { encodable }: ScanOptions = {},
): readonly Edit[] {
  const target = viewOf(document.text, document.locale);
  const values = new Map<string, string[]>();
  const wanted = new Set(missing.map(([key]) => key));
  for (const { key, value } of skeleton.slots) {
    const [name = ''] = key;
    if (wanted.has(name)) values.set(name, [...(values.get(name) ?? []), value]);
  }
  const spelling = skeleton.locale ?? target.locale;
  const filling = new Filling(target, target.locale, spelling, styleOf(target.table, encodable));
  for (const { key, row } of target.keyed) {
    const value = values.get(key)?.shift();
    if (value !== undefined) filling.fill(row, value);
  }
  return filling.edits();
}

export function removeCells({ text, slots }: Document<CsvTree>, keys: readonly Key[]): readonly Edit[] {
  const unwanted = new Set(keys.map(([key]) => key));
  const removed = slots.filter(({ key }) => unwanted.has(key[0]));
  const { quotesAll } = styleOf(readTable(text));
  return removed.map(({ span }) => ({ span, text: quotesAll ? '""' : '' }));
}

/** Puts texts into the empty cells of one column, which is added behind all others where the table does not have it. */
class Filling {
  readonly #view: TableView;
  readonly #style: CellStyle;
  readonly #known: number | undefined;
  readonly #column: number;
  readonly #spelling: string;
  readonly #texts = new Map<CsvRow, string>();

  constructor(view: TableView, locale: string, spelling: string, style: CellStyle) {
    const { rows } = view.table;
    this.#view = view;
    this.#style = style;
    this.#spelling = spelling;
    this.#known = view.columns.languages.get(locale)?.column;
    this.#column = this.#known ?? rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  }

  /** Nothing happens in a cell that has a text. */
  fill(row: CsvRow, value: string): void {
    if (!textCell(this.#view.table.text, row, this.#column)) this.#texts.set(row, value);
  }

  edits(): readonly Edit[] {
    const { rows } = this.#view.table;
    if (this.#texts.size === 0) return [];
    const [header] = rows;
    if (header && this.#known === undefined) this.#texts.set(header, this.#spelling);
    return rows.flatMap((row): readonly Edit[] => {
      const value = this.#texts.get(row);
      // Rows without a text get the empty cell that makes all rows equally long, as they were before.
      const isPadded = this.#known === undefined && row.cells.length > 1;
      return value === undefined && !isPadded ? [] : [this.#editOf(row, value)];
    });
  }

  #editOf({ cells, end }: CsvRow, value: string | undefined): Edit {
    const style = this.#style;
    const cell = cells[this.#column];
    const empty = style.quotesAll ? '""' : '';
    const text = value === undefined ? empty : encodeCell(value, style, cell?.isQuoted === true);
    if (cell) return { span: { start: cell.start, end: cell.end }, text };
    const before = Array.from({ length: this.#column - cells.length }, () => style.delimiter + empty);
    return { span: { start: end, end }, text: before.join('') + style.delimiter + text };
  }
}
