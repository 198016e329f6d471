import { languageOf } from '../../languages/locale.ts';

/** How a word of a term may be written in a source text. */
export interface SourceForms {
  /** Under what a word of a term is found. */
  indexKey(word: string): string;
  /** Under what the terms are found that a word of a text may be a form of. Beside itself. */
  lookupKeys(word: string): readonly string[];
  /** Whether the word of the text is a form of the word of the term, given that a key of it is the term's. */
  isForm(term: string, word: string): boolean;
}

/** For names and for what is no word. */
export const EXACT_FORMS: SourceForms = {
  indexKey: (word) => word,
  lookupKeys: () => [],
  isForm: (term, word) => term === word,
};

/** The plural, by its rules: more would take `user` for a form of `used`. */
const ENGLISH: SourceForms = {
  indexKey: (word) => word,
  lookupKeys: singularsOf,
  isForm: () => true,
};

/** Words that look like the plural of what terms may be. */
const NO_PLURALS = /^(?:news|does|its|his|has|was|this|plus|always)$/i;

function singularsOf(word: string): readonly string[] {
  if (word.length < 3 || !/\p{L}s$/iu.test(word) || /ss$/i.test(word) || NO_PLURALS.test(word)) return [];
  const found = [word.slice(0, -1)];
  if (/(?:[sxz]|[cs]h|o)es$/i.test(word)) found.push(word.slice(0, -2));
  if (/[^aeiou]ies$/i.test(word)) found.push(`${word.slice(0, -3)}y`);
  if (/[^aeiou]IES$/.test(word)) found.push(`${word.slice(0, -3)}Y`);
  if (/[aeiourl]ves$/i.test(word)) found.push(`${word.slice(0, -3)}f`, `${word.slice(0, -3)}fe`);
  return found;
}

/** Endings of the languages that have many: short ones after the word, shorter ones instead of its last vowels. */
const ENDINGS: SourceForms = {
  indexKey: coreOf,
  lookupKeys: (word) => {
    const keys: string[] = [];
    for (let length = word.length - 1; length >= Math.max(3, word.length - LONGEST_ENDING); length--) {
      keys.push(word.slice(0, length));
    }
    keys.push(coreOf(word));
    return keys;
  },
  isForm: (term, word) => {
    if (term === word) return true;
    if (term.length < 3 || word.length < 3) return false;
    if (word.startsWith(term)) return word.length - term.length <= LONGEST_ENDING;
    const core = coreOf(term);
    return core !== term && word.startsWith(core) && word.length - core.length <= LONGEST_ENDING - 1;
  },
};

const LONGEST_ENDING = 3;
const LAST_VOWELS = /(?:[аиоуыэюяеё][йяе]|[aeiouyáéíóúàèìòùâêîôûäöüãõąęěůюяаеиоуыьй])$/i;

/** A word without the ending that it has itself. */
function coreOf(word: string): string {
  if (word.length < 4) return word;
  const core = word.replace(LAST_VOWELS, '');
  return core.length < 3 ? word : core;
}

/** How words are inflected in a source language. */
export function sourceFormsOf(language: string): SourceForms {
  return languageOf(language) === 'en' ? ENGLISH : ENDINGS;
}
