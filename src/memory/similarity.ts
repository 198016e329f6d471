import type { TaggedText } from '../text/tagged.ts';
import { NUMBER, prepareUnit, type Comparable, type ComparedToken } from './comparable.ts';

/** Texts that are less alike say nothing about each other's translation. */
export const LEAST_SIMILARITY = 0.75;

/** Of texts that are not equal, however little they differ. */
export const MOST_SIMILARITY = 0.99;

/** Longer texts are paragraphs: they are not compared. */
export const MOST_TOKENS = 250;

/** In texts of so few words every one of them counts. */
const FEW_WORDS = 2;

const OTHER_CASE = 0.05;
const OTHER_NUMBER = 0.5;
const LEAST_COMMON_BEGINNING = 0.6;

/**
 * How alike two texts are, from 0 to 1; 1 only for equal ones. It is symmetric.
 *
 * The texts are rows of tokens: words, numbers, signs of punctuation, placeholders, and the beginnings and ends of
 * pairs; in scripts without spaces, characters. White space is none. A word weighs 1, a character or a placeholder ½,
 * a sign or one side of a pair ¼. The similarity is 1 − d / w, 0 at least: w is the weight of the heavier text, d what it costs to
 * make one row of the other. Leaving a token out, or putting one in, costs its weight; having another in its place
 * costs
 * - a twentieth of its weight for a word that differs in case or accents only, half of it for another number,
 * - for a word with the same beginning (4 letters, and 60 % of the longer word at least) the part that differs,
 * - nothing for another placeholder: its number says nothing,
 * - the heavier one's weight for all else.
 *
 * Texts that differ in white space or ids only have {@link MOST_SIMILARITY}, and no others more. Texts of at most two
 * words (or four characters) are like those alone that have the same words, whatever their case and accents; texts
 * without words, and those of more than {@link MOST_TOKENS} tokens, are like none.
 */
export function similarityOf(a: TaggedText, b: TaggedText): number {
  return compare(prepareUnit(a), prepareUnit(b));
}

/** The same of texts that are taken apart already. */
export function compare(a: Comparable, b: Comparable): number {
  if (a.tagged === b.tagged) return 1;
  if (!isComparable(a) || !isComparable(b)) return 0;
  if ((isShort(a) || isShort(b)) && a.words !== b.words) return 0;
  const heavier = Math.max(a.weight, b.weight);
  const similarity = 1 - distance(a.tokens, b.tokens) / heavier;
  return Math.max(0, Math.min(MOST_SIMILARITY, similarity));
}

/** Whether it can be like any other text. */
export function isComparable({ wordCount, tokens }: Comparable): boolean {
  return wordCount > 0 && tokens.length <= MOST_TOKENS;
}

export function isShort({ wordCount }: Comparable): boolean {
  return wordCount <= FEW_WORDS;
}

/** What the cheapest way from one row to the other costs, in quarters of a word. */
function distance(a: readonly ComparedToken[], b: readonly ComparedToken[]): number {
  // One row of the usual table: costs from the tokens of `a` so far to every beginning of `b`.
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

/** Of two words that begin alike, from above 0 to 1. */
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
