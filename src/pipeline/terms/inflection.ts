import { languageOf } from '../../languages/locale.ts';
import { isAscii, lowerCaseOf } from './word-segmentation.ts';

/**
 * Whether words are forms of each other, without knowing the grammar: the same beginning, and short endings. Case and
 * diacritics are ignored, because a plural may change them (`Haus`, `Häuser`). A wrong match hides a missing term, and
 * a missed match reports a good translation as faulty. Both are rare, and neither changes a value.
 */

/** Diacritics, and the vowels of Arabic and Hebrew: in other scripts marks are letters. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0640]/g;
/** Letters and their replacements: without strokes, and in Arabic, Persian and Hebrew at the end of words. */
const LETTERS = new Map(
  Object.entries({ æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h' }).concat(
    Object.entries({ ى: 'ي', ة: 'ه', ک: 'ك', ی: 'ي', ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' }),
  ),
);

/** A word without case and diacritics. */
export function foldWord(word: string): string {
  const lower = lowerCaseOf(word);
  if (isAscii(lower)) return lower;
  const bare = lower.normalize('NFKD').replace(MARKS, '').normalize('NFC');
  return bare.replace(/[æœøłđðþħىةکیךםןףץ]/g, (letter) => LETTERS.get(letter) ?? letter);
}

/** Languages that form compounds (`Benutzerkonto`, `käyttäjätili`), or add prefixes (`keakunan` from `akun`). */
const INSIDE: ReadonlySet<string> = new Set(
  'de nl af fy lb da sv no nb nn is fo fi et hu se ko id ms jv su mg sw zu xh st tn rw rn sn ny ln'.split(
    ' ',
  ),
);

/** Languages that combine several endings. */
const LONG_ENDS: ReadonlySet<string> = new Set(
  'tr az kk ky uz tk tt ba ug fi et hu se eu ka hy ta te kn ml mn qu ko ne si'.split(' '),
);

/** Languages that change the first letter. */
const MUTATING: ReadonlySet<string> = new Set('cy ga gd br kw gv'.split(' '));

/** The properties of a target language's inflection that matter here. */
export interface Inflection {
  readonly isInside: boolean;
  readonly isMutating: boolean;
  /** The maximum length of an ending, added or replacing the word's own. */
  readonly longestAfter: number;
  readonly longestInstead: number;
  /** The maximum growth if an ending is replaced; half as much in short words. */
  readonly longestMore: number;
}

export function inflectionOf(language: string): Inflection {
  const code = languageOf(language);
  const isLong = LONG_ENDS.has(code);
  return {
    isInside: INSIDE.has(code),
    isMutating: MUTATING.has(code),
    longestAfter: isLong ? 12 : 5,
    longestInstead: isLong ? 10 : 4,
    longestMore: isLong ? 20 : 2,
  };
}

/** Whether a folded word of a text may be a form of a folded word of a term. */
export function isFormOf(term: string, word: string, language: Inflection): boolean {
  if (term === word || hasSameBeginning(term, word, language)) return true;
  if (language.isInside && isInside(term, word, language)) return true;
  if (term.length >= 4 && language.isMutating) {
    const rest = term.slice(1);
    return [0, 1, 2].some((letters) => hasSameBeginning(rest, word.slice(letters), language));
  }
  if (isAscii(term)) return false;
  if (ARABIC.test(term)) return isArabicForm(term, word, language);
  return (
    HEBREW.test(term) && withoutHebrewPrefixes(word).some((bare) => hasSameBeginning(term, bare, language))
  );
}

/** Whether the term is part of a compound, unchanged or as its last word. */
function isInside(term: string, word: string, language: Inflection): boolean {
  if (term.length < 3) return false;
  // Short words occur in many others, so they only match at the ends.
  if (term.length === 3) {
    const last = word.lastIndexOf(term);
    return word.startsWith(term) || (last > 0 && word.length - last <= 6);
  }
  if (word.includes(term)) return true;
  const beginning = term.slice(0, Math.max(4, Math.ceil(0.6 * term.length)));
  const at = word.lastIndexOf(beginning);
  return at > 0 && hasSameBeginning(term, word.slice(at), language);
}

function hasSameBeginning(term: string, word: string, language: Inflection): boolean {
  if (term === word) return true;
  // Every form below shares its first letter with the word.
  if (term.charCodeAt(0) !== word.charCodeAt(0)) return false;
  const { longestAfter, longestInstead, longestMore } = language;
  if (word.startsWith(term)) return word.length - term.length <= endAfter(term.length, longestAfter);
  if (term.length < 4) return false;
  const common = commonPrefix(term, word);
  const end = word.length - common;
  const replaced = term.length - common;
  if (common >= 3 && common >= 0.6 * term.length && replaced <= 3) {
    const more = term.length > 5 ? longestMore : longestMore / 2;
    if (end <= Math.min(longestInstead, replaced + more)) return true;
  }
  return hasFleetingVowel(term, word);
}

/** Whether the word lacks a vowel that disappears before an ending: `účet`, `účtu`; `okno`, `okien`. */
function hasFleetingVowel(term: string, word: string): boolean {
  if (/[aeoаеёо][^aeiouyаеёиоуыэюя]$/.test(term)) {
    const stem = term.slice(0, -2) + term.slice(-1);
    return stem.length >= 3 && word.startsWith(stem) && word.length - stem.length <= 4;
  }
  const [, beginning, consonant] = /^(.+[^aeiouy])([^aeiouyаеёиоуыэюя])[aeiouyаеёиоуыэюя]$/.exec(term) ?? [];
  if (beginning === undefined || consonant === undefined || !word.startsWith(beginning)) return false;
  return /^[aeiouyаеёиоуыэюя]{1,2}.$/.test(word.slice(beginning.length)) && word.endsWith(consonant);
}

/** The maximum length of an ending: words of one letter have no ending, and short words have a short one. */
function endAfter(length: number, longest: number): number {
  if (length >= 4) return longest;
  return [0, 0, 2, 3][length] ?? 0;
}

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

const ARABIC = /\p{sc=Arabic}/u;
const HEBREW = /\p{sc=Hebrew}/u;

/** Arabic attaches conjunctions, prepositions and the article to the next word. */
function isArabicForm(term: string, word: string, language: Inflection): boolean {
  const bare = withoutArticle(term);
  return withoutArabicPrefixes(word).some((rest) => hasSameBeginning(bare, rest, language));
}

function withoutArticle(word: string): string {
  return word.length > 4 && word.startsWith('ال') ? word.slice(2) : word;
}

function withoutArabicPrefixes(word: string): readonly string[] {
  const forms = [word];
  for (const prefix of [/^[وف]/, /^[بكل]/, /^(?:ال|ل)/]) {
    const shorter = forms.map((form) => form.replace(prefix, ''));
    forms.push(...shorter.filter((rest, i) => rest !== forms[i] && rest.length >= 3));
  }
  return forms;
}

function withoutHebrewPrefixes(word: string): readonly string[] {
  const letters = /^[ושהבלכמ]{1,3}/.exec(word)?.[0].length ?? 0;
  return Array.from({ length: letters }, (_, i) => word.slice(i + 1)).filter((rest) => rest.length >= 2);
}
