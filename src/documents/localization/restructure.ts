import { DragomanError } from '../../base/errors.ts';
import { makeFromValidPart } from '../../base/sound-part.ts';
import { type Edit, splice } from '../../base/span.ts';
import { deriveDocument } from '../../formats/document.ts';
import type { Document, Entry, Key, ScanOptions, Slot } from '../../formats/format.ts';
import { EntriesByKey } from '../../formats/entry-changes.ts';
import { readsAs, sameKey } from '../../formats/render.ts';
import type { OpenFile } from './open-file.ts';
import { keyId, slotFinder, type SlotId, slotIds } from './pairing.ts';

/**
 * Creates edits on demand: a list passed as an argument would stay in memory during the scan, and takes as much memory
 * as the file.
 */
type MakeEdits = () => readonly Edit[];

/**
 * Applies structural edits and verifies them with a scan.
 *
 * @param locale canonical: the language of the result
 * @throws DragomanError `integrity` if the edits would break the file
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
 * Removes the entries of these keys. All others keep their keys and values.
 *
 * @throws DragomanError `integrity` if that is impossible
 */
function removeEntries(file: OpenFile, document: Document, keys: readonly Key[], locale: string): Document {
  const made = restructure(file, document, () => file.format.remove(document, keys), locale);
  // The check does not apply to prose, which gets its source's whole structure, or after a change of dialect, which
  // changes the strings that are texts.
  if (file.format.isProse === true || made.dialect !== document.dialect) return made;
  const gone = new Set(keys.map(keyId));
  const isBelow = (key: Key): boolean => key.some((_, i) => gone.has(keyId(key.slice(0, i + 1))));
  const isGone = ({ key, plural }: Slot): boolean =>
    isBelow(key) || (plural !== undefined && isBelow(plural.group));
  let next = 0;
  for (const slot of document.slots) {
    const twin = made.slots[next];
    if (twin && twin.value === slot.value && sameKey(twin.key, slot.key)) next++;
    else if (!isGone(slot)) next = Infinity;
  }
  if (next === made.slots.length) return made;
  throw new DragomanError('integrity', 'the entries cannot be removed without changing others');
}

/** The result of removing entries. */
interface Removal {
  readonly document: Document;
  /** The requested keys that could not be removed. */
  readonly standing: readonly Key[];
}

/** Same as {@link removeEntries}, for as many keys as possible. */
export function removeMost(
  file: OpenFile,
  document: Document,
  keys: readonly Key[],
  locale: string,
): Removal {
  if (keys.length === 0) return { document, standing: keys };
  const most = makeFromValidPart(keys, (some) => {
    try {
      return { document: removeEntries(file, document, some, locale), gone: new Set(some) };
    } catch (error) {
      if (error instanceof DragomanError && error.code === 'integrity') return undefined;
      throw error;
    }
  });
  if (!most) return { document, standing: keys };
  // In some formats, not every key can be removed on its own.
  const left =
    file.format.isProse === true ? undefined : new Set(most.document.slots.map(({ key }) => keyId(key)));
  return {
    document: most.document,
    standing: keys.filter((key) => !most.gone.has(key) || left?.has(keyId(key)) === true),
  };
}

/**
 * Same as {@link restructure}, for a file whose language changes. A bilingual file often only renames the language: the
 * result then reuses the document's slots.
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

/** The document with its pending edits applied. */
export function applyPending(file: OpenFile, document: Document, locale: string): Document {
  return document.pending ? restructure(file, document, () => document.pending ?? [], locale) : document;
}

function editedText({ text }: Document, makeEdits: MakeEdits): string | undefined {
  const edits = makeEdits();
  return edits.length === 0 ? undefined : splice(text, edits);
}

/** The document with pending edits if its slots match the edited text, otherwise that text. */
function editHead(
  file: OpenFile,
  document: Document,
  makeEdits: MakeEdits,
  locale: string,
): Document | string {
  const { format } = file;
  const edits = makeEdits();
  // The pending edits were for another language.
  if (edits.length === 0) return document.pending ? deriveDocument(document, {}) : document;
  const { slots } = document;
  const isHead =
    format.bilingual !== undefined && edits.every(({ span }) => span.end < startOfSlots(document));
  const proven = headIsProven.get(slots) ?? {
    hasPlurals: slots.some(({ plural }) => plural),
    forms: new Set(),
  };
  // Slots without plurals stay the same in every language.
  const forms = proven.hasPlurals ? format.formsOf?.(locale) : '';
  if (!isHead || forms === undefined || !proven.forms.has(forms)) {
    const text = splice(document.text, edits);
    if (!isHead || !readsAs(format, text, slots, translationOptions(file, locale))) return text;
    if (forms !== undefined) proven.forms.add(forms);
    headIsProven.set(slots, proven);
  }
  return deriveDocument(document, { pending: edits });
}

/**
 * Slots found unchanged after their file's language was renamed, with the plural categories for which this holds.
 * Rendering verifies the written text anyway.
 */
const headIsProven = new WeakMap<
  readonly Slot[],
  { readonly hasPlurals: boolean; readonly forms: Set<string> }
>();

/**
 * The start of the first slot, including text removed with its value: the flag of a fuzzy message precedes its text.
 */
function startOfSlots({ slots: [first] }: Document): number {
  return first ? Math.min(first.span.start, ...(first.companions ?? []).map(({ span }) => span.start)) : 0;
}

/**
 * The options for reading a version of the file in this language. If the file is in another language, it is the
 * version's source.
 */
export function translationOptions({ document, scanOptions }: OpenFile, locale: string): ScanOptions {
  const isMade = scanOptions.source === undefined && scanOptions.locale !== locale;
  return { ...scanOptions, locale, ...(isMade && { source: document }) };
}

function scanEdited(file: OpenFile, text: string, locale: string): Document {
  try {
    return file.format.scan(text, translationOptions(file, locale));
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    throw new DragomanError('integrity', `editing the entries would break the file: ${error.message}`, {
      at: { line: 1, column: 1, ...error.at, file: file.path },
      cause: error,
    });
  }
}

/** The entries with values that a target lacks. */
interface MissingEntries {
  readonly keys: readonly Key[];
  /** The skeleton without untranslated texts. */
  readonly skeleton: Document;
}

/** The slots that have a value. */
export type SlotIds = Pick<ReadonlySet<SlotId>, 'has'>;

export interface MissingInput {
  readonly source: OpenFile;
  readonly skeleton: Document;
  readonly target: Document;
  readonly wanted: SlotIds;
  readonly locale: string;
}

/**
 * Finds the entries to insert. Skips two kinds although they have values: list elements after a skipped one, because
 * they would take its index, and plural forms without their `other`, because programs fall back on it.
 */
export function findMissing(input: MissingInput): MissingEntries {
  const { source, target, wanted, locale } = input;
  const ids = slotIds(input.skeleton);
  const find = slotFinder(target);
  if (ids.every((id) => find(id) !== undefined)) return { keys: [], skeleton: input.skeleton };
  const skeleton = applyPending(source, input.skeleton, locale);
  const present = new Set(slotIds(target));
  const left = new Set(ids.filter((id) => !present.has(id) && !wanted.has(id)));
  const incomplete = incompletePlurals(skeleton, target, left);
  for (const [i, slot] of skeleton.slots.entries())
    if (slot.plural && incomplete.has(keyId(slot.plural.group))) left.add(ids[i] ?? '');
  const keysOf = (isAsked: (id: SlotId) => boolean): Key[] =>
    skeleton.slots.filter((_, i) => isAsked(ids[i] ?? '')).map(({ key }) => key);
  const isMissing = (id: SlotId): boolean => !present.has(id) && !left.has(id);
  if (!ids.some(isMissing)) return { keys: [], skeleton };
  if (left.size === 0) return { keys: keysOf(isMissing), skeleton };
  for (;;) {
    const anchors = anchorsIn(
      skeleton.entries,
      target.entries,
      new Set(keysOf((id) => left.has(id)).map(keyId)),
    );
    const unwanted = keysOf((id) => left.has(id)).filter((key) => !anchors.has(keyId(key)));
    const pruned = restructure(source, skeleton, () => source.format.remove(skeleton, unwanted), locale);
    // Ignores anchors, which are already left out: otherwise the loop would never end.
    const moved = renumbered(skeleton, pruned, left, anchors).filter((id) => !left.has(id));
    if (moved.length === 0) return { keys: keysOf(isMissing), skeleton: pruned };
    for (const id of moved) left.add(id);
  }
}

/**
 * Keys that are kept in the skeleton although they are not inserted, so that others can be placed: the first in each
 * container that the target has and that would otherwise be empty.
 */
function anchorsIn(
  skeleton: readonly Entry[],
  target: readonly Entry[],
  left: ReadonlySet<string>,
): ReadonlySet<string> {
  const byKey = new EntriesByKey(target);
  const anchors = new Set<string>();
  for (const { key, children } of skeleton) {
    const twin = byKey.next(key);
    if (!children || !twin?.children) continue;
    const inside = leavesOf(children);
    const first = inside[0];
    if (first !== undefined && inside.every((id) => left.has(id))) anchors.add(first);
    else for (const id of anchorsIn(children, twin.children, left)) anchors.add(id);
  }
  return anchors;
}

/** The ids of all childless entries. */
export function leavesOf(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap(({ key, children }) => (children ? leavesOf(children) : [keyId(key)]));
}

/** Plurals without any form in the target, whose `other` has no value. */
function incompletePlurals(
  skeleton: Document,
  target: Document,
  left: ReadonlySet<SlotId>,
): ReadonlySet<string> {
  const ids = slotIds(skeleton);
  const known = new Set(target.slots.map(({ plural }) => plural && keyId(plural.group)));
  const incomplete = new Set<string>();
  for (const [i, { plural, value }] of skeleton.slots.entries()) {
    if (plural?.category !== 'other' || value === '' || !left.has(ids[i] ?? '')) continue;
    const group = keyId(plural.group);
    if (!known.has(group)) incomplete.add(group);
  }
  return incomplete;
}

/** The slots whose id changed because earlier ones were removed. */
function renumbered(
  skeleton: Document,
  pruned: Document,
  removed: ReadonlySet<SlotId>,
  anchors: ReadonlySet<string>,
): readonly SlotId[] {
  const now = slotIds(pruned);
  const ids = slotIds(skeleton);
  const kept = [...ids.keys()].filter((i) => !removed.has(ids[i] ?? '') || anchors.has(ids[i] ?? ''));
  const values = new Map(now.map((id, i) => [id, pruned.slots[i]?.value]));
  const isMoved = (i: number, place: number): boolean =>
    // If parts were kept because they cannot be removed alone, such as one form of a PO message, compares texts by id.
    kept.length === now.length
      ? now[place] !== ids[i]
      : values.get(ids[i] ?? '') !== skeleton.slots[i]?.value;
  return kept.filter(isMoved).map((i) => ids[i] ?? '');
}
