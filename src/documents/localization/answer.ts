import { DragomanError } from '../../base/errors.ts';
import { positionsIn } from '../../base/span.ts';
import type { Document, Key, Slot } from '../../formats/format.ts';
import { render } from '../../formats/render.ts';
import { addsControls } from '../../pipeline/engine-call.ts';
import { openBytes, type OpenFile } from './open-file.ts';
import { keyId, pairWith, slotIds } from './pairing.ts';
import { verify } from '../../text/verify.ts';

/** What a translated value was made of. */
export interface ForeignSource {
  /** The texts of all forms, of which a form may have the placeholders of any. */
  readonly texts: readonly string[];
  readonly syntax: Slot['syntax'];
}

/** A value of a downloaded file that is no sound translation, with its place in the file. */
export interface Unsound {
  readonly key: Key;
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

export interface Examined {
  /** As they came, but for unsound values: these have their source text, or none where the format falls back itself. */
  readonly bytes: Uint8Array;
  readonly unsound: readonly Unsound[];
}

/**
 * Examines a translated file beside its original: what a service translated is no more believed than what an engine
 * answers. Structure and notation are the service's.
 *
 * @param path where the file goes; its name says nothing to the format
 * @param target canonical
 * @throws DragomanError `contract_violation` for a file that cannot be read.
 */
export async function examineTranslation(
  source: OpenFile,
  bytes: Uint8Array,
  path: string,
  target: string,
): Promise<Examined> {
  const file = await openAnswer(source, bytes, path, target);
  const { document } = file;
  const positionOf = positionsIn(document.text);
  const sourceOf = pairWith(source.document, { locale: target });
  const formsOf = carriedForms(document);
  const values = new Map<number, string>();
  const unsound: Unsound[] = [];
  let forms: ReadonlyMap<string, readonly number[]> | undefined;
  const ids = slotIds(document);
  for (const [i, slot] of document.slots.entries()) {
    if (slot.value === '') continue;
    const from = sourceOf(slot, ids[i] ?? '');
    const sources = formsOf(slot) ?? from?.forms ?? (from && [from.text]);
    if (!sources || sources.includes(slot.value)) continue;
    const reason = problemOf(slot, { texts: sources, syntax: from?.slot.syntax ?? slot.syntax }, target);
    if (reason === undefined) continue;
    unsound.push({ key: slot.key, ...positionOf(slot.span.start), reason });
    if (slot.source === undefined) values.set(i, from?.text ?? '');
    else
      for (const one of (forms ??= formsByMessage(document)).get(messageOf(slot)) ?? []) values.set(one, '');
  }
  unsound.push(...keyDifferences(source.document, document));
  if (values.size === 0) return { bytes, unsound };
  const { text } = render(file.format, document, values, file.scanOptions);
  return { bytes: file.encode(text), unsound };
}

/**
 * What is wrong with the value of a translated file; undefined: it is a sound translation of its source.
 *
 * @param target canonical
 */
export function problemOf(
  { value, syntax }: Pick<Slot, 'value' | 'syntax'>,
  source: ForeignSource,
  target: string,
): string | undefined {
  if (syntax !== source.syntax) return 'the translated file has the key in another notation';
  if (!value.isWellFormed() || source.texts.every((text) => addsControls(text, value)))
    return 'the translation has characters that no text has';
  return verify(source.texts, value, { syntax, locale: target })[0]?.detail;
}

/**
 * Reads a translated file as its original was: a file may name another language than the one it was said to be in, and
 * keys are those of a dialect.
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
  const options = { format: source.format.id, source: source.document, messages };
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

/** A PO entry carries its sources: each of its forms may have the placeholders of any. */
function carriedForms({ slots }: Document): (slot: Slot) => readonly string[] | undefined {
  const groups = new Map<string, string[]>();
  for (const { plural, source } of slots) {
    if (!plural || source === undefined) continue;
    const group = keyId(plural.group);
    groups.set(group, [...(groups.get(group) ?? []), source]);
  }
  return ({ plural, source }) => {
    if (source === undefined) return undefined;
    return plural ? groups.get(keyId(plural.group)) : [source];
  };
}

/** Places of slots by message: a plural of gettext has all of its forms or none, and falls back as a whole. */
function formsByMessage({ slots }: Document): ReadonlyMap<string, readonly number[]> {
  const forms = new Map<string, number[]>();
  for (const [i, slot] of slots.entries()) {
    const places = forms.get(messageOf(slot));
    if (places) places.push(i);
    else forms.set(messageOf(slot), [i]);
  }
  return forms;
}

function messageOf({ plural, key }: Slot): string {
  return keyId(plural?.group ?? key);
}

/** Keys are the program's: none may be lost on the way. What is more does no harm. */
function keyDifferences(source: Document, target: Document): readonly Unsound[] {
  const present = new Set(target.slots.map(messageOf));
  const missing = new Map(
    source.slots.filter((slot) => !present.has(messageOf(slot))).map((slot) => [messageOf(slot), slot]),
  );
  return [...missing.values()].map(({ plural, key }) => {
    return { key: plural?.group ?? key, line: 1, column: 1, reason: 'the key is missing' };
  });
}
