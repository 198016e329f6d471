import { DragomanError } from '../../base/errors.ts';
import { splice, type Edit } from '../../base/span.ts';
import type { Document } from '../../formats/format.ts';
import type { OpenFile } from './open-file.ts';

/**
 * Structure edits and the scan that proves them.
 *
 * @param locale canonical: what the result is scanned as
 * @throws DragomanError `integrity` when the edits would break the file
 */
export function restructure(
  file: OpenFile,
  document: Document,
  edits: readonly Edit[],
  locale: string,
): Document {
  if (edits.length === 0) return document;
  try {
    return file.format.scan(splice(document.text, edits), { ...file.scanOptions, locale });
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    throw new DragomanError('integrity', `editing the entries would break the file: ${error.message}`, {
      at: { line: 1, column: 1, ...error.at, file: file.path },
      cause: error,
    });
  }
}
