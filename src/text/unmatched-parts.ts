/** Only this many items with the same key are compared, so that time stays linear; the others count as missing. */
export const MAX_EXAMINED = 100;

/** Parts of a translation that are not yet matched with the source. */
export class UnmatchedParts<T> {
  readonly #byKey = new Map<string, Set<{ readonly item: T }>>();
  readonly #all = new Set<{ readonly item: T }>();

  constructor(items: readonly T[], keyOf: (item: T) => string) {
    for (const item of items) {
      const waiting = { item };
      this.#all.add(waiting);
      const key = keyOf(item);
      const others = this.#byKey.get(key);
      if (others) others.add(waiting);
      else this.#byKey.set(key, new Set([waiting]));
    }
  }

  /** Removes and returns the first matching item with this key. */
  take(key: string, fits: (item: T) => boolean = () => true): T | undefined {
    const some = this.#byKey.get(key) ?? [];
    let looked = 0;
    for (const waiting of some) {
      if (looked++ === MAX_EXAMINED) return undefined;
      if (!fits(waiting.item)) continue;
      this.#byKey.get(key)?.delete(waiting);
      this.#all.delete(waiting);
      return waiting.item;
    }
    return undefined;
  }

  /** The unmatched items, in order. */
  rest(): readonly T[] {
    return Array.from(this.#all, ({ item }) => item);
  }
}
