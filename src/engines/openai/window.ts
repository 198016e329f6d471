import type { BatchSize, RequiredTerm } from '../engine.ts';
import type { PromptItem } from './prompt.ts';

/** What the rules and the schema of the answer take, and what estimates are wrong by. In tokens. */
const RESERVED = 1_000;
/** Of a text and its translation, beside what they say. */
const PER_TEXT = 8;
/** Models leave texts out of longer lists. */
const MOST_TEXTS = 300;
/** So many short texts are worth a request of their own where requests may be under way at once. */
const LEAST_TEXTS = 30;
/** Smaller batches would be nearly all rules. */
const LEAST_SIZE = 500;
/** After a batch that went well. A model that has no more room shows it by an answer that is cut off, which is kept. */
const GROWTH = 1.25;

/** The default window of a model. Hosted models have more, small ones may be set to less. */
export const DEFAULT_WINDOW = 16_384;
/** How much a model gets at once: what its window has room for, and less after answers with too little in them. */
export class ContextWindow {
  readonly #size: number;
  #now: number;

  /** @param tokens of the question and the answer together */
  constructor(tokens: number) {
    // A text is in it twice, in the question and in the answer.
    this.#size = Math.max(LEAST_SIZE, Math.floor((tokens - RESERVED) / 2));
    this.#now = this.#size;
  }

  /** Texts of one batch, in tokens. */
  get size(): number {
    return Math.floor(this.#now);
  }

  /** What the pipeline gives at once: as much as usually fits. */
  get batch(): BatchSize {
    const texts = Math.min(MOST_TEXTS, Math.max(LEAST_TEXTS, Math.floor(this.#size / (3 * PER_TEXT))));
    return { texts, characters: (this.#size - texts * PER_TEXT) * 4, least: LEAST_TEXTS };
  }

  get texts(): number {
    return MOST_TEXTS;
  }

  /** What to leave for texts where so much is said beside them. */
  beside(tokens: number): number {
    return Math.max(LEAST_SIZE, this.size - tokens);
  }

  /** A batch of this size was too much. Where it was a small one, it was not its size. */
  shrink(size: number): void {
    if (size > LEAST_SIZE) this.#now = Math.max(LEAST_SIZE, Math.min(this.#now, size / 2));
  }

  /** A batch of this size was answered as a whole. */
  grow(size: number): void {
    if (size * 2 > this.#now) this.#now = Math.min(this.#size, this.#now * GROWTH);
  }
}

/**
 * About as many tokens as a text has for a model: a character of Latin script is a quarter of one, of most others one.
 * Estimates are for the size of batches only, where half or double does no harm.
 */
export function estimateTokens(text: string): number {
  const wide = text.match(/[^\u0000-\u024f]/g)?.length ?? 0;
  return Math.ceil((text.length - wide) / 4 + wide) + 8;
}

/** A text is in the model's window twice, in the question and in the answer; what is known about it once. */
export function sizeOf({ text, hint }: PromptItem): number {
  return estimateTokens(text) + (hint ? halfOf(hint) : 0);
}

/** What the terms take from a batch. */
export function sizeOfTerms(terms: readonly RequiredTerm[] = []): number {
  return terms.reduce((sum, term) => sum + halfOf(term), 0);
}

function halfOf(value: object): number {
  return Math.ceil(estimateTokens(JSON.stringify(value)) / 2);
}
