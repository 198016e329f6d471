import { type TaggedText, tokenize } from '../../text/tagged.ts';
import { foldWord, type Inflection, isFormOf } from './inflection.ts';
import { lowerCaseOf, piecesOf } from './word-segmentation.ts';

/** Represents a placeholder, which is not part of any word or term. */
const BARRIER = '\u0000';
/** Represents the beginning or end of markup: it ends words, as list items do, but terms continue across it. */
const EDGE = '\u0001';

/** The number of other words allowed between the words of a term. */
const SLACK = 3;

/** A possible translation of a term, prepared for searching. */
export interface WantedTranslation {
  /** The folded words; empty if only characters are compared. */
  readonly words: readonly string[];
  /** The number of words in the translation, including insignificant ones. */
  readonly size: number;
  /** Its folded characters without spaces; undefined if only words are compared. */
  readonly characters: string | undefined;
}

/** Matches whole words, or characters in scripts without spaces. */
export function wantedOf(translation: string): WantedTranslation {
  const pieces = piecesOf(translation);
  const words = pieces.filter(({ kind }) => kind === 'word').map(({ key }) => key);
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  const symbols = pieces.filter(
    ({ kind, key }) => kind === 'symbol' && !/^[-'"“”«»„.,:()]$/.test(key),
  ).length;
  const isUnspaced = pieces.some(({ kind }) => kind === 'character') || /\p{sc=Hangul}/u.test(translation);
  const byCharacters = isUnspaced || letters === 0 || (symbols > 0 && letters <= 3);
  const isMixed = pieces.some(({ kind }) => kind === 'character') || letters === 0;
  // Prepositions depend on their context; short words in capitals are not prepositions.
  const telling = words.filter((word) => word.length > 2 || word !== word.toLowerCase());
  return {
    words:
      isMixed || (symbols > 0 && letters <= 3) ? [] : (telling.length > 0 ? telling : words).map(foldWord),
    size: words.length,
    characters: byCharacters ? charactersOf(translation) : undefined,
  };
}

/** The words of a translation, or of its parts, for all checks of its terms. */
export class TranslationWords {
  /** The words of the texts, in reading order. */
  readonly #text: string;
  #runs: readonly (readonly string[])[] | undefined;
  #characters: string | undefined;

  constructor(texts: readonly TaggedText[]) {
    this.#text = texts.map(wordsOf).join(BARRIER);
  }

  /** Whether the text contains a translation of a term, in any form. */
  has({ words, size, characters }: WantedTranslation, language: Inflection): boolean {
    if (characters !== undefined) {
      this.#characters ??= charactersOf(this.#text);
      if (this.#characters.includes(characters)) return true;
    }
    if (words.length === 0) return false;
    this.#runs ??= runsOf(this.#text);
    return this.#runs.some((run) => hasWithin(run, words, size + (words.length > 1 ? SLACK : 0), language));
  }

  /** The names that occur less often than required. */
  missingNames(names: readonly Name[]): readonly Name[] {
    if (names.length === 0) return names;
    const counts = countNames(this.#text, names);
    return names.filter((name, i) => (counts[i] ?? 0) < name.count);
  }
}

function wordsOf(tagged: TaggedText): string {
  if (!/[<&]/.test(tagged)) return tagged;
  return (tokenize(tagged) ?? [])
    .map((token) => (token.type === 'words' ? token.text : token.type === 'placeholder' ? BARRIER : EDGE))
    .join('');
}

/** The folded words between placeholders. */
function runsOf(text: string): readonly (readonly string[])[] {
  return text.split(BARRIER).map((run) =>
    piecesOf(run)
      .filter(({ kind }) => kind === 'word')
      .map(({ key }) => foldWord(key)),
  );
}

/** Removes optional characters: a long vowel at the end of a Japanese word, the dot between words. */
function charactersOf(text: string): string {
  return foldWord(text)
    .replace(/[\s\u200b-\u200d・]/g, '')
    .replaceAll(EDGE, '')
    .replace(/(?<=[\p{sc=Katakana}ー]{2})ー(?!\p{sc=Katakana})/gu, '');
}

/** Whether all the words, each in some form and in any order, occur within this many adjacent words. */
function hasWithin(
  run: readonly string[],
  words: readonly string[],
  width: number,
  language: Inflection,
): boolean {
  const last = words.map(() => -Infinity);
  return run.some((found, at) => {
    let isForm = false;
    words.forEach((word, i) => {
      if (!isFormOf(word, found, language)) return;
      last[i] = at;
      isForm = true;
    });
    return isForm && at - Math.min(...last) < width;
  });
}

/** A name that a translation must contain. */
export interface Name {
  /** The name as spelled in the source. */
  readonly spelling: string;
  readonly caseSensitive: boolean;
  /** The minimum number of occurrences. */
  readonly count: number;
}

/**
 * Counts each name in a text. A name inside a longer name is not counted. Endings and particles may follow a name
 * (`Firefoxissa`), but not another word (`JavaScript` does not contain `Java`).
 */
function countNames(text: string, names: readonly Name[]): readonly number[] {
  const counts = names.map(() => 0);
  const sensitive = normalize(text);
  const insensitive = lowerCaseOf(sensitive);
  // In rare cases, a letter and its other case differ in length: only the original text then has correct offsets.
  const taken = {
    sensitive: new Uint8Array(sensitive.length),
    insensitive: new Uint8Array(insensitive.length),
  };
  const shared = sensitive.length === insensitive.length;
  if (shared) taken.insensitive = taken.sensitive;
  const order = names.map((name, i) => ({ name, i })).toSorted((a, b) => compareNames(a.name, b.name));
  for (const { name, i } of order) {
    const [haystack, marks] = name.caseSensitive
      ? [sensitive, taken.sensitive]
      : [insensitive, taken.insensitive];
    const spelling = name.caseSensitive ? normalize(name.spelling) : lowerCaseOf(normalize(name.spelling));
    const original = shared ? sensitive : haystack;
    for (let at = haystack.indexOf(spelling); at >= 0; at = haystack.indexOf(spelling, at + 1)) {
      const end = at + spelling.length;
      if (marks[at] === 1 || marks[end - 1] === 1 || !standsAlone(original, at, end)) continue;
      marks.fill(1, at, end);
      counts[i] = (counts[i] ?? 0) + 1;
    }
  }
  return counts;
}

/** Longer names come first; of equally long ones, those that are case-sensitive. */
function compareNames(a: Name, b: Name): number {
  return b.spelling.length - a.spelling.length || Number(b.caseSensitive) - Number(a.caseSensitive);
}

/** A key that is equal for names that match the same text. */
export function identityOf({ spelling, caseSensitive }: Pick<Name, 'spelling' | 'caseSensitive'>): string {
  const text = normalize(spelling);
  return caseSensitive ? `=${text}` : `~${lowerCaseOf(text)}`;
}

function normalize(text: string): string {
  return text.normalize('NFC').replace(/[\s\u00a0]+/g, ' ');
}

const IN_WORD = /[\p{L}\p{M}\p{N}\p{Pc}]/u;
/** Letters of scripts in which words may be attached to the preceding one. */
const JOINED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Hangul}]/u;
const LATIN = /[\p{sc=Latin}\p{sc=Common}\p{sc=Inherited}]/u;

function standsAlone(text: string, start: number, end: number): boolean {
  const before = lastCharacter(text.slice(Math.max(0, start - 2), start));
  const first = firstCharacter(text, start);
  if (continues(before, first)) return false;
  let last = lastCharacter(text.slice(Math.max(start, end - 2), end));
  if (JOINED.test(last)) return true;
  const longest = end - start > 5 ? 6 : end - start > 3 ? 4 : 2;
  let length = 0;
  for (let at = end; at < text.length; length++) {
    const next = firstCharacter(text, at);
    if (!continues(last, next)) break;
    if (length === 0 && /\p{Lu}/u.test(next) && /\p{Ll}/u.test(text.slice(start, end))) return false;
    last = next;
    at += next.length;
    if (length >= longest) return false;
  }
  return true;
}

/** Whether two adjacent characters belong to one word. */
function continues(before: string, after: string): boolean {
  if (!IN_WORD.test(before) || !IN_WORD.test(after)) return false;
  if (JOINED.test(before) || JOINED.test(after)) return false;
  return LATIN.test(before) === LATIN.test(after);
}

function firstCharacter(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 32);
}

function lastCharacter(text: string): string {
  return Array.from(text).at(-1) ?? ' ';
}
