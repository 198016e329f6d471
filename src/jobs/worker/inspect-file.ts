import { DragomanError } from '../../base/errors.ts';
import { sampleTexts } from '../../languages/detection.ts';
import { LOCALIZATION_FILES } from '../../documents/localization/translate-file.ts';
import { messageKeys } from '../../documents/localization/pairing.ts';
import { openBytes, openFile, readInput, type OpenFile } from '../../documents/localization/open-file.ts';
import { requireFewMarks } from './marks.ts';
import { describeFormat } from '../../formats/registry.ts';
import { hasWords } from '../../text/words.ts';
import type { Inspection, InspectTask } from './tasks.ts';

/**
 * Decodes and scans an uploaded file, with all limits of its format, and counts its keys.
 *
 * @throws DragomanError `unreadable_input` or `limit_exceeded`, with the place in the file as the client named it.
 */
export async function inspectFile({ source, sample }: InspectTask): Promise<Inspection> {
  const file = await naming(source, async ({ path, format, language }) => {
    const bytes = await readInput(path);
    requireFewMarks(bytes, describeFormat(format));
    return openBytes(bytes, path, { format, locale: language, isUpload: true });
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

/** Opens a file under the name that the client gave it. */
export function openNamed(source: Source): Promise<OpenFile> {
  return naming(source, ({ path, format, language }) => openFile(path, { format, locale: language }));
}

/** Messages of what fails name the file as the client does, and do not show its path. */
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
