import type { MemoryFile } from './memory-file.ts';

/** Cached terms, for all languages together. */
const MOST_KNOWN = 200_000;
const AT_ONCE = 1_000;

/** The numbers of terms, which never change. */
export class TermNumbers {
  readonly #file: MemoryFile;
  readonly #known = new Map<string, Map<string, number>>();
  #count = 0;

  constructor(file: MemoryFile) {
    this.#file = file;
    file.onUndo(() => this.#forget());
  }

  /** The numbers of known terms. May include others. */
  find(keys: readonly string[], source: string): ReadonlyMap<string, number> {
    return this.#find(keys, source);
  }

  /** The numbers of all keys; new ones are numbered in this order. Call this in a transaction. */
  require(keys: readonly string[], source: string): ReadonlyMap<string, number> {
    const known = this.#find(keys, source);
    for (const key of keys) {
      if (known.has(key)) continue;
      const { id } = this.#file.run('insert into terms (source, key) values (?, ?)', [source, key]);
      this.#remember(known, key, id);
    }
    return known;
  }

  #find(keys: readonly string[], source: string): Map<string, number> {
    const known = this.#of(source);
    const unknown = keys.filter((key) => !known.has(key));
    for (let i = 0; i < unknown.length; i += AT_ONCE) {
      const rows = this.#file.rows(
        'select t.key, t.id from json_each(?) as wanted join terms as t on t.source = ? and t.key = wanted.value',
        ['text', 'number'],
        [JSON.stringify(unknown.slice(i, i + AT_ONCE)), source],
      );
      for (const [key, id] of rows) this.#remember(known, key, id);
    }
    return known;
  }

  #of(source: string): Map<string, number> {
    // Must come last, because the answer includes terms found meanwhile.
    if (this.#count > MOST_KNOWN) this.#forget();
    let known = this.#known.get(source);
    if (!known) {
      known = new Map();
      this.#known.set(source, known);
    }
    return known;
  }

  #remember(known: Map<string, number>, key: string, id: number): void {
    known.set(key, id);
    this.#count++;
  }

  #forget(): void {
    this.#known.clear();
    this.#count = 0;
  }
}
