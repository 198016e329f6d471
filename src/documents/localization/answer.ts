import { DragomanError } from '../../base/errors.ts';
import { type Document, isGuess, type Slot } from '../../formats/format.ts';
import { openBytes, type OpenFile } from './open-file.ts';
import { messageKeys, messageOf, pairWith, type SlotId, slotIds } from './pairing.ts';

/**
 * Reads a translated file in the dialect of its original, because its own language declaration may be wrong.
 *
 * @throws DragomanError `contract_violation`
 */
export async function openAnswer(
  source: OpenFile,
  bytes: Uint8Array,
  path: string,
  target: string,
): Promise<OpenFile> {
  const { messages } = source.scanOptions;
  const options = { format: source.format, source: source.document, messages };
  try {
    const file = await openBytes(bytes, path, { ...options, locale: target });
    if (file.document.dialect === source.document.dialect) return file;
    const other = await openBytes(bytes, path, { ...options, locale: source.scanOptions.locale });
    return other.document.dialect === source.document.dialect ? other : file;
  } catch (cause) {
    if (!(cause instanceof DragomanError)) throw cause;
    throw new DragomanError(
      'contract_violation',
      `the service's translation of ${source.path} into ${target} cannot be read: ${cause.message}`,
      { cause },
    );
  }
}

/**
 * Finds the values of a translated file for the slots of a skeleton: with the same key and plural form, or the form
 * that replaces a missing one. Undefined for values that are untranslated or in a different notation.
 *
 * @param locale canonical: the language of the file
 */
export function answersIn(answer: Document, locale: string): (slot: Slot, id: SlotId) => string | undefined {
  const ids = slotIds(answer);
  const byId = new Map(answer.slots.map((slot, i) => [ids[i] ?? '', slot]));
  const pair = pairWith(answer, { locale, preferCarriedSource: false });
  return (slot, id) => {
    const found = byId.get(id) ?? pair(slot, id)?.slot;
    if (!found || found.value === '' || isGuess(found)) return undefined;
    return found.syntax === slot.syntax ? found.value : undefined;
  };
}

/** Whether a translated file shares a key with its source; true for a source without keys. */
export function sharesKeys(source: Document, answer: Document): boolean {
  const keys = messageKeys(source);
  return keys.size === 0 || answer.slots.some((slot) => keys.has(messageOf(slot)));
}
