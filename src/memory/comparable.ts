import { tokenize, type TaggedText } from '../text/tagged.ts';

/** A token for comparison. */
export interface ComparedToken {
  /** Tokens with different keys are entirely different. */
  readonly key: string;
  /** The text as written; for placeholders, the key. */
  readonly text: string;
  /** A word in its comparison form; undefined for other tokens. */
  readonly folded?: string | undefined;
  /** In quarters of a word. */
  readonly weight: number;
}

/** A text split for comparisons. */
export interface Comparable {
  readonly tagged: TaggedText;
  readonly tokens: readonly ComparedToken[];
  /** The sum for all tokens, in quarters of a word. */
  readonly weight: number;
  /** The words and characters in order, without case. */
  readonly words: string;
  /** The number of words; two characters count as one. */
  readonly wordCount: number;
}

const WORD = 4;
/** In scripts without spaces between words, a word usually has two characters. */
const CHARACTER = 2;
const PLACEHOLDER = 2;
const TAG = 1;
const PUNCTUATION = 1;

/** A separator that occurs in no word. */
const BETWEEN_WORDS = ' ';

const PLAIN_WORD_OR_SIGN = /[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*|[^\sA-Za-z0-9]/g;
const UNSPACED =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}]';
const SPACED = `(?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}])`;
const WORD_OR_SIGN = new RegExp(`(${UNSPACED}\\p{M}*)|${SPACED}+(?:['’]${SPACED}+)*|[^\\s]`, 'gu');
const BEGINS_WORD = /^[\p{L}\p{M}\p{N}]/u;
const DIGITS = /^\p{Nd}+$/u;
/** True for most texts, and much faster than Unicode classes. */
const PLAIN = /^[ -~\s]*$/;

/** The common key of all numbers, because two numbers are partly similar. */
export const NUMBER = '0';
/** The forms of a word share at least this many initial letters. */
const STEM = 4;

export function comparableOf(tagged: TaggedText): Comparable {
  const tokens: ComparedToken[] = [];
  for (const token of tokenize(tagged) ?? [{ type: 'words', text: tagged } as const]) {
    if (token.type === 'words') addWords(token.text, tokens);
    else tokens.push(PLACEHOLDERS[token.type]);
  }
  let weight = 0;
  let wordWeight = 0;
  let words = '';
  for (const token of tokens) {
    weight += token.weight;
    if (token.folded === undefined) continue;
    wordWeight += token.weight;
    words += token.folded + BETWEEN_WORDS;
  }
  return { tagged, tokens, weight, words, wordCount: wordWeight / WORD };
}

// Keys that differ from all words and punctuation.
const PLACEHOLDERS = {
  placeholder: { key: '<x/>', text: '<x/>', weight: PLACEHOLDER },
  open: { key: '<x>', text: '<x>', weight: TAG },
  close: { key: '</x>', text: '</x>', weight: TAG },
} as const satisfies Readonly<Record<string, ComparedToken>>;

function addWords(text: string, tokens: ComparedToken[]): void {
  if (PLAIN.test(text)) {
    for (const [word] of text.matchAll(PLAIN_WORD_OR_SIGN)) tokens.push(plainToken(word));
    return;
  }
  for (const [word, character] of text.matchAll(WORD_OR_SIGN)) {
    if (character !== undefined) {
      tokens.push({ key: character, text: character, folded: character, weight: CHARACTER });
    } else if (BEGINS_WORD.test(word)) tokens.push(wordToken(word, fold(word)));
    else tokens.push({ key: word, text: word, weight: PUNCTUATION });
  }
}

function plainToken(word: string): ComparedToken {
  const code = word.charCodeAt(0) | 0x20;
  const isWord = (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  return isWord ? wordToken(word, word.toLowerCase()) : { key: word, text: word, weight: PUNCTUATION };
}

function wordToken(text: string, folded: string): ComparedToken {
  return { key: DIGITS.test(folded) ? NUMBER : stemOf(folded), text, folded, weight: WORD };
}

/** Never splits a surrogate pair. */
function stemOf(folded: string): string {
  const last = folded.charCodeAt(STEM - 1);
  return folded.slice(0, last >= 0xd800 && last < 0xdc00 ? STEM + 1 : STEM);
}

/**
 * Removes case and accents. Hangul syllables are decomposed, so that suffixes become visible; vowel signs of other
 * scripts are kept.
 */
function fold(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('’', "'");
}
