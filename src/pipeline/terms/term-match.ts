import { type TaggedText, tokenize } from '../../text/tagged.ts';
import { foldWord, type Inflection, isFormOf } from './inflection.ts';
import { lowerCaseOf, piecesOf } from './word-segmentation.ts';

/** Stands where a placeholder is: it is in no word and in no term. */
const BARRIER = '\u0000';
/** Stands where markup begins or ends: words end there, as items of a list do, and terms go on. */
const EDGE = '\u0001';

/** Words that may stand between and among the words of a term. */
const SLACK = 3;

/** A translation that a term may have, prepared for looking it up. */
export interface WantedTranslation {
  /** Its words, folded; empty where only its characters tell. */
  readonly words: readonly string[];
  /** How many words it has with those that do not matter. */
  readonly size: number;
  /** Its characters, folded, without spaces; undefined where only its words tell. */
  readonly characters: string | undefined;
}

/** Looks a translation of a term up by words where its script has any, else by characters. */
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
  // Prepositions change with what follows, and little words in capitals are none.
  const telling = words.filter((word) => word.length > 2 || word !== word.toLowerCase());
  return {
    words:
      isMixed || (symbols > 0 && letters <= 3) ? [] : (telling.length > 0 ? telling : words).map(foldWord),
    size: words.length,
    characters: byCharacters ? charactersOf(translation) : undefined,
  };
}

/** The words of one translation, or of the parts of one, for all questions about its terms. */
export class TranslationWords {
  /** In reading order. */
  readonly #text: string;
  #runs: readonly (readonly string[])[] | undefined;
  #characters: string | undefined;

  constructor(texts: readonly TaggedText[]) {
    this.#text = texts.map(wordsOf).join(BARRIER);
  }

  /** Whether it has a translation of a term, in any form. */
  has({ words, size, characters }: WantedTranslation, language: Inflection): boolean {
    if (characters !== undefined) {
      this.#characters ??= charactersOf(this.#text);
      if (this.#characters.includes(characters)) return true;
    }
    if (words.length === 0) return false;
    this.#runs ??= runsOf(this.#text);
    return this.#runs.some((run) => hasWithin(run, words, size + (words.length > 1 ? SLACK : 0), language));
  }

  /** Those of the names that are there less often than they should be. */
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

/** Signs that are written or not: a long vowel at the end of a Japanese word, the dot between words. */
function charactersOf(text: string): string {
  return foldWord(text)
    .replace(/[\s\u200b-\u200d・]/g, '')
    .replaceAll(EDGE, '')
    .replace(/(?<=[\p{sc=Katakana}ー]{2})ー(?!\p{sc=Katakana})/gu, '');
}

/** Whether all the words, each in some form, stand in any order among so many words side by side. */
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

/** A name that has to stand in a translation. */
export interface Name {
  /** As it stands in the source. */
  readonly spelling: string;
  readonly caseSensitive: boolean;
  /** At least so many times. */
  readonly count: number;
}

/**
 * How often each name stands in a text. One that is part of a longer one is not counted there. Endings and particles
 * may follow a name (`Firefoxissa`), another word may not (`JavaScript` is no `Java`).
 */
function countNames(text: string, names: readonly Name[]): readonly number[] {
  const counts = names.map(() => 0);
  const sensitive = normalize(text);
  const insensitive = lowerCaseOf(sensitive);
  // Letters of which the other case has another length are rare: then only the places of the text itself are right.
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

/** The longest first, and before one that may be written in any case the one that may not. */
function compareNames(a: Name, b: Name): number {
  return b.spelling.length - a.spelling.length || Number(b.caseSensitive) - Number(a.caseSensitive);
}

/** The same for names that are the same wherever they stand. */
export function identityOf({ spelling, caseSensitive }: Pick<Name, 'spelling' | 'caseSensitive'>): string {
  const text = normalize(spelling);
  return caseSensitive ? `=${text}` : `~${lowerCaseOf(text)}`;
}

function normalize(text: string): string {
  return text.normalize('NFC').replace(/[\s\u00a0]+/g, ' ');
}

const IN_WORD = /[\p{L}\p{M}\p{N}\p{Pc}]/u;
/** Letters of scripts in which words are written together with what is before them. */
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

/** Whether two characters side by side are of one word. */
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
