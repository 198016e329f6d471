import { DragomanError } from '../../base/errors.ts';
import { sampleTexts } from '../../languages/detection.ts';
import { LOCALIZATION_FILES } from '../../documents/localization/translate-file.ts';
import { messageKeys } from '../../documents/localization/pairing.ts';
import { openFile } from '../../documents/localization/open-file.ts';
import { hasWords } from '../../text/words.ts';
import type { Inspection, InspectTask } from './tasks.ts';

/**
 * Decodes and scans an uploaded file, with all limits of its format, and counts its keys.
 *
 * @throws DragomanError `unreadable_input` or `limit_exceeded`, with the place in the file as the client named it.
 */
export async function inspectFile({ source, sample }: InspectTask): Promise<Inspection> {
  const file = await openNamed(source);
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

/** Opens a file under the name that the client gave it, so that messages do not show its path. */
export async function openNamed({
  path,
  format,
  filename,
  language,
}: InspectTask['source']): ReturnType<typeof openFile> {
  try {
    return await openFile(path, { format, locale: language });
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    const at = error.at && { ...error.at, file: filename };
    throw new DragomanError(error.code, error.message.replaceAll(path, filename), { hint: error.hint, at });
  }
}
