import { parseLocale } from '../../languages/locale.ts';
import type { DocumentKind } from '../kind.ts';
import type { OpenFile } from './open-file.ts';
import { translateFile, type FileContext, type TranslatedFile } from './translate-file.ts';

export const LOCALIZATION_FILES: DocumentKind<OpenFile, FileContext, TranslatedFile> = {
  textsOf: ({ document }) => document.slots.map((slot) => slot.source ?? slot.value),

  /**
   * ARB's `@@locale`, the root key of a Rails file, `xml:lang` or `tools:locale` of XML. The locale of a bilingual file is
   * the one that it is translated into; some name that of their sources as well.
   */
  languageOf({ format, document }) {
    const spelling = format.bilingual ? document.sourceLocale : document.locale;
    return spelling === undefined ? undefined : parseLocale(spelling);
  },
  translate: (file, { locale, ...context }) => translateFile(file, locale, context),
};
