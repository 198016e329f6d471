import { tokenize, type TaggedText } from '../../text/tagged.ts';
import { foldWord, isFormOf, type Inflection } from './inflection.ts';
import { countNames, type Name } from './names.ts';
import { piecesOf } from './word-segmentation.ts';

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
