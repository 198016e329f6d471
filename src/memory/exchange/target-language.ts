import { parseLocale, sameLanguage } from '../../languages/locale.ts';

/** A language that is not to be imported. */
export const UNWANTED = Symbol('unwanted');

/**
 * The language under which a translation is imported: its own, or a wanted one that differs in the region only, if
 * the text has no translation into exactly that one.
 *
 * @param wanted canonical codes; undefined: all
 * @param others all translations of the text
 * @returns a canonical code; undefined where the language is not known
 */
export function targetOf(
  language: string,
  wanted: readonly string[] | undefined,
  others: readonly { readonly language: string }[] = [],
): string | typeof UNWANTED | undefined {
  const locale = parseLocale(language);
  if (locale === undefined || !wanted || wanted.includes(locale)) return locale;
  const hasOwn = (code: string): boolean => others.some((other) => parseLocale(other.language) === code);
  return wanted.find((code) => sameLanguage(code, locale) && !hasOwn(code)) ?? UNWANTED;
}
