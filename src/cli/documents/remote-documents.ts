import { countCodePoints } from '../../base/code-points.ts';
import { DragomanError } from '../../base/errors.ts';
import { MAX_HTML } from '../../contract/limits.ts';
import type { SubtitlesRequest } from '../../contract/documents.ts';
import { translateEmail, type TranslatedEmail } from '../../documents/message/translate-email.ts';
import { PAGES, readAnsweredPage, type TranslatedHtml } from '../../documents/page/translate-page.ts';
import { readCues } from '../../documents/subtitles/answer.ts';
import type { SubtitleOptions } from '../../documents/subtitles/file-translation.ts';
import { SUBTITLES, type TranslatedSubtitles } from '../../documents/subtitles/translate-subtitles.ts';
import type { Engine } from '../../engines/engine.ts';
import { ANSWER_ONLY_ENGINE } from '../../engines/unasked.ts';
import { type Page, readPage } from '../../formats/html/page.ts';
import type { SubtitleDocument } from '../../formats/subtitles/document.ts';
import type { SegmentContext } from '../../pipeline/unit.ts';
import type { TranslationService } from '../../service/service.ts';
import { digits } from '../terminal/table.ts';

/**
 * Documents that a service translates as a whole, in one request each. It does not report which texts kept their
 * source. Texts of its answer that do not verify are sent again one by one.
 */

interface DocumentDirection {
  /** `auto` or canonical. */
  readonly source: string;
  readonly target: string;
  readonly signal: AbortSignal;
}

interface DocumentService {
  readonly service: TranslationService;
  /** The same service for single texts. */
  readonly engine: Engine;
}

/** How to verify the texts of an answer. Without a source language, no engine can retry a text. */
function contextOf({ engine }: DocumentService, direction: DocumentDirection): SegmentContext {
  return direction.source === 'auto'
    ? { ...direction, source: 'und', engine: ANSWER_ONLY_ENGINE }
    : { ...direction, engine };
}

/**
 * Specification: `POST /v2/translate/html`. A page without words is free.
 *
 * @param name the page's name for messages
 * @throws DragomanError `limit_exceeded`, and `contract_violation` for an answer whose markup differs from the page's
 */
export async function translatePageRemotely(
  services: DocumentService,
  page: Page,
  name: string,
  direction: DocumentDirection,
): Promise<TranslatedHtml> {
  const { html, textNodes } = page;
  if (page.blocks.length === 0) return { html, textNodes, failures: [] };
  requireFit(html, MAX_HTML, name, 'Add --by-text to send its texts one by one, at 1 credit each.');
  const { source, target, signal } = direction;
  const { html: translated } = await services.service.translateHtml({ html, source, target }, { signal });
  const answer = readAnsweredPage(page, translated, name);
  return PAGES.translate(page, { ...contextOf(services, direction), answer });
}

interface EmailBody {
  readonly subject: string;
  readonly html: string;
  /** The name of the document in messages. */
  readonly name: string;
}

/**
 * Specification: `POST /v2/translate/email`.
 *
 * @throws DragomanError `contract_violation` if the answer's body has different markup
 */
export async function translateEmailRemotely(
  services: DocumentService,
  { subject, html, name }: EmailBody,
  direction: DocumentDirection,
): Promise<TranslatedEmail> {
  const { source, target, signal } = direction;
  const request = { subject, email_body: html, source, target };
  const answer = await services.service.translateEmail(request, { signal });
  const page = readAnsweredPage(readPage(html), answer.html_body, name);
  return translateEmail(
    { subject, html, answer: { subject: answer.subject, page } },
    contextOf(services, direction),
  );
}

/** Subtitles in one of the specification's formats. */
export interface SpecifiedSubtitles {
  readonly document: SubtitleDocument;
  readonly name: string;
  readonly format: SubtitlesRequest['format'];
}

/**
 * Specification: `POST /v2/translate/subtitles`, which has no character limit.
 *
 * @throws DragomanError `contract_violation` if the answer has different cues
 */
export async function translateSubtitlesRemotely(
  services: DocumentService,
  { document, format, name }: SpecifiedSubtitles,
  direction: DocumentDirection,
  options: SubtitleOptions,
): Promise<TranslatedSubtitles> {
  const { source, target, signal } = direction;
  const request = { content: document.text, format, source, target };
  const { content } = await services.service.translateSubtitles(request, { signal });
  const answers = readCues(document, content, name);
  return SUBTITLES.translate(document, { ...contextOf(services, direction), options, answers });
}

/** Whether the service accepts this much in one request (specification, Limits). */
export function fits(text: string, limit: number): boolean {
  return countCodePoints(text, limit) <= limit;
}

/** @throws DragomanError `limit_exceeded` before anything is sent */
function requireFit(text: string, limit: number, what: string, hint: string): void {
  if (fits(text, limit)) return;
  const length = digits(countCodePoints(text));
  throw new DragomanError(
    'limit_exceeded',
    `${what} has ${length} characters, but the service accepts at most ${digits(limit)} at once`,
    { hint },
  );
}
