import type { Document, Entry, Key } from '../../formats/format.ts';
import { keyId } from './pairing.ts';

/** Finds a document's content at the places of keys. Each list of entries is indexed on first use. */
export class EntryIndex {
  readonly #document: Document;
  readonly #levels = new WeakMap<readonly Entry[], ReadonlyMap<string, Entry>>();

  constructor(document: Document) {
    this.#document = document;
  }

  /** The entry with this slot's key, or the one that encloses its place. */
  find(key: Key): Entry | undefined {
    let found: Entry | undefined;
    let entries: readonly Entry[] | undefined = this.#document.entries;
    for (let length = 1; entries && length <= key.length; length++) {
      const next = this.#level(entries).get(keyId(key.slice(0, length)));
      // Some formats only have entries for whole messages.
      if (!next) continue;
      found = next;
      entries = next.children;
    }
    return found;
  }

  /** The offset of a value at the place of this key that is neither a text nor a place for one. */
  findNoText(key: Key): number | undefined {
    const entry = this.find(key);
    // An empty container is a place for its future members.
    const isThere = entry?.noText === 'value' && (!entry.children || entry.key.length === key.length);
    return isThere ? entry.span.start : undefined;
  }

  /** Whether the entry contains a text. */
  holdsText({ span }: Entry): boolean {
    const { slots } = this.#document;
    let low = 0;
    let high = slots.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((slots[middle]?.span.start ?? Infinity) < span.start) low = middle + 1;
      else high = middle;
    }
    return (slots[low]?.span.start ?? Infinity) < span.end;
  }

  #level(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
    const known = this.#levels.get(entries);
    if (known) return known;
    const level = new Map<string, Entry>();
    for (const entry of entries) {
      const id = keyId(entry.key);
      if (!level.has(id)) level.set(id, entry);
    }
    this.#levels.set(entries, level);
    return level;
  }
}
