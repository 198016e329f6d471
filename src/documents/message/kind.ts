import type { Email } from '../../formats/email/email.ts';
import { languagesIn, onlyLanguage } from '../../formats/email/header.ts';
import { readParagraphs } from '../../formats/email/paragraphs.ts';
import { readPage } from '../../formats/html/page.ts';
import type { SegmentContext } from '../../pipeline/unit.ts';
import type { DocumentKind } from '../kind.ts';
import { PAGES } from '../page/kind.ts';
import { translateMessage, type TranslatedMessage } from './translate-message.ts';

export const MESSAGES: DocumentKind<Email, SegmentContext, TranslatedMessage> = {
  textsOf: ({ subject, texts }) => {
    const bodies = texts.flatMap(({ kind, text, flowed }) =>
      kind === 'html'
        ? PAGES.textsOf(readPage(text))
        : readParagraphs(text, flowed).map(({ value }) => value),
    );
    return [...(subject ? [subject.value] : []), ...bodies];
  },

  /**
   * Its `Content-Language` (RFC 3282), or else what those of its texts that declare one agree on, by a field of their part
   * or as pages. Undefined where it declares several.
   *
   * @throws DragomanError `limit_exceeded` as `readPage`.
   */
  languageOf: ({ text, root, texts }) => {
    const own = languagesIn(text, root.header);
    if (own.length > 0) return onlyLanguage(own);
    return onlyLanguage(
      texts.flatMap(({ part, kind, text: body }) => {
        const declared = languagesIn(text, part.header);
        if (declared.length > 0 || kind !== 'html') return declared;
        const page = PAGES.languageOf(readPage(body));
        return page === undefined ? [] : [page];
      }),
    );
  },
  translate: translateMessage,
};
