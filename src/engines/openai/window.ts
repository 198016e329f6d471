import type { BatchSize, RequiredTerm } from '../engine.ts';
import type { PromptItem } from './prompt.ts';

/** Tokens for the rules and schema, and a margin for estimates. */
const RESERVED = 1_000;
/** Tokens for each text and translation, besides their content. */
const PER_TEXT = 8;
/** Models omit texts from longer lists. */
const MOST_TEXTS = 300;
/** The number of short texts that justifies a separate request if requests run in parallel. */
const LEAST_TEXTS = 30;
/** Smaller batches would consist mostly of rules. */
const LEAST_SIZE = 500;
/**
 * Growth after a successful batch. If the model runs out of room, its answer is truncated, and the readable part is
 * kept.
 */
const GROWTH = 1.25;

/** The default window of a model. Hosted models have more; small models may have less. */
export const DEFAULT_WINDOW = 16_384;
/** The size of batches: as large as the window allows, smaller after answers with missing texts. */
export class ContextWindow {
  readonly #size: number;
  #now: number;

  /** @param tokens for the question and answer together */
  constructor(tokens: number) {
    // A text occurs twice: in the question and in the answer.
    this.#size = Math.max(LEAST_SIZE, Math.floor((tokens - RESERVED) / 2));
    this.#now = this.#size;
  }

  /** Texts of one batch, in tokens. */
  get size(): number {
    return Math.floor(this.#now);
  }

  /** The usual batch for the pipeline. */
  get batch(): BatchSize {
    const texts = Math.min(MOST_TEXTS, Math.max(LEAST_TEXTS, Math.floor(this.#size / (3 * PER_TEXT))));
    return { texts, characters: (this.#size - texts * PER_TEXT) * 4, least: LEAST_TEXTS };
  }

  get texts(): number {
    return MOST_TEXTS;
  }

  /** The room for texts with hints of this size. */
  beside(tokens: number): number {
    return Math.max(LEAST_SIZE, this.size - tokens);
  }

  /** Reduces the size after a batch that was too large. For a small batch, the size was not the cause. */
  shrink(size: number): void {
    if (size > LEAST_SIZE) this.#now = Math.max(LEAST_SIZE, Math.min(this.#now, size / 2));
  }

  /** Increases the size after a complete answer. */
  grow(size: number): void {
    if (size * 2 > this.#now) this.#now = Math.min(this.#size, this.#now * GROWTH);
  }
}

/**
 * Estimates the tokens of a text: a Latin character counts as a quarter of a token, most other characters as one.
 * Only used for the size of batches, where a factor of two does not matter.
 */
export function estimateTokens(text: string): number {
  const wide = text.match(/[^\u0000-\u024f]/g)?.length ?? 0;
  return Math.ceil((text.length - wide) / 4 + wide) + 8;
}

/** A text occurs twice in the window, in the question and in the answer; its hint once. */
export function sizeOf({ text, hint }: PromptItem): number {
  return estimateTokens(text) + (hint ? halfOf(hint) : 0);
}

/** The room in a batch that terms take. */
export function sizeOfTerms(terms: readonly RequiredTerm[] = []): number {
  return terms.reduce((sum, term) => sum + halfOf(term), 0);
}

function halfOf(value: object): number {
  return Math.ceil(estimateTokens(JSON.stringify(value)) / 2);
}
