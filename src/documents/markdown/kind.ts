import { parseLocale } from '../../languages/locale.ts';
import type { DocumentKind } from '../kind.ts';
import type { OpenFile } from '../localization/open-file.ts';
import { translateMarkdown, type MarkdownContext, type TranslatedMarkdown } from './translate-markdown.ts';

export const MARKDOWN_FILES: DocumentKind<OpenFile, MarkdownContext, TranslatedMarkdown> = {
  textsOf: ({ document }) => document.slots.map(({ value }) => value.replace(/<[^>]*>/g, ' ')),
  languageOf: ({ document: { locale } }) => (locale === undefined ? undefined : parseLocale(locale)),
  translate: translateMarkdown,
};
