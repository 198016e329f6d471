/** Codes that usually stand for words, sizes or things in names, not for languages: `sign_in`, `text-lg`, `opt-os`. */
const WORDS: ReadonlySet<string> = new Set(
  'am an as be ch co do go he ho id ie in io is it la lg li lo me mi my na no om or os pi sc se sm so st to ts tt ve'.split(
    ' ',
  ),
);

/** Whether a language code in a name is usually a word: `to`, `it`. */
export function isWord(code: string): boolean {
  return WORDS.has(code);
}
