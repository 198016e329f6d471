import { parseLocale } from './locale.ts';
import { languageOfCountry } from './rare.ts';

/** Codes that usually stand for words, sizes or things in names, not for languages: `sign_in`, `text-lg`, `main.rs`. */
const WORDS: ReadonlySet<string> = new Set(
  (
    'al am an as be ch co do gb go he ho id ie in io ir is it la lg li lo me mi my na no om or os pi rs sc se sm so st ' +
    'to ts tt us ve'
  ).split(' '),
);

/** Whether a language code in a name is usually a word: `to`, `it`. */
export function isWord(code: string): boolean {
  return WORDS.has(code);
}

/**
 * Same as {@link parseLocale}, but includes countries that stand for a language in the names of documents: `cn` is
 * Chinese. `us` and `rs` are usually words.
 */
export function parseDocumentLocale(spelling: string): string | undefined {
  return parseLocale(spelling) ?? (isWord(spelling) ? undefined : languageOfCountry(spelling));
}
