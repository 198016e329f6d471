import { parseLocale } from '../../languages/locale.ts';
import type { DocumentKind } from '../kind.ts';
import type { OpenFile } from './open-file.ts';
import { translateFile, type FileContext, type TranslatedFile } from './translate-file.ts';

export const LOCALIZATION_FILES: DocumentKind<OpenFile, FileContext, TranslatedFile> = {
  textsOf: ({ document }) => document.slots.map((slot) => slot.source ?? slot.value),

  /**
   * ARB's `@@locale`, the root key of a Rails file, `xml:lang` or `tools:locale` of XML. A PO file names the language that
   * it is translated into; that of its messages stands nowhere in it.
   */
  languageOf: ({ format, document }) =>
    format.carriesSources === true || document.locale === undefined
      ? undefined
      : parseLocale(document.locale),
  translate: (file, { locale, ...context }) => translateFile(file, locale, context),
};
