import { DragomanError } from '../../base/errors.ts';
import { splice, type Edit } from '../../base/span.ts';
import { deriveDocument } from '../../formats/document.ts';
import type { Document } from '../../formats/format.ts';
import { readsAs } from '../../formats/render.ts';
import type { OpenFile } from './open-file.ts';

/** Makes edits when it is called: who passes a list keeps it while the result is scanned, and it weighs as the file. */
type MakeEdits = () => readonly Edit[];

/**
 * Structure edits and the scan that proves them.
 *
 * @param locale canonical: what the result is scanned as
 * @throws DragomanError `integrity` when the edits would break the file
 */
export function restructure(
  file: OpenFile,
  document: Document,
  makeEdits: MakeEdits,
  locale: string,
): Document {
  const text = editedText(document, makeEdits);
  return text === undefined ? document : scanEdited(file, text, locale);
}

/**
 * As {@link restructure}, for a file that becomes one of another language. A bilingual file often only names the language:
 * then the result has the slots of the document.
 */
export function retargetDocument(
  file: OpenFile,
  document: Document,
  makeEdits: MakeEdits,
  locale: string,
): Document {
  const edited = editHead(file, document, makeEdits, locale);
  return typeof edited === 'string' ? scanEdited(file, edited, locale) : edited;
}

/** The document with its pending edits made. */
export function settle(file: OpenFile, document: Document, locale: string): Document {
  return document.pending ? restructure(file, document, () => document.pending ?? [], locale) : document;
}

function editedText({ text }: Document, makeEdits: MakeEdits): string | undefined {
  const edits = makeEdits();
  return edits.length === 0 ? undefined : splice(text, edits);
}

/** The document whose edits are pending, where its slots are those of the edited text; else that text. */
function editHead(
  { format, scanOptions }: OpenFile,
  document: Document,
  makeEdits: MakeEdits,
  locale: string,
): Document | string {
  const edits = makeEdits();
  // What was pending made the text one of another language, which this is not.
  if (edits.length === 0) return document.pending ? deriveDocument(document, {}) : document;
  const text = splice(document.text, edits);
  const first = document.slots[0]?.span.start ?? 0;
  const isHead = format.bilingual !== undefined && edits.every(({ span }) => span.end < first);
  if (!isHead || !readsAs(format, text, document.slots, { ...scanOptions, locale })) return text;
  return deriveDocument(document, { pending: edits });
}

function scanEdited({ format, scanOptions, path }: OpenFile, text: string, locale: string): Document {
  try {
    return format.scan(text, { ...scanOptions, locale });
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    throw new DragomanError('integrity', `editing the entries would break the file: ${error.message}`, {
      at: { line: 1, column: 1, ...error.at, file: path },
      cause: error,
    });
  }
}
