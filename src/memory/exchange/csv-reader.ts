import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { DragomanError } from '../../base/errors.ts';
import type { MemoryOrigin } from '../../pipeline/memory.ts';
import type { NewEntry } from '../stored-memory.ts';
import { readContext } from './context-name.ts';
import { readColumns, type FieldColumns } from './csv-columns.ts';
import type { ImportOptions } from './exchange.ts';
import { decodeChunks, type Chunks } from './text-stream.ts';
import { entryOf, isSkip } from './translation-entry.ts';

const MAX_RECORD = 4_000_000;

/**
 * The translations in a table: RFC 4180, with a first line of language codes, and columns for context, origin, plural
 * category and engine where there are any. Semicolons and tabs separate where the first line has them and no comma.
 * Every cell is text, also one that a spreadsheet would compute.
 *
 * @throws DragomanError `unreadable_input` or `limit_exceeded` with the line, `usage` as `readColumns`.
 */
export async function* readCsv(chunks: Chunks, options: ImportOptions): AsyncGenerator<NewEntry> {
  let columns: FieldColumns | undefined;
  for await (const { cells, line } of readRecords(chunks)) {
    if (!columns) {
      columns = readColumns(cells, options);
      continue;
    }
    yield* entriesOf(cells, line, columns, options);
  }
  if (!columns) throw new DragomanError('unreadable_input', 'the file is empty');
}

function* entriesOf(
  cells: readonly string[],
  line: number,
  columns: FieldColumns,
  options: ImportOptions,
): Generator<NewEntry> {
  const at = { line, column: 1 };
  const cell = (index: number): string => cells[index] ?? '';
  const context = readContext(cell(columns.context));
  const origin = originOf(cell(columns.origin).trim(), options.origin);
  if (context === undefined || origin === undefined) {
    const detail =
      context === undefined ? 'its context is no JSON array' : 'its origin is neither human nor machine';
    options.onSkip({ reason: 'damaged', detail, at });
    return;
  }
  for (const { index, locale } of columns.targets) {
    const entry = entryOf({
      source: cell(columns.source.index),
      target: cell(index),
      syntax: 'plain',
      pair: { source: columns.source.locale, target: locale },
      context,
      category: cell(columns.category).trim(),
      origin,
      engine: cell(columns.engine) || undefined,
    });
    if (isSkip(entry)) options.onSkip({ ...entry, at });
    else yield entry;
  }
}

function originOf(cell: string, otherwise: MemoryOrigin): MemoryOrigin | undefined {
  if (cell === '') return otherwise;
  return cell === 'human' || cell === 'machine' ? cell : undefined;
}

interface TableRecord {
  readonly cells: readonly string[];
  /** On which it begins. */
  readonly line: number;
}

async function* readRecords(chunks: Chunks): AsyncGenerator<TableRecord> {
  const texts = decodeChunks(chunks);
  const { start, delimiter } = await readStart(texts);
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD,
  });
  // What goes wrong reaches the parser, and with it whoever reads it.
  const feeding = pipeline(Readable.from(joined(start, texts)), parser).catch(() => undefined);
  let lines = 0;
  try {
    const records: AsyncIterable<{
      readonly record: readonly string[];
      readonly info: { readonly lines: number };
    }> = parser;
    for await (const { record, info } of records) {
      yield { cells: record, line: lines + 1 };
      lines = info.lines;
    }
  } catch (error) {
    throw error instanceof CsvError ? errorOf(error, lines + 1) : error;
  } finally {
    parser.destroy();
    await feeding;
  }
}

async function* joined(start: string, texts: AsyncIterable<string>): AsyncGenerator<string> {
  if (start !== '') yield start;
  yield* texts;
}

/** The text up to the end of the first line, which shows what separates the columns. */
async function readStart(texts: AsyncGenerator<string>): Promise<{ start: string; delimiter: string }> {
  let start = '';
  for (let next = await texts.next(); !next.done; next = await texts.next()) {
    start += next.value;
    if (/[\r\n]/.test(start) || start.length > MAX_RECORD) break;
  }
  const line = start.split(/[\r\n]/, 1)[0] ?? '';
  const delimiter = line.includes(',') ? ',' : ([';', '\t'].find((c) => line.includes(c)) ?? ',');
  return { start, delimiter };
}

function errorOf(error: CsvError, line: number): DragomanError {
  const at = { line, column: 1 };
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return new DragomanError('limit_exceeded', `a line has more than ${MAX_RECORD} characters`, {
      at,
      cause: error,
    });
  }
  return new DragomanError('unreadable_input', 'the quotes of a cell do not match', {
    at,
    hint: 'A cell with quotes or separators stands in quotes, and its own quotes are doubled.',
    cause: error,
  });
}
