import type { Page } from '../formats/html/page.ts';
import { parseLocale } from '../languages/locale.ts';
import type { OpenFile } from './open-file.ts';

/**
 * The language of the texts of a localization file, canonical, where the file itself names it: ARB's `@@locale`, the
 * root key of a Rails file, `xml:lang` or `tools:locale` of XML. Undefined where it names none that is known.
 *
 * A PO file names the language that it is translated into; that of its messages stands nowhere in it.
 */
export function languageOfFile({
  format,
  document,
}: Pick<OpenFile, 'format' | 'document'>): string | undefined {
  return format.carriesSources === true || document.locale === undefined ? undefined : parseLocale(document.locale);
}

/** The language that a page declares, canonical. Undefined where it declares none that is known. */
export function languageOfPage({ language }: Pick<Page, 'language'>): string | undefined {
  return language === undefined ? undefined : parseLocale(language);
}
