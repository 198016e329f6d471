import type { Edit } from '../../base/span.ts';
import type { Document, Key, RetargetOptions, ScanOptions } from '../format.ts';
import { cellText, type CsvRow, type CsvTable, keyOf, openTable, rowsOf } from './table.ts';
import { encodeCell, styleOf, type CellStyle } from './encode.ts';
import { textCell, viewOf, type CsvTree, type TableView } from './scan.ts';
import { addTo } from '../../base/map-of-lists.ts';

/** Copies the source texts into the empty cells of the target's column, which may be new. */
export function retargetTable(
  document: Document<CsvTree>,
  { locale, spelling, role }: RetargetOptions,
): readonly Edit[] {
  if (role === 'existing') return [];
  const view = viewOf(document.text, document.locale);
  const { table, columns, locale: from } = view;
  if (locale === from) return [];
  const source = columns.languages.get(from)?.column;
  const edits = new Filling(view, locale, spelling, styleOf(table)).edits(({ row }) => {
    const cell = textCell(table.text, row, source);
    return cell && cellText(table.text, cell);
  });
  // Even if no cell is missing, the skeleton must be scanned again: its slots belong to the source language.
  return edits.length === 0 ? [{ span: { start: 0, end: 0 }, text: '' }] : edits;
}

/** Does not add rows that the target lacks: the program owns the keys. */
export function insertCells(
  document: Document<CsvTree>,
  skeleton: Document<CsvTree>,
  missing: readonly Key[],
  { encodable }: ScanOptions = {},
): readonly Edit[] {
  const target = viewOf(document.text, document.locale);
  const values = new Map<string, string[]>();
  const wanted = new Set(missing.map(([key]) => key));
  for (const { key, value } of skeleton.slots.toReversed()) {
    const [name = ''] = key;
    if (!wanted.has(name)) continue;
    addTo(values, name, value);
  }
  const spelling = skeleton.locale ?? target.locale;
  const style = styleOf(target.table, encodable);
  return new Filling(target, target.locale, spelling, style).edits(({ key }) => values.get(key)?.pop());
}

export function removeCells({ text, slots }: Document<CsvTree>, keys: readonly Key[]): readonly Edit[] {
  const unwanted = new Set(keys.map(([key]) => key));
  const removed = slots.filter(({ key }) => unwanted.has(key[0]));
  const { quotesAll } = styleOf(openTable(text));
  return removed.map(({ span }) => ({ span, text: quotesAll ? '""' : '' }));
}

/** Fills the empty cells of one column. A missing column is added after the others. */
class Filling {
  readonly #view: TableView;
  readonly #style: CellStyle;
  readonly #known: number | undefined;
  readonly #column: number;
  readonly #spelling: string;

  constructor(view: TableView, locale: string, spelling: string, style: CellStyle) {
    this.#view = view;
    this.#style = style;
    this.#spelling = spelling;
    this.#known = view.columns.languages.get(locale)?.column;
    this.#column = this.#known ?? widthOf(view.table);
  }

  /** @param textOf called once for each row with a key. Cells that have a text stay unchanged. */
  edits(
    textOf: (keyed: { readonly key: string; readonly row: CsvRow }) => string | undefined,
  ): readonly Edit[] {
    const { table, columns } = this.#view;
    const isNew = this.#known === undefined;
    const edits: Edit[] = isNew ? [this.#editOf(table.header, this.#spelling)] : [];
    let isFilled = false;
    for (const row of rowsOf(table)) {
      const key = keyOf(table.text, columns, row);
      const text = key === '' ? undefined : textOf({ key, row });
      const value = textCell(table.text, row, this.#column) ? undefined : text;
      isFilled ||= value !== undefined;
      // Rows without a text get an empty cell, so that all rows keep the same length.
      if (value !== undefined || (isNew && row.cells.length > 1)) edits.push(this.#editOf(row, value));
    }
    return isFilled ? edits : [];
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

/** The number of cells in the longest row. */
function widthOf(table: CsvTable): number {
  let width = table.header.cells.length;
  for (const { cells } of rowsOf(table)) width = Math.max(width, cells.length);
  return width;
}
