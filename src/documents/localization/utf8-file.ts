import type { OpenFile } from './open-file.ts';
import { DragomanError } from '../../base/errors.ts';
import { splice } from '../../base/span.ts';

/** Whether a file can be turned into UTF-8: it is in another charset, and its format knows where it declares that. */
export function isConvertible({ format, encoding }: OpenFile): boolean {
  return format.toUtf8 !== undefined && !encoding.charset.startsWith('utf-');
}

/**
 * The same file in UTF-8: its declaration says so, and it can hold every character.
 *
 * @throws DragomanError `unencodable_value` for a file whose texts cannot be converted
 */
export function convertToUtf8(file: OpenFile): OpenFile {
  const { format, path, document } = file;
  try {
    const edits = format.toUtf8?.(document) ?? [];
    const scanOptions = { ...file.scanOptions, encodable: (text: string) => text.isWellFormed() };
    return {
      ...file,
      document: format.scan(splice(document.text, edits), scanOptions),
      scanOptions,
      encoding: { charset: 'utf-8', bom: false },
      encode: (text) => Buffer.from(text, 'utf8'),
    };
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(path) : error;
  }
}
