import type { Document, Entry, Key } from '../../formats/format.ts';
import type { OpenFile } from './open-file.ts';
import { keyId, slotFinder, slotIds, type SlotId } from './pairing.ts';
import { restructure, settle } from './restructure.ts';

/** What a target lacks and there are values for. */
export interface MissingEntries {
  readonly keys: readonly Key[];
  /** The skeleton with nothing in it that would bring an untranslated text along. */
  readonly skeleton: Document;
}

export interface MissingInput {
  readonly source: OpenFile;
  readonly skeleton: Document;
  readonly target: Document;
  readonly values: ReadonlyMap<SlotId, string>;
  readonly locale: string;
}

/**
 * Finds the entries to insert. Two kinds that have a value are left out with those that have none: elements of a list
 * behind one that is left out, since they would take its number; and the forms of a plural without its `other`, which
 * programs fall back on.
 */
export function findMissing(input: MissingInput): MissingEntries {
  const { source, target, values, locale } = input;
  const ids = slotIds(input.skeleton);
  const find = slotFinder(target);
  if (ids.every((id) => find(id) !== undefined)) return { keys: [], skeleton: input.skeleton };
  const skeleton = settle(source, input.skeleton, locale);
  const present = new Set(slotIds(target));
  const left = new Set(ids.filter((id) => !present.has(id) && !values.has(id)));
  const incomplete = incompletePlurals(skeleton, target, left);
  for (const [i, slot] of skeleton.slots.entries())
    if (slot.plural && incomplete.has(keyId(slot.plural.group))) left.add(ids[i] ?? '');
  const keysOf = (wanted: (id: SlotId) => boolean): Key[] =>
    skeleton.slots.filter((_, i) => wanted(ids[i] ?? '')).map(({ key }) => key);
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
    const moved = renumbered(skeleton, pruned, left, anchors);
    if (moved.length === 0) return { keys: keysOf(isMissing), skeleton: pruned };
    for (const id of moved) left.add(id);
  }
}

/**
 * Keys that stay in the skeleton, though they are not inserted: the first of each container that the target has and of
 * which nothing else would be left. The place of others is found by it.
 */
function anchorsIn(
  skeleton: readonly Entry[],
  target: readonly Entry[],
  left: ReadonlySet<string>,
): ReadonlySet<string> {
  const twins = new Map(target.map((entry) => [keyId(entry.key), entry]));
  const anchors = new Set<string>();
  for (const { key, children } of skeleton) {
    const twin = twins.get(keyId(key));
    if (!children || !twin?.children) continue;
    const inside = leavesOf(children);
    const first = inside[0];
    if (first !== undefined && inside.every((id) => left.has(id))) anchors.add(first);
    else for (const id of anchorsIn(children, twin.children, left)) anchors.add(id);
  }
  return anchors;
}

/** The ids of all entries that have none inside. */
export function leavesOf(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap(({ key, children }) => (children ? leavesOf(children) : [keyId(key)]));
}

/** Plurals that the target has no form of, and whose `other` is text that has no value. */
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

/** The slots that have got another id by the removal of those before them. */
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
    // What cannot be removed by itself, such as one form of a PO message, stays: then only ids and texts tell.
    kept.length === now.length
      ? now[place] !== ids[i]
      : values.get(ids[i] ?? '') !== skeleton.slots[i]?.value;
  return kept.filter(isMoved).map((i) => ids[i] ?? '');
}
