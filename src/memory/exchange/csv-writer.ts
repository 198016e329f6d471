import { stringify } from 'csv-stringify/sync';
import type { StoredEntry } from '../stored-memory.ts';
import { nameContext } from './context-name.ts';
import { EXTRA_COLUMNS } from './csv-columns.ts';
import type { PairExportOptions } from './exchange.ts';
import { describeUnwritable, valuesOf } from './notation.ts';

/**
 * Writes a table according to RFC 4180, in UTF-8: source, target, context, origin, plural category, engine; the
 * language codes name the first two columns. Values are written unchanged, even if a spreadsheet reads them as
 * formulas. Entries that would not read back the same are skipped and reported.
 */
export async function* writeCsv(
  entries: AsyncIterable<StoredEntry>,
  { pair, onSkip }: PairExportOptions,
): AsyncGenerator<string> {
  yield line([pair.source, pair.target, ...EXTRA_COLUMNS]);
  for await (const entry of entries) {
    const values = valuesOf(entry);
    if (values) {
      const { context, origin, category, engine = '' } = entry;
      yield line([values.source, values.target, nameContext(context), origin, category, engine]);
    } else {
      onSkip({ reason: 'unwritable', detail: describeUnwritable(entry) });
    }
  }
}

function line(cells: readonly string[]): string {
  return stringify([cells], { record_delimiter: '\r\n', quoted_match: /[\r\n]|^\s|\s$/ });
}
