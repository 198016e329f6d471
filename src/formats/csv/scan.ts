import { DragomanError } from '../../base/errors.ts';
import { parseLocale } from '../../languages/locale.ts';
import { DuplicateKeys, makeDocument } from '../document.ts';
import type { Document, DocumentWarning, Entry, ScanOptions } from '../format.ts';
import { applyDialect, TextSlot, type TextWriter } from '../text-slot.ts';
import {
  cellText,
  columnsOf,
  type CsvCell,
  type CsvRow,
  type CsvTable,
  firstLanguage,
  keyOf,
  type LanguageColumns,
  openTable,
  rowsOf,
} from './table.ts';
import { encodeCell, styleOf } from './encode.ts';

/** The entries of one language. Edits read the rest again: keeping it would take ten times the memory of the text. */
export interface CsvTree {
  readonly entries: readonly Entry[];
}

/** A table, read in one of its languages. */
export interface TableView {
  readonly table: CsvTable;
  readonly columns: LanguageColumns;
  /** Canonical. */
  readonly locale: string;
}

/** @param wanted the language, in any spelling. Default: English, or the first column's language. */
export function viewOf(text: string, wanted: string | undefined): TableView {
  const table = openTable(text);
  const columns = columnsOf(table);
  if (!columns) {
    throw new DragomanError('unreadable_input', 'the first row has neither a key column nor a language', {
      at: { line: 1, column: 1 },
      hint: 'The first row names the columns: key,en,de',
    });
  }
  const locale = wanted === undefined ? firstLanguage(columns) : (parseLocale(wanted) ?? wanted);
  return { table, columns, locale };
}

function* keyedRows({ table, columns }: TableView): Iterable<{ readonly key: string; readonly row: CsvRow }> {
  for (const row of rowsOf(table)) {
    const key = keyOf(table.text, columns, row);
    if (key !== '') yield { key, row };
  }
}

/** The cell of a language in a row. Undefined for an empty cell, which is an untranslated text. */
export function textCell(text: string, row: CsvRow, column: number | undefined): CsvCell | undefined {
  const cell = column === undefined ? undefined : row.cells[column];
  return cell && cellText(text, cell) !== '' ? cell : undefined;
}

/** Reads one language of a table: the one in the options; by default English, or the first column's. */
export function scan(
  text: string,
  { locale: wanted, encodable, messages }: ScanOptions = {},
): Document<CsvTree> {
  const view = viewOf(text, wanted);
  const { table, columns, locale } = view;
  const own = columns.languages.get(locale);
  const style = styleOf(table, encodable);
  const writer: TextWriter<boolean> = {
    text,
    write: (value, _raw, isQuoted) => encodeCell(value, style, isQuoted),
  };
  const slots: TextSlot<boolean>[] = [];
  for (const { key, row } of keyedRows(view)) {
    const cell = textCell(text, row, own?.column);
    if (!cell) continue;
    const comment = noteOf(text, columns, row);
    const found = { key: [key], value: cellText(text, cell), span: cell, comment };
    slots.push(new TextSlot(writer, found, cell.isQuoted));
  }
  applyDialect(slots, messages);
  return makeDocument(
    {
      text,
      slots,
      dialect: 'CSV',
      // Set even if the language has no column yet, because edits may add one.
      locale: own?.spelling ?? locale,
      // Warnings concern the file, so only its first language reports them.
      warnings: locale === firstLanguage(columns) ? duplicatesIn(view) : [],
    },
    treeReader(locale),
  );
}

/** A separate function, so that the closure it returns does not keep the scan's data alive. */
function treeReader(locale: string): (text: string) => CsvTree {
  return (text) => {
    const view = viewOf(text, locale);
    const column = view.columns.languages.get(locale)?.column;
    const entries: Entry[] = [];
    for (const { key, row } of keyedRows(view)) {
      const cell = textCell(text, row, column);
      if (cell) entries.push({ key: [key], span: { start: cell.start, end: cell.end } });
    }
    return { entries };
  };
}

function noteOf(text: string, { notes }: LanguageColumns, { cells }: CsvRow): string | undefined {
  const texts = notes.flatMap((column) => {
    const cell = cells[column];
    return (cell && cellText(text, cell).trim()) || [];
  });
  return texts.length > 0 ? texts.join('\n') : undefined;
}

function duplicatesIn(view: TableView): readonly DocumentWarning[] {
  const keys = new DuplicateKeys();
  for (const { key, row } of keyedRows(view)) keys.add([key], row.cells[0]?.start ?? row.end);
  return keys.warnings;
}
