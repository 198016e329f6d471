import type { LanguagePair, SimilarTranslation } from '../../src/engines/engine.ts';
import type {
  MemoryEntry,
  MemoryMessage,
  MemoryTranslation,
  TranslationMemory,
} from '../../src/pipeline/memory.ts';

interface Row extends MemoryEntry {
  readonly pair: string;
  readonly order: number;
}

/** A translation memory in plain lists: what it does can be read off, and every call is recorded. */
export class MemoryFake implements TranslationMemory {
  readonly found: MemoryMessage[] = [];
  readonly stored: MemoryEntry[] = [];
  /** What findSimilar answers, whatever it is asked. */
  similar: readonly SimilarTranslation[] = [];
  #rows: Row[] = [];
  #order = 0;

  find(
    messages: readonly MemoryMessage[],
    pair: LanguagePair,
  ): Promise<readonly (MemoryTranslation | undefined)[]> {
    this.found.push(...messages);
    return Promise.resolve(
      messages.map((message) => {
        const rows = this.#rows.filter((row) => row.pair === nameOf(pair) && isSame(row, message));
        const rank = ({ origin, context, order }: Row): number =>
          (origin === 'human' ? 2e15 : 0) + (context === message.context ? 1e15 : 0) + order;
        const [best] = rows.toSorted((a, b) => rank(b) - rank(a));
        return best && { translations: best.translations, origin: best.origin, engine: best.engine };
      }),
    );
  }

  findSimilar(
    _message: MemoryMessage,
    _pair: LanguagePair,
    options?: { readonly most?: number },
  ): Promise<readonly SimilarTranslation[]> {
    return Promise.resolve(this.similar.slice(0, options?.most));
  }

  store(entries: readonly MemoryEntry[], pair: LanguagePair): Promise<void> {
    for (const entry of entries) {
      this.stored.push(entry);
      const isHere = (row: Row): boolean =>
        row.pair === nameOf(pair) && isSame(row, entry) && row.context === entry.context;
      const old = this.#rows.find(isHere);
      if (old?.origin === 'human' && entry.origin === 'machine') continue;
      this.#rows = this.#rows.filter((row) => row !== old);
      this.#rows.push({ ...entry, pair: nameOf(pair), order: this.#order++ });
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
