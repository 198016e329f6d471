import { DragomanError } from '../../base/errors.ts';
import { makeFromValidPart } from '../../base/sound-part.ts';
import type { Document, Entry } from '../../formats/format.ts';
import type { OpenFile } from './open-file.ts';
import { keyId, slotFinder, slotIds, type SlotId } from './pairing.ts';
import { findMissing, type MissingInput, restructure, type SlotIds } from './restructure.ts';

interface InsertionInput extends MissingInput {
  /** The target's file, before the changes made so far. */
  readonly existing: OpenFile;
  /** Texts of the target that an entry of a different shape may replace. */
  readonly replaced?: ReadonlySet<SlotId> | undefined;
}

/**
 * Inserts the wanted entries that the target lacks. Its texts keep their ids, and unwanted texts are not copied.
 * Entries that prevent this are skipped.
 *
 * @param refused receives the skipped entries and the reasons
 */
export function insertMissing(
  input: InsertionInput & { readonly wanted: ReadonlyMap<SlotId, unknown> },
  refused: Map<SlotId, DragomanError>,
): Document {
  const { target, wanted } = input;
  const accepted = new Set<SlotId>();
  const insert = (some: ReadonlySet<SlotId>): Document | undefined => {
    try {
      const made = insertWanted({ ...input, wanted: some });
      for (const id of some) accepted.add(id);
      return made;
    } catch (error) {
      if (!isIntegrity(error)) throw error;
      for (const id of some) if (!accepted.has(id)) refused.set(id, error);
      return undefined;
    }
  };
  try {
    return insertWanted(input);
  } catch (error) {
    if (!isIntegrity(error)) throw error;
    const find = slotFinder(target);
    const missing = [...wanted.keys()].filter((id) => find(id) === undefined);
    const made = makeFromValidPart(missing, (some) => insert(new Set(some)));
    for (const id of accepted) refused.delete(id);
    return made ?? target;
  }
}

function isIntegrity(error: unknown): error is DragomanError {
  return error instanceof DragomanError && error.code === 'integrity';
}

/** @throws DragomanError `integrity` if the insertion would change other texts */
function insertWanted({ existing, replaced, ...input }: InsertionInput): Document {
  const { target, locale } = input;
  const missing = findMissing(input);
  if (missing.keys.length === 0) return target;
  const { format, scanOptions } = existing;
  const options = { ...scanOptions, locale };
  const made = restructure(
    existing,
    target,
    () => format.insert(target, missing.skeleton, missing.keys, options),
    locale,
  );
  // The check does not apply to prose, which gets its source's whole structure, or after a change of dialect, which
  // changes the strings that are texts.
  if (format.isProse === true || made.dialect !== target.dialect) return made;
  requireOnlyWanted(made, { ...input, replaced }, missing.skeleton);
  return made;
}

function requireOnlyWanted(
  made: Document,
  { target, skeleton, wanted, replaced }: MissingInput & Pick<InsertionInput, 'replaced'>,
  pruned: Document,
): void {
  const before = slotIds(target);
  const isReplaced = (id: SlotId | undefined): boolean => id !== undefined && replaced?.has(id) === true;
  let brought: ReadonlySet<SlotId> | undefined;
  let next = 0;
  for (const [i, id] of slotIds(made, skeleton).entries()) {
    const value = made.slots[i]?.value;
    while (id !== before[next] && isReplaced(before[next])) next++;
    if (id === before[next]) {
      if (value !== target.slots[next]?.value) throw changesOthers();
      next++;
    } else if (wanted.has(id)) {
      // The ids do not show which of several entries with one key is new.
      if (id.includes('\0#') && before.includes(keyId(made.slots[i]?.key ?? []))) throw changesOthers();
    } else if (value !== '') {
      brought ??= broughtWith(pruned, wanted);
      if (!brought.has(id))
        throw new DragomanError('integrity', 'the entry cannot be inserted without an untranslated text');
    }
  }
  while (isReplaced(before[next])) next++;
  if (next < before.length) throw changesOthers();
}

function changesOthers(): DragomanError {
  return new DragomanError('integrity', 'the entry cannot be inserted without changing other entries');
}

/** The slots of entries that contain a wanted one: an entry without nested entries is copied whole. */
function broughtWith(skeleton: Document, wanted: SlotIds): ReadonlySet<SlotId> {
  const ids = slotIds(skeleton);
  const brought = new Set<SlotId>();
  let next = 0;
  const visit = ({ span, children }: Entry): void => {
    if (children) {
      children.forEach(visit);
      return;
    }
    const inside: SlotId[] = [];
    while ((skeleton.slots[next]?.span.start ?? Infinity) < span.start) next++;
    for (; (skeleton.slots[next]?.span.start ?? Infinity) < span.end; next++) inside.push(ids[next] ?? '');
    if (inside.some((id) => wanted.has(id))) for (const id of inside) brought.add(id);
  };
  skeleton.entries.forEach(visit);
  return brought;
}
