import { parseLocale, sameLanguage } from '../../languages/locale.ts';

/** A language that is not imported. */
export const UNWANTED = Symbol('unwanted');

/**
 * The language under which a translation is imported: its own, or a wanted one that only differs in the region, if the
 * text has no translation into exactly that one.
 *
 * @param wanted canonical codes; undefined: all
 * @param others all translations of the text
 * @returns a canonical code; undefined if the language is unknown
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
