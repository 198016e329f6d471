import { DragomanError } from '../../base/errors.ts';
import { startOfText } from '../lines.ts';
import { cellText, openTable, readRow, rowsOf, type CsvCell, type CsvRow } from './table.ts';

/** A row of a table, as the texts of its cells. */
export interface CsvRecord {
  readonly cells: readonly string[];
  readonly places: readonly CsvCell[];
  /** The line where the row begins, from 1. */
  readonly line: number;
}

/**
 * The header and rows of a table, without empty lines.
 *
 * @throws DragomanError `unreadable_input` with the line for quotes that do not match
 */
export function* recordsOf(
  text: string,
  delimiter = openTable(text).delimiter,
  firstLine = 1,
): Generator<CsvRecord> {
  let line = firstLine;
  let counted = 0;
  try {
    const header = readRow(text, firstLine === 1 ? startOfText(text) : 0, delimiter);
    for (const row of allRows(text, delimiter, header)) {
      const [first] = row.cells;
      const start = first?.start ?? row.end;
      line += linesIn(text.slice(counted, start));
      counted = start;
      if (row.end === start) continue;
      // Programs disagree about quotes inside unquoted cells.
      if (row.cells.some((cell) => !cell.isQuoted && cellText(text, cell).includes('"')))
        throw new DragomanError('unreadable_input', 'a quote in a cell without quotes', {
          at: { line: line - firstLine + 1, column: 1 },
        });
      yield { cells: row.cells.map((cell) => cellText(text, cell)), places: row.cells, line };
    }
  } catch (cause) {
    if (!(cause instanceof DragomanError) || cause.code !== 'unreadable_input') throw cause;
    throw new DragomanError('unreadable_input', 'the quotes of a cell do not match', {
      at: { line: firstLine + (cause.at?.line ?? 1) - 1, column: 1 },
      hint: 'Put a cell with quotes or separators in quotes, and double its own quotes.',
      cause,
    });
  }
}

function* allRows(text: string, delimiter: string, header: CsvRow): Generator<CsvRow> {
  yield header;
  yield* rowsOf({ text, delimiter, header });
}

/**
 * Same as {@link recordsOf}, for a text that arrives in pieces.
 *
 * @throws DragomanError `limit_exceeded` for a row of more than `most` characters
 */
export async function* recordsIn(texts: AsyncIterable<string>, most: number): AsyncGenerator<CsvRecord> {
  let rest = '';
  let line = 1;
  let delimiter: string | undefined;
  let isQuoted = false;
  for await (const piece of texts) {
    // A row ends at a line end outside quotes. The line feed of a CRLF may arrive in the next piece.
    let whole = 0;
    for (const { 0: sign, index } of piece.matchAll(/"|\n|\r(?=[^])/g)) {
      if (sign === '"') isQuoted = !isQuoted;
      else if (!isQuoted) whole = index + 1;
    }
    if (whole > 0) {
      const rows = rest + piece.slice(0, whole);
      delimiter ??= openTable(rows).delimiter;
      yield* recordsOf(rows, delimiter, line);
      line += linesIn(rows);
      rest = piece.slice(whole);
    } else rest += piece;
    if (rest.length > most)
      throw new DragomanError('limit_exceeded', `a line has more than ${most} characters`, {
        at: { line, column: 1 },
      });
  }
  yield* recordsOf(rest, delimiter, line);
}

function linesIn(text: string): number {
  return text.match(/\r\n?|\n/g)?.length ?? 0;
}
