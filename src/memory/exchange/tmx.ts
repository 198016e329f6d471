import type { NewEntry } from '../stored-memory.ts';
import type { ImportOptions } from './exchange.ts';
import { readUnits } from './tmx-reader.ts';
import { entriesOf } from './tmx-unit.ts';
import type { Chunks } from './text-stream.ts';

/**
 * The translations in a TMX file, from version 1.1 to 1.4b, of any tool: a piece at a time, however large it is.
 * Inline elements are placeholders; placeholders that stand in the text are found as in a file of plain texts.
 *
 * @throws DragomanError as `readUnits`, with line and column; what was read before it stands.
 */
export async function* readTmx(chunks: Chunks, options: ImportOptions): AsyncGenerator<NewEntry> {
  for await (const unit of readUnits(chunks)) {
    for (const entry of entriesOf(unit, options)) {
      if ('reason' in entry) options.onSkip(entry);
      else yield entry;
    }
  }
}
