import type { LanguagePair, SimilarTranslation } from '../../src/engines/engine.ts';
import type {
  MemoryEntry,
  MemoryMessage,
  MemoryTranslation,
  TranslationMemory,
} from '../../src/pipeline/memory.ts';

interface Row extends MemoryEntry {
  readonly pair: string;
  /** The project from which the entry was learned; undefined if it serves all projects. */
  readonly project?: string | undefined;
  readonly order: number;
}

/** A translation memory in plain lists that are easy to inspect; records every call. */
export class MemoryFake implements TranslationMemory {
  readonly found: MemoryMessage[] = [];
  readonly stored: MemoryEntry[] = [];
  /** The result of `findSimilar` for any query. */
  similar: readonly SimilarTranslation[] = [];
  #rows: Row[] = [];
  #order = 0;

  /** The same memory, opened for a project. */
  forProject(project: string): TranslationMemory {
    return {
      find: (messages, pair) => this.find(messages, pair, project),
      hasSimilar: (pair) => this.hasSimilar(pair),
      findSimilar: (...query) => this.findSimilar(...query),
      store: (entries, pair) => this.store(entries, pair, project),
    };
  }

  find(
    messages: readonly MemoryMessage[],
    pair: LanguagePair,
    project?: string,
  ): Promise<readonly (MemoryTranslation | undefined)[]> {
    this.found.push(...messages);
    return Promise.resolve(
      messages.map((message) => {
        const rows = this.#rows.filter(
          (row) =>
            row.pair === nameOf(pair) &&
            isSame(row, message) &&
            (row.project === undefined || row.project === project),
        );
        const rank = ({ origin, project: own, context, order }: Row): number =>
          (origin === 'human' ? 4e15 : 0) +
          (own === undefined ? 0 : 2e15) +
          (context === message.context ? 1e15 : 0) +
          order;
        const [best] = rows.toSorted((a, b) => rank(b) - rank(a));
        return best && { translations: best.translations, origin: best.origin, engine: best.engine };
      }),
    );
  }

  /** An approximation: the similar texts apply to every pair. */
  hasSimilar(pair: LanguagePair): Promise<boolean> {
    return Promise.resolve(this.similar.length > 0 || this.#rows.some((row) => row.pair === nameOf(pair)));
  }

  findSimilar(
    _message: MemoryMessage,
    _pair: LanguagePair,
    options?: { readonly most?: number },
  ): Promise<readonly SimilarTranslation[]> {
    return Promise.resolve(this.similar.slice(0, options?.most));
  }

  store(entries: readonly MemoryEntry[], pair: LanguagePair, from?: string): Promise<void> {
    for (const entry of entries) {
      this.stored.push(entry);
      const project = entry.origin === 'human' ? from : undefined;
      const isHere = (row: Row): boolean =>
        row.pair === nameOf(pair) &&
        row.project === project &&
        isSame(row, entry) &&
        row.context === entry.context;
      const old = this.#rows.find(isHere);
      if (old?.origin === 'human' && entry.origin === 'machine') continue;
      this.#rows = this.#rows.filter((row) => row !== old);
      this.#rows.push({ ...entry, project, pair: nameOf(pair), order: this.#order++ });
    }
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function nameOf({ source, target }: LanguagePair): string {
  return `${source} ${target}`;
}

function isSame(a: MemoryMessage, b: MemoryMessage): boolean {
  const keyOf = ({ segments, placeholders, category }: MemoryMessage): string =>
    JSON.stringify([segments, placeholders, category]).normalize('NFC');
  return keyOf(a) === keyOf(b);
}
