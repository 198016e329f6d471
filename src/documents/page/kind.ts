import type { Page } from '../../formats/html/page.ts';
import { decodeText } from '../../formats/html/references.ts';
import { parseLocale } from '../../languages/locale.ts';
import type { DocumentKind } from '../kind.ts';
import { translatePage, type HtmlContext, type TranslatedHtml } from './translate-page.ts';

export const PAGES: DocumentKind<Page, HtmlContext, TranslatedHtml> = {
  textsOf: (page) =>
    page.blocks.map(({ gaps }) =>
      gaps.map(({ start, end }) => decodeText(page.html.slice(start, end))).join(' '),
    ),
  languageOf: ({ language }) => (language === undefined ? undefined : parseLocale(language)),
  translate: translatePage,
};
