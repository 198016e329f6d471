import { languageOf, parseLocale, withLikelyRegion } from './locale.ts';
import { languageOfCountry } from './rare.ts';

/** Codes that usually stand for words, sizes or things in names, not for languages: `sign_in`, `text-lg`, `main.rs`. */
const WORDS: ReadonlySet<string> = new Set(
  (
    'al am an as be ch co do gb go he ho id ie in io ir is it la lg li lo me mi my na no om or os pi rs sc se sm so st ' +
    'to ts tt us ve'
  ).split(' '),
);

/** English words that are codes of languages, of countries or of both. */
const ENGLISH: ReadonlySet<string> = new Set(
  'ad am as at be by co do ha he hi id in is it la lo me my no or pm so to tv'.split(' '),
);

/** Whether a language code in a name is usually a word or two: `to`, `it`, `to-do`, `as_is`. */
export function isWord(code: string): boolean {
  return WORDS.has(code) || isWordPair(code);
}

/** Whether a code consists of two words, as in `to-do`, although few people speak that language in that country. */
export function isWordPair(code: string): boolean {
  const [language = '', region = '', ...more] = code.split(/[-_]/);
  if (more.length > 0 || !ENGLISH.has(language) || !ENGLISH.has(region)) return false;
  const locale = parseLocale(code);
  return locale !== undefined && withLikelyRegion(languageOf(locale)) !== locale;
}

/**
 * Same as {@link parseLocale}, but includes countries that stand for a language in the names of documents: `cn` is
 * Chinese. `us` and `rs` are usually words.
 */
export function parseDocumentLocale(spelling: string): string | undefined {
  return parseLocale(spelling) ?? (isWord(spelling) ? undefined : languageOfCountry(spelling));
}
