import { subjectLike } from '../../formats/email/subject.ts';
import { readPage } from '../../formats/html/page.ts';
import type { TranslatedEmail } from '../../pipeline/email/translate-email.ts';
import type { TranslationService } from '../../service/service.ts';
import { examine } from '../html/remote-page.ts';

export interface RemoteEmail {
  readonly subject: string;
  readonly html: string;
  /** For messages to the user. */
  readonly name: string;
}

export interface Direction {
  /** `auto` or canonical. */
  readonly source: string;
  readonly target: string;
  readonly signal: AbortSignal;
}

/**
 * Has a subject and an HTML body translated in one request (specification: `POST /v2/translate/email`). The service
 * does not say which texts kept their source.
 *
 * @throws DragomanError `contract_violation` for a body with other elements.
 */
export async function translateEmailThere(
  service: TranslationService,
  { subject, html, name }: RemoteEmail,
  { source, target, signal }: Direction,
): Promise<TranslatedEmail & { readonly warning: string | undefined }> {
  const page = readPage(html);
  const answer = await service.translateEmail({ subject, email_body: html, source, target }, { signal });
  return {
    // A subject is one line wherever it is used, whatever a server sends.
    subject: /[\r\n]/.test(subject) ? answer.subject : subjectLike(subject, answer.subject),
    html: answer.html_body,
    textNodes: page.textNodes,
    failures: [],
    warning: examine(page, answer.html_body, name),
  };
}
