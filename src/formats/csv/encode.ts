import { DragomanError } from '../../base/errors.ts';
import { rowsOf, type CsvRow, type CsvTable } from './table.ts';

/** How the cells of a table are written. */
export interface CellStyle {
  readonly delimiter: string;
  /** Whether every cell is quoted, even if it needs no quotes. */
  readonly quotesAll: boolean;
  readonly encodable: (text: string) => boolean;
}

export function styleOf(table: CsvTable, encodable: (text: string) => boolean = () => true): CellStyle {
  return { delimiter: table.delimiter, quotesAll: table.text !== '' && !hasBareCell(table), encodable };
}

function hasBareCell(table: CsvTable): boolean {
  if (isBare(table.header)) return true;
  for (const row of rowsOf(table)) if (isBare(row)) return true;
  return false;
}

function isBare({ cells }: CsvRow): boolean {
  return cells.some(({ start, end, isQuoted }) => end > start && !isQuoted);
}

/** @throws DragomanError `unencodable_value` for an empty text, because an empty cell means "not translated" */
export function encodeCell(
  value: string,
  { delimiter, quotesAll, encodable }: CellStyle,
  isQuoted: boolean,
): string {
  if (value === '') throw new DragomanError('unencodable_value', 'an empty cell is a missing translation');
  if (!encodable(value))
    throw new DragomanError('unencodable_value', 'the encoding of the file cannot hold the text', {
      hint: 'Convert the file to UTF-8.',
    });
  const needsQuotes =
    quotesAll || isQuoted || value.includes(delimiter) || /["\r\n]/.test(value) || value.trim() !== value;
  return needsQuotes ? `"${value.replaceAll('"', '""')}"` : value;
}
