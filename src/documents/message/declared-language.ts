import type { Email } from '../../formats/email/email.ts';
import { languagesIn, onlyLanguage } from '../../formats/email/language.ts';
import { readPage } from '../../formats/html/page.ts';
import { languageOfPage } from '../localization/declared-language.ts';

/**
 * The language that a message declares, canonical: its `Content-Language` (RFC 3282), or else what those of its texts
 * that declare one agree on, by a field of their part or as pages. Undefined where it declares several, or none that
 * is known.
 *
 * @throws DragomanError `limit_exceeded` as `readPage`.
 */
export function languageOfEmail({ text, root, texts }: Email): string | undefined {
  const own = languagesIn(text, root.header);
  if (own.length > 0) return onlyLanguage(own);
  return onlyLanguage(
    texts.flatMap(({ part, kind, text: body }) => {
      const declared = languagesIn(text, part.header);
      if (declared.length > 0 || kind !== 'html') return declared;
      const page = languageOfPage(readPage(body));
      return page === undefined ? [] : [page];
    }),
  );
}
