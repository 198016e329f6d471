import { DragomanError } from '../../base/errors.ts';
import type { LanguagePair, SimilarTranslation } from '../../engines/engine.ts';
import type {
  MemoryEntry,
  MemoryMessage,
  MemoryTranslation,
  TranslationMemory,
} from '../../pipeline/memory.ts';

export interface ClosableMemory extends TranslationMemory {
  close(): Promise<void>;
}

/**
 * A translation memory that is opened when it is first needed. One that fails is left alone from then on: translating
 * goes on without it, and `onTrouble` is called once.
 */
export class LazyMemory implements ClosableMemory {
  readonly #open: () => Promise<ClosableMemory>;
  readonly #onTrouble: (error: DragomanError) => void;
  #opened: Promise<ClosableMemory> | undefined;
  #failed = false;

  constructor(open: () => Promise<ClosableMemory>, onTrouble: (error: DragomanError) => void) {
    this.#open = open;
    this.#onTrouble = onTrouble;
  }

  find(
    messages: readonly MemoryMessage[],
    pair: LanguagePair,
  ): Promise<readonly (MemoryTranslation | undefined)[]> {
    return this.#use((memory) => memory.find(messages, pair), []);
  }

  findSimilar(
    message: MemoryMessage,
    pair: LanguagePair,
    options?: { readonly most?: number },
  ): Promise<readonly SimilarTranslation[]> {
    return this.#use((memory) => memory.findSimilar(message, pair, options), []);
  }

  store(entries: readonly MemoryEntry[], pair: LanguagePair): Promise<void> {
    return this.#use((memory) => memory.store(entries, pair), undefined);
  }

  async close(): Promise<void> {
    const memory = await this.#opened?.catch(() => undefined);
    try {
      await memory?.close();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #use<T>(work: (memory: TranslationMemory) => Promise<T>, otherwise: T): Promise<T> {
    if (this.#failed) return otherwise;
    try {
      return await work(await (this.#opened ??= this.#open()));
    } catch (error) {
      this.#fail(error);
      return otherwise;
    }
  }

  #fail(error: unknown): void {
    if (!(error instanceof DragomanError)) throw error;
    if (!this.#failed) this.#onTrouble(error);
    this.#failed = true;
  }
}
