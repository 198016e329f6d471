import type { LanguagePair, SimilarTranslation } from '../engines/engine.ts';
import type { Key } from '../formats/format.ts';
import type { TaggedText } from '../text/tagged.ts';

/**
 * Translations of whole messages, kept across runs and engines. Using them costs nothing; human translations take
 * precedence over an engine's.
 *
 * An engine's translations serve every project; a person's translations in a project's files serve only that project.
 *
 * Only verified translations are stored, and each is verified again where it is used. The code that opens
 * the memory closes it.
 */
export interface TranslationMemory {
  /**
   * The best translation of each message: human before machine, then the project's own, then the same context, then the
   * newest. Undefined without a translation of exactly this text and category with placeholders of these names.
   */
  find(
    messages: readonly MemoryMessage[],
    pair: LanguagePair,
  ): Promise<readonly (MemoryTranslation | undefined)[]>;
  /** Whether {@link findSimilar} can find anything for this pair. */
  hasSimilar(pair: LanguagePair): Promise<boolean>;
  /**
   * Translations of texts with a similarity of at least three quarters, the most similar first; includes the same text
   * with different placeholder names. Empty for messages of several segments.
   */
  findSimilar(
    message: MemoryMessage,
    pair: LanguagePair,
    options?: { readonly most?: number },
  ): Promise<readonly SimilarTranslation[]>;
  /**
   * Stores translations, and resolves when they are stored. Human translations come from the project's files. A machine
   * translation never replaces a human one with the same context.
   */
  store(entries: readonly MemoryEntry[], pair: LanguagePair): Promise<void>;
}

/** A message as stored in the memory: without its file's syntax. */
export interface MemoryMessage {
  /** The texts in reading order, as engines receive them. Not empty. */
  readonly segments: readonly TaggedText[];
  /** The names of their placeholders in order: `{count} left` differs from `{user} left`, regardless of notation. */
  readonly placeholders: readonly string[];
  /**
   * The plural category if the message is a plural form, otherwise empty: forms of the same text are different
   * messages.
   */
  readonly category: string;
  /** The place of the message, such as its key; empty if unknown. */
  readonly context: string;
}

/** The author of a translation. */
export type MemoryOrigin = 'human' | 'machine';

export interface MemoryTranslation {
  /** One translation for each segment, with the same placeholders; a human translation may write a number as a word. */
  readonly translations: readonly TaggedText[];
  readonly origin: MemoryOrigin;
  /** The engine that created it, if known. */
  readonly engine?: string | undefined;
}

export interface MemoryEntry extends MemoryMessage, MemoryTranslation {}

/** The context of a value in the memory: its key, joined by a character that no key contains. */
export function contextOf(key: Key): string {
  return key.join('\u001f');
}
