import { DragomanError } from '../../base/errors.ts';
import { recordsIn } from '../../formats/csv/records.ts';
import type { MemoryOrigin } from '../../pipeline/memory.ts';
import type { NewEntry } from '../stored-memory.ts';
import { readContext } from './context-name.ts';
import { readColumns, type FieldColumns } from './csv-columns.ts';
import type { MemoryImportOptions } from './exchange.ts';
import { decodeChunks, type Chunks } from './text-stream.ts';
import { entryOf, isSkip } from './translation-entry.ts';

const MAX_RECORD = 4_000_000;

/**
 * The translations in a table: RFC 4180, with a first line of language codes, and optional columns for context, origin,
 * plural category and engine. The first line shows whether commas, semicolons or tabs separate cells. Every cell is
 * text, even one that a spreadsheet would evaluate.
 *
 * @throws DragomanError `unreadable_input` or `limit_exceeded` with the line, `usage` like `readColumns`
 */
export async function* readCsv(chunks: Chunks, options: MemoryImportOptions): AsyncGenerator<NewEntry> {
  let columns: FieldColumns | undefined;
  for await (const { cells, line } of recordsIn(decodeChunks(chunks), MAX_RECORD)) {
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
  options: MemoryImportOptions,
): Generator<NewEntry> {
  const at = { line, column: 1 };
  const cell = (index: number): string => cells[index] ?? '';
  const context = readContext(cell(columns.context));
  const origin = originOf(cell(columns.origin).trim(), options.origin);
  if (context === undefined || origin === undefined) {
    const detail =
      context === undefined ? 'its context is not a JSON array' : 'its origin is neither human nor machine';
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
