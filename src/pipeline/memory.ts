import type { LanguagePair, SimilarTranslation } from '../engines/engine.ts';
import type { Key } from '../formats/format.ts';
import type { TaggedText } from '../text/tagged.ts';

/**
 * Translations of whole messages that outlive runs and engines. What is found costs nothing; what a human wrote goes
 * before what an engine did.
 *
 * What an engine made serves every project; what a human wrote in a project's files serves that project alone.
 *
 * Only verified translations enter it, and one that is found is verified again where it is to stand. Whoever opens a
 * memory closes it.
 */
export interface TranslationMemory {
  /**
   * For each message its best translation: a human's before an engine's, then the project's own, then that of the same
   * context, then the newest. Undefined where there is none of exactly this text and category with placeholders of these names.
   */
  find(
    messages: readonly MemoryMessage[],
    pair: LanguagePair,
  ): Promise<readonly (MemoryTranslation | undefined)[]>;
  /** Whether {@link findSimilar} may find anything for this pair. */
  hasSimilar(pair: LanguagePair): Promise<boolean>;
  /**
   * Translations of texts that are like this one, at least by three quarters, the most similar first; the same text
   * with placeholders of other names is among them. Messages of several segments have none.
   */
  findSimilar(
    message: MemoryMessage,
    pair: LanguagePair,
    options?: { readonly most?: number },
  ): Promise<readonly SimilarTranslation[]>;
  /**
   * Resolves when they are stored. A human's translations were learned from the project's files. An engine's never
   * replaces a human's of the same context.
   */
  store(entries: readonly MemoryEntry[], pair: LanguagePair): Promise<void>;
}

/** A message as memory knows it: without the syntax of its file. */
export interface MemoryMessage {
  /** In reading order, as engines get them. Not empty. */
  readonly segments: readonly TaggedText[];
  /** The names of their placeholders in order: `{count} left` is not `{user} left`, whatever the braces. */
  readonly placeholders: readonly string[];
  /** The plural category of the form that it is: forms of one text are different messages. Empty for all others. */
  readonly category: string;
  /** Where the message stands, such as its key; the empty string where nothing says. */
  readonly context: string;
}

/** Who wrote a translation. */
export type MemoryOrigin = 'human' | 'machine';

export interface MemoryTranslation {
  /** One for each segment, with the same placeholders; a human's may have spelled a number out. */
  readonly translations: readonly TaggedText[];
  readonly origin: MemoryOrigin;
  /** The engine that made it, where known. */
  readonly engine?: string | undefined;
}

export interface MemoryEntry extends MemoryMessage, MemoryTranslation {}

/** The context of a value in the translation memory: its key, with a character between that no key has. */
export function contextOf(key: Key): string {
  return key.join('\u001f');
}
