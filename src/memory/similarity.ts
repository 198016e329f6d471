import { NUMBER, type Comparable, type ComparedToken } from './comparable.ts';

/** Less similar texts do not help to translate each other. */
export const LEAST_SIMILARITY = 0.75;

/** The maximum for different texts. */
export const MOST_SIMILARITY = 0.99;

/** Longer texts are not compared, because they are whole paragraphs. */
export const MOST_TOKENS = 250;

/** In texts of at most this many words, all words must be equal. */
const FEW_WORDS = 2;

const OTHER_CASE = 0.05;
const OTHER_NUMBER = 0.5;
const LEAST_COMMON_BEGINNING = 0.6;

/**
 * The similarity of two texts, from 0 to 1; 1 only for equal ones. Symmetric.
 *
 * The texts are sequences of tokens: words, numbers, punctuation, placeholders, and the two sides of pairs; in scripts
 * without spaces, characters. White space is ignored. A word weighs 1, a character or a placeholder ½, punctuation or
 * one side of a pair ¼. The similarity is 1 − d / w, at least 0: w is the weight of the heavier text, d the cost of
 * turning one sequence into the other. Removing or inserting a token costs its weight; replacing it costs
 * - a twentieth of its weight for a word that only differs in case or accents, half of it for a different number,
 * - for a word with the same beginning (4 letters, and at least 60 % of the longer word) the part that differs,
 * - nothing for another placeholder, because its number is arbitrary,
 * - the heavier one's weight otherwise.
 *
 * Texts that only differ in white space or ids have {@link MOST_SIMILARITY}; no others have more. Texts of at most two
 * words (or four characters) are only similar to those with the same words, ignoring case and accents; texts without
 * words, and those of more than {@link MOST_TOKENS} tokens, are not similar to any.
 */
export function compare(a: Comparable, b: Comparable): number {
  if (a.tagged === b.tagged) return 1;
  if (!isComparable(a) || !isComparable(b)) return 0;
  if ((isShort(a) || isShort(b)) && a.words !== b.words) return 0;
  const heavier = Math.max(a.weight, b.weight);
  const similarity = 1 - distance(a.tokens, b.tokens) / heavier;
  return Math.max(0, Math.min(MOST_SIMILARITY, similarity));
}

/** Whether the text can be similar to any other text. */
export function isComparable({ wordCount, tokens }: Comparable): boolean {
  return wordCount > 0 && tokens.length <= MOST_TOKENS;
}

export function isShort({ wordCount }: Comparable): boolean {
  return wordCount <= FEW_WORDS;
}

/** The lowest cost of turning one sequence into the other, in quarters of a word. */
function distance(a: readonly ComparedToken[], b: readonly ComparedToken[]): number {
  // One row of the edit-distance table: the costs from the tokens of `a` so far to every prefix of `b`.
  const row = new Float64Array(b.length + 1);
  for (const [j, token] of b.entries()) row[j + 1] = (row[j] ?? 0) + token.weight;
  for (const token of a) {
    let diagonal = row[0] ?? 0;
    let left = diagonal + token.weight;
    row[0] = left;
    for (let j = 0; j < b.length; j++) {
      const other = b[j];
      if (!other) break;
      const above = row[j + 1] ?? 0;
      left = Math.min(above + token.weight, left + other.weight, diagonal + replacement(token, other));
      row[j + 1] = left;
      diagonal = above;
    }
  }
  return row[b.length] ?? 0;
}

function replacement(a: ComparedToken, b: ComparedToken): number {
  if (a.text === b.text) return 0;
  const most = Math.max(a.weight, b.weight);
  if (a.key !== b.key || a.folded === undefined || b.folded === undefined) return most;
  if (a.folded === b.folded) return most * OTHER_CASE;
  return most * (a.key === NUMBER ? OTHER_NUMBER : difference(a.folded, b.folded));
}

/** How different two words with the same beginning are, above 0 and up to 1. */
function difference(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  const common = commonBeginning(a, b);
  return common / longer >= LEAST_COMMON_BEGINNING ? 1 - common / longer : 1;
}

function commonBeginning(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let common = 0;
  while (common < shorter && a.charCodeAt(common) === b.charCodeAt(common)) common++;
  return common;
}
