import { DragomanError } from '../../base/errors.ts';
import { sampleTexts } from '../../languages/detection.ts';
import { LOCALIZATION_FILES } from '../../documents/localization/translate-file.ts';
import { messageKeys } from '../../documents/localization/pairing.ts';
import { openBytes, openFile, readInput, type OpenFile } from '../../documents/localization/open-file.ts';
import { describeFormat } from '../../formats/registry.ts';
import { hasWords } from '../../text/words.ts';
import type { Inspection, InspectTask } from './tasks.ts';
import type { FormatDescription } from '../../formats/description.ts';

/**
 * Decodes and scans an uploaded file within all limits of its format, and counts its keys.
 *
 * @throws DragomanError `unreadable_input` or `limit_exceeded`, with the position in the file under the client's file
 * name
 */
export async function inspectFile({ source, sample }: InspectTask): Promise<Inspection> {
  const file = await naming(source, async ({ path, format, language }) => {
    const bytes = await readInput(path);
    const description = describeFormat(format);
    requireFewMarks(bytes, description);
    return openBytes(bytes, path, { format: description, locale: language, isUpload: true });
  });
  file.format.requireBounded?.(file.document);
  const texts = file.document.slots.map((slot) => slot.source ?? slot.value);
  const declared = LOCALIZATION_FILES.languageOf(file);
  return {
    totalKeys: messageKeys(file.document).size,
    declared,
    sample: sample && declared === undefined ? sampleTexts(texts) : [],
    hasWords: texts.some(hasWords),
  };
}

type Source = InspectTask['source'];

/** Opens a file under the client's file name. */
export function openNamed(source: Source): Promise<OpenFile> {
  return naming(source, ({ path, format, language }) =>
    openFile(path, { format: describeFormat(format), locale: language }),
  );
}

/** Makes error messages use the client's file name instead of the path. */
async function naming(source: Source, open: (source: Source) => Promise<OpenFile>): Promise<OpenFile> {
  const { path, filename } = source;
  try {
    return await open(source);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    const at = error.at && { ...error.at, file: filename };
    throw new DragomanError(error.code, error.message.replaceAll(path, filename), { hint: error.hint, at });
  }
}

/**
 * The maximum number of marks in an upload. Ten megabytes of ordinary entries have 300,000 to 580,000; reading 700,000
 * takes at most two seconds and 500 megabytes.
 */
export const MAX_MARKS = 700_000;

/** The marks of placeholders and ICU messages, in any format. */
const MESSAGE_MARKS = '{,';

const [TAG, SLASH, TAG_END] = [0x3c, 0x2f, 0x3e];
const RETURN = 0x0d;
const FEED = 0x0a;

/**
 * Counts the characters that divide a file into pieces, before the file is parsed. This limits uploads only: a user's
 * own file may take any time.
 *
 * @throws DragomanError `limit_exceeded`
 */
export function requireFewMarks(bytes: Uint8Array, { title, marks: own = '' }: FormatDescription): void {
  if (bytes.length <= MAX_MARKS) return;
  const marks = own + MESSAGE_MARKS;
  const isMark = new Uint8Array(256);
  for (const mark of marks) isMark[mark.charCodeAt(0)] = 1;
  // A self-closing element takes as much work as one with two tags.
  const hasTags = isMark[TAG] === 1;
  let count = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    count += isMark[byte] ?? 0;
    if (byte === RETURN && bytes[i + 1] === FEED) i++;
    else if (hasTags && byte === SLASH && bytes[i + 1] === TAG_END) count++;
  }
  if (count <= MAX_MARKS) return;
  const names = Array.from(marks, (mark) => (mark < ' ' ? 'line ends' : mark));
  const shown = [...new Set(hasTags ? ['/>', ...names] : names)].join(' ');
  throw new DragomanError(
    'limit_exceeded',
    `this ${title} file has ${count.toLocaleString('en')} marks (${shown}); the limit for uploads is ${MAX_MARKS.toLocaleString('en')}`,
    { hint: 'Divide it into several files.' },
  );
}
