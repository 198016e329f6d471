import { countCodePoints } from '../../base/code-points.ts';
import { DragomanError } from '../../base/errors.ts';
import { MAX_HTML } from '../../contract/limits.ts';
import type { SubtitlesRequest } from '../../contract/documents.ts';
import type { TranslatedEmail } from '../../documents/message/translate-email.ts';
import { comparePages, type TranslatedHtml } from '../../documents/page/translate-page.ts';
import { takeCues } from '../../documents/subtitles/answer.ts';
import type { SubtitleOptions, TranslatedSubtitles } from '../../documents/subtitles/translate-subtitles.ts';
import { subjectLike } from '../../formats/email/subject.ts';
import { type Page, readPage } from '../../formats/html/page.ts';
import type { TranslationService } from '../../service/service.ts';
import type { SubtitleFile } from '../subtitles/subtitle-file.ts';
import { digits } from '../table.ts';

/** Documents that a service translates whole, in one request each. It does not say which texts kept their source. */

interface DocumentDirection {
  /** `auto` or canonical. */
  readonly source: string;
  readonly target: string;
  readonly signal: AbortSignal;
}

/** What the service did to bytes that it should have left alone. */
interface Warned {
  readonly warning: string | undefined;
}

/**
 * Specification: `POST /v2/translate/html`. A page without words costs nothing.
 *
 * @param name of the page, for messages
 * @throws DragomanError `limit_exceeded`, and `contract_violation` for an answer with other elements than the page.
 */
export async function translatePageRemotely(
  service: TranslationService,
  page: Page,
  name: string,
  { source, target, signal }: DocumentDirection,
): Promise<TranslatedHtml & Warned> {
  const { html, textNodes } = page;
  if (page.blocks.length === 0) return { html, textNodes, failures: [], warning: undefined };
  requireFit(
    html,
    MAX_HTML,
    name,
    'With --by-text its texts are sent one by one, and each of them costs a credit.',
  );
  const answer = await service.translateHtml({ html, source, target }, { signal });
  return { html: answer.html, textNodes, failures: [], warning: comparePages(page, answer.html, name) };
}

interface EmailBody {
  readonly subject: string;
  readonly html: string;
  /** For messages to the user. */
  readonly name: string;
}

/**
 * Specification: `POST /v2/translate/email`.
 *
 * @throws DragomanError `contract_violation` for a body with other elements.
 */
export async function translateEmailRemotely(
  service: TranslationService,
  { subject, html, name }: EmailBody,
  { source, target, signal }: DocumentDirection,
): Promise<TranslatedEmail & Warned> {
  const page = readPage(html);
  const answer = await service.translateEmail({ subject, email_body: html, source, target }, { signal });
  return {
    // A subject is one line wherever it is used, whatever a server sends.
    subject: /[\r\n]/.test(subject) ? answer.subject : subjectLike(subject, answer.subject),
    html: answer.html_body,
    textNodes: page.textNodes,
    failures: [],
    warning: comparePages(page, answer.html_body, name),
  };
}

/** Subtitles in a format that the specification has. */
export interface SpecifiedSubtitles extends Pick<SubtitleFile, 'document' | 'name'> {
  readonly format: SubtitlesRequest['format'];
}

/**
 * Specification: `POST /v2/translate/subtitles`, which has no limit of characters.
 *
 * @throws DragomanError `contract_violation` for an answer with other cues.
 */
export async function translateSubtitlesRemotely(
  service: TranslationService,
  { document, format, name }: SpecifiedSubtitles,
  { source, target, signal }: DocumentDirection,
  options: SubtitleOptions,
): Promise<TranslatedSubtitles> {
  const request = { content: document.text, format, source, target };
  const { content } = await service.translateSubtitles(request, { signal });
  return takeCues({ document, name, answer: content, target, options });
}

/** Whether the service takes this much in one request (specification, Limits). */
export function fits(text: string, limit: number): boolean {
  return countCodePoints(text, limit) <= limit;
}

/** @throws DragomanError `limit_exceeded` before anything is sent. */
function requireFit(text: string, limit: number, what: string, hint: string): void {
  if (fits(text, limit)) return;
  const length = digits(countCodePoints(text));
  throw new DragomanError(
    'limit_exceeded',
    `${what} has ${length} characters, and the service takes ${digits(limit)} at once`,
    { hint },
  );
}
