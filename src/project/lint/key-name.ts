import type { Key } from '../../formats/format.ts';
import { writePath } from '../../formats/key-text.ts';
import { describeFormat, type FormatId } from '../../formats/registry.ts';

/**
 * A key in the notation of its file: what people search for there.
 *
 * @param categories of the plural forms that are meant
 */
export function nameKey(key: Key, format: FormatId, categories: readonly string[] = []): string {
  const { writeKey = writePath } = describeFormat(format);
  const forms = categories.length === 0 ? '' : ` [${categories.join(', ')}]`;
  return writeKey(key) + forms;
}
