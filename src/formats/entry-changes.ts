import type { Edit } from '../base/span.ts';
import type { Document, Entry, Key, Slot } from './format.ts';
import { removeBlocks } from './lines.ts';

/**
 * Where to insert a skeleton's entry in a target document. Exactly one anchor: `after`, `before`, or the end of `into`.
 */
export type Placement =
  | { readonly entry: Entry; readonly after: Entry }
  | { readonly entry: Entry; readonly before: Entry }
  /** If `into` is undefined: the document itself, which has no entries. */
  | { readonly entry: Entry; readonly into: Entry | undefined };

/** A key as one string, for maps and sets. */
export const keyId = (key: Key): string => JSON.stringify(key);

/**
 * Places entries that the target lacks: after the nearest earlier neighbour that source and target share, otherwise
 * before the nearest later one, otherwise into their empty parent. Only the topmost missing entry of a branch is
 * placed, with its content: remove unwanted parts from the skeleton first.
 *
 * Several placements may share an anchor; they come in source order, which insertions at the same offset keep. If an
 * entry and its last child end at the same offset, insertions inside the entry come before insertions next to it.
 *
 * @param missing keys of the entries, or of slots inside them
 */
export function planInsertions(
  target: readonly Entry[],
  skeleton: readonly Entry[],
  missing: readonly Key[],
): readonly Placement[] {
  const wanted = wantedIds(missing);
  const levels: Placement[][] = [];
  placeChildren({ target, skeleton, parent: undefined, wanted, levels }, 0);
  return levels.toReversed().flat();
}

/** A skeleton's entry, and the `null` that it replaces in a target. */
export interface Filling {
  readonly entry: Entry;
  readonly at: Entry;
}

/** The topmost entries that contain missing texts, and for which a target only has `null`. */
export function planFillings(
  target: readonly Entry[],
  skeleton: readonly Entry[],
  missing: readonly Key[],
): readonly Filling[] {
  if (!hasNull(target)) return [];
  const wanted = wantedIds(missing);
  const fillings: Filling[] = [];
  const visit = (into: readonly Entry[], from: readonly Entry[]): void => {
    const byKey = new EntriesByKey(into);
    for (const entry of from) {
      const at = byKey.next(entry.key);
      if (at?.noText === 'null') {
        if (holdsAny(entry, wanted)) fillings.push({ entry, at });
      } else if (at?.children && entry.children) visit(at.children, entry.children);
    }
  };
  visit(target, skeleton);
  return fillings;
}

function hasNull(entries: readonly Entry[]): boolean {
  return entries.some(({ noText, children }) => noText === 'null' || (children && hasNull(children)));
}

// Slots of an entry without children (the forms of a plural) have longer keys than the entry, so their parents' keys
// are also compared.
function wantedIds(missing: readonly Key[]): ReadonlySet<string> {
  return new Set(missing.flatMap((key) => [keyId(key), keyId(key.slice(0, -1))]));
}

interface Family {
  readonly target: readonly Entry[];
  readonly skeleton: readonly Entry[];
  /** The target's entry that contains both. */
  readonly parent: Entry | undefined;
  readonly wanted: ReadonlySet<string>;
  /** The placements by depth. */
  readonly levels: Placement[][];
}

function placeChildren(family: Family, depth: number): void {
  const { target, skeleton, parent, wanted, levels } = family;
  const placements = (levels[depth] ??= []);
  const byKey = new EntriesByKey(target);
  let previous: Entry | undefined;
  const headless: Entry[] = [];
  let next: Entry | undefined;
  for (const entry of skeleton) {
    const counterpart = byKey.next(entry.key);
    if (counterpart) {
      next ??= counterpart;
      previous = counterpart;
      if (counterpart.children && entry.children) {
        const children = { target: counterpart.children, skeleton: entry.children, parent: counterpart };
        placeChildren({ ...family, ...children }, depth + 1);
      }
    } else if (holdsAny(entry, wanted)) {
      if (previous) placements.push({ entry, after: previous });
      else headless.push(entry);
    }
  }
  for (const entry of headless) {
    const last = target.at(-1);
    if (next) placements.push({ entry, before: next });
    else if (last) placements.push({ entry, after: last });
    else placements.push({ entry, into: parent });
  }
}

/** A target's entries by key. Duplicates pair up in order: the first with the first, and so on. */
export class EntriesByKey {
  readonly #next = new Map<string, Entry>();
  /** The later entries of duplicate keys, last one first. */
  readonly #later = new Map<string, Entry[]>();

  constructor(entries: readonly Entry[]) {
    for (const entry of entries.toReversed()) {
      const id = keyId(entry.key);
      const behind = this.#next.get(id);
      const later = this.#later.get(id);
      if (later && behind) later.push(behind);
      else if (behind) this.#later.set(id, [behind]);
      this.#next.set(id, entry);
    }
  }

  /** The counterpart of the next entry with this key; the last one if all are used. */
  next(key: Key): Entry | undefined {
    const id = keyId(key);
    const counterpart = this.#next.get(id);
    const following = this.#later.get(id)?.pop();
    if (following) this.#next.set(id, following);
    return counterpart;
  }
}

function holdsAny(entry: Entry, wanted: ReadonlySet<string>): boolean {
  if (wanted.has(keyId(entry.key))) return true;
  if (entry.children) return entry.children.some((child) => holdsAny(child, wanted));
  return false;
}

/**
 * The keys of childless entries with several slots, such as a list that is one value, if `keys` includes all of their
 * slots: such an entry is removed only by its own key.
 */
export function wholeKeys({ entries, slots }: Document, keys: readonly Key[]): readonly Key[] {
  const own = new Set<string>();
  const collect = (all: readonly Entry[]): void => {
    for (const { key, children } of all) {
      if (children) collect(children);
      else own.add(keyId(key));
    }
  };
  collect(entries);
  const named = new Set(keys.map(keyId));
  const whole = new Map<string, Key | undefined>();
  for (const { key } of slots) {
    const id = keyId(key);
    if (own.has(id)) continue;
    for (let length = key.length - 1; length > 0; length--) {
      const above = keyId(key.slice(0, length));
      if (!own.has(above)) continue;
      const isWhole = named.has(id) && (!whole.has(above) || whole.get(above) !== undefined);
      whole.set(above, isWhole ? key.slice(0, length) : undefined);
      break;
    }
  }
  return [...whole.values()].filter((key) => key !== undefined);
}

/**
 * The groups of slots whose keys are all listed.
 *
 * @param groupOf the key of a slot's group; default: the plural message
 */
export function wholeGroups(
  { slots }: Document,
  keys: readonly Key[],
  groupOf = ({ plural }: Slot): Key | undefined => plural?.group,
): readonly Key[] {
  const named = new Set(keys.map(keyId));
  const whole = new Map<string, Key>();
  const left = new Set<string>();
  for (const slot of slots) {
    const group = groupOf(slot);
    if (!group) continue;
    whole.set(keyId(group), group);
    if (!named.has(keyId(slot.key))) left.add(keyId(group));
  }
  return [...whole].filter(([id]) => !left.has(id)).map(([, group]) => group);
}

/** The entries to remove for these keys; a branch is removed completely if nothing in it would remain. */
export function planRemovals(entries: readonly Entry[], keys: readonly Key[]): readonly Entry[] {
  const unwanted = new Set(keys.map(keyId));
  const removed: Entry[] = [];
  const visit = (entry: Entry): boolean => {
    if (unwanted.has(keyId(entry.key))) {
      removed.push(entry);
      return true;
    }
    if (!entry.children || entry.children.length === 0) return false;
    const before = removed.length;
    const all = entry.children.map(visit).every(Boolean);
    if (!all) return false;
    removed.length = before;
    removed.push(entry);
    return true;
  };
  for (const entry of entries) visit(entry);
  return removed;
}

/** Removes the entries with these keys, with their lines. */
export function removeEntries(
  { text, entries }: Pick<Document, 'text' | 'entries'>,
  keys: readonly Key[],
): readonly Edit[] {
  const removed = planRemovals(entries, keys);
  return removeBlocks(
    text,
    removed.map(({ span }) => span),
  );
}
