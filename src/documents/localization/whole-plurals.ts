import { DragomanError } from '../../base/errors.ts';
import type { Document, Slot } from '../../formats/format.ts';
import { keyId, slotIds, type SlotId } from './pairing.ts';
import { buildTarget, makeSkeleton, type Target, type TargetInput } from './target.ts';
import type { OpenFile } from './open-file.ts';
import { splice } from '../../base/span.ts';
import { addTo } from '../../base/map-of-lists.ts';

/**
 * Builds the target's file like `buildTarget`, but leaves no plural partly translated if that would be visible:
 * the values that it omits count as rejected. With `toUtf8`, a file whose charset cannot represent the values is
 * converted.
 *
 * @throws DragomanError `integrity` if a rendering does not read back: nothing may be written then
 */
export function buildWholePlurals(input: TargetInput): Target {
  const file = input.existing ?? input.source;
  if (input.toUtf8 !== true || !isConvertible(file)) return buildWhole(input);
  const built = buildEncodable(input);
  if (built && ![...built.rejected.values()].some(isUnencodable)) return built;
  try {
    const converted = convertToUtf8(file);
    const target = buildWhole(
      input.existing
        ? { ...input, existing: converted }
        : { ...input, source: converted, skeleton: makeSkeleton(converted, input) },
    );
    return withRejected(target, target.rejected, file.encoding.charset);
  } catch (error) {
    if (!built || !(error instanceof DragomanError) || !isUnencodable(error)) throw error;
    // Values that the charset can represent are still written.
    const rejected = [...built.rejected].map(
      ([id, reason]) => [id, isUnencodable(reason) ? error : reason] as const,
    );
    return withRejected(built, new Map(rejected));
  }
}

/** Undefined if the file as a whole cannot be encoded. */
function buildEncodable(input: TargetInput): Target | undefined {
  try {
    return buildWhole(input);
  } catch (error) {
    if (isUnencodable(error)) return undefined;
    throw error;
  }
}

function isUnencodable(error: unknown): boolean {
  return error instanceof DragomanError && error.code === 'unencodable_value';
}

/** Replaces the rejected texts of a target, whose document is still scanned on first use. */
function withRejected(target: Target, rejected: Target['rejected'], convertedFrom?: string): Target {
  return {
    get document() {
      return target.document;
    },
    bytes: target.bytes,
    rejected,
    standing: target.standing,
    convertedFrom,
  };
}

function buildWhole(input: TargetInput): Target {
  const { skeleton, existing } = input;
  const built = buildTarget(input);
  if (!skeleton.slots.some(leavesEmptyForms)) return built;
  const isWritten = (id: SlotId): boolean => input.values.has(id) && !built.rejected.has(id);
  // A marked translation is not displayed.
  const isMarked = (id: SlotId): boolean => input.marked?.has(id) === true;
  const halves = new Set(findHalfPlurals(skeleton, existing?.document, isWritten, isMarked));
  if (halves.size === 0) return built;
  const values = new Map([...input.values].filter(([id]) => isWritten(id) && !halves.has(id)));
  const whole = buildTarget({ ...input, values });
  const rejected = new Map([...built.rejected, ...whole.rejected]);
  for (const id of halves)
    rejected.set(id, new DragomanError('integrity', 'another form of the plural has no translation'));
  return withRejected(whole, rejected);
}

/**
 * Values of plurals that would be partly translated, in formats that leave an untranslated form empty (PO): gettext
 * considers a message with its first form translated and displays nothing for the others; a fuzzy entry loses its flag
 * with the first new form, and its guesses would count as translations. Such plurals are written completely or not at
 * all.
 */
function findHalfPlurals(
  skeleton: Document,
  existing: Document | undefined,
  isWritten: (id: SlotId) => boolean,
  isMarked: (id: SlotId) => boolean,
): readonly SlotId[] {
  const groups = new Map<string, SlotId[]>();
  const ids = slotIds(skeleton);
  for (const [i, slot] of skeleton.slots.entries()) {
    const { key, plural } = slot;
    if (!plural || !leavesEmptyForms(slot)) continue;
    const id = ids[i] ?? '';
    // Duplicates of a message are separate plurals.
    const group = `${keyId(plural.group)}${id.slice(keyId(key).length)}`;
    addTo(groups, group, id);
  }
  if (groups.size === 0) return [];
  const standing = existing ? translatedIn(existing) : new Set<SlotId>();
  return [...groups.values()].flatMap((forms) => {
    const whole = forms.every(isWritten) || forms.some((id) => standing.has(id) || isMarked(id));
    return whole ? [] : forms.filter(isWritten);
  });
}

function leavesEmptyForms({ plural, value }: Slot): boolean {
  return plural !== undefined && value === '';
}

function translatedIn(document: Document): ReadonlySet<SlotId> {
  const ids = slotIds(document);
  return new Set(
    document.slots.flatMap(({ value, provisional, review }, i) =>
      value !== '' && !provisional && !review ? [ids[i] ?? ''] : [],
    ),
  );
}

/** Whether a file can be converted to UTF-8: it has another charset, and its format can declare UTF-8. */
function isConvertible({ format, encoding }: OpenFile): boolean {
  return format.toUtf8 !== undefined && !encoding.charset.startsWith('utf-');
}

/**
 * The file converted to UTF-8, with its declaration.
 *
 * @throws DragomanError `unencodable_value` for a file whose texts cannot be converted
 */
function convertToUtf8(file: OpenFile): OpenFile {
  const { format, path, document } = file;
  try {
    const edits = format.toUtf8?.(document) ?? [];
    const scanOptions = { ...file.scanOptions, encodable: (text: string) => text.isWellFormed() };
    return {
      ...file,
      document: format.scan(splice(document.text, edits), scanOptions),
      template: undefined,
      scanOptions,
      encoding: { charset: 'utf-8', bom: false },
      encode: (text) => Buffer.from(text, 'utf8'),
    };
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(path) : error;
  }
}
