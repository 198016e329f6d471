import type { RequiredTerm } from '../engine.ts';
import type { PromptItem } from './prompt.ts';

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
