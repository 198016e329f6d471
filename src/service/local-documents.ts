import { DragomanError } from '../base/errors.ts';
import type {
  EmailRequest,
  EmailResponse,
  HtmlRequest,
  HtmlResponse,
  SubtitlesRequest,
  SubtitlesResponse,
} from '../contract/documents.ts';
import { readPage } from '../formats/html/page.ts';
import { scanSubtitles } from '../formats/subtitles/format.ts';
import { requireLanguage } from '../languages/catalog.ts';
import { translateEmail } from '../documents/message/translate-email.ts';
import { PAGES, translateHtml } from '../documents/page/translate-page.ts';
import type { SegmentContext } from '../pipeline/unit.ts';
import { translateSubtitles } from '../documents/subtitles/translate-subtitles.ts';
import type { CallOptions } from './service.ts';
import { documentSource, type LanguageEvidence } from './languages.ts';

type DocumentContext = Omit<SegmentContext, 'source' | 'target'> & CallOptions;

export async function translateHtmlLocally(
  request: HtmlRequest,
  context: DocumentContext,
): Promise<HtmlResponse> {
  const target = requireLanguage(request.target);
  const source = await documentSource(request.source, () => languageOfHtml(request.html));
  const { html, failures } = await translateHtml(request.html, { ...context, source, target });
  reportFailures(failures, html !== request.html, context);
  return { html };
}

export async function translateEmailLocally(
  request: EmailRequest,
  context: DocumentContext,
): Promise<EmailResponse> {
  const target = requireLanguage(request.target);
  const source = await documentSource(request.source, () =>
    languageOfHtml(request.email_body, request.subject),
  );
  const email = { subject: request.subject, html: request.email_body };
  const { subject, html, failures } = await translateEmail(email, { ...context, source, target });
  const changed = subject !== email.subject || html !== email.html;
  reportFailures(failures, changed, context);
  return { subject, html_body: html };
}

export async function translateSubtitlesLocally(
  request: SubtitlesRequest,
  context: DocumentContext,
): Promise<SubtitlesResponse> {
  const { format } = request;
  const target = requireLanguage(request.target);
  const source = await documentSource(request.source, () => ({
    texts: scanSubtitles(request.content, format).slots.map(({ value }) => value),
  }));
  const { content, failures } = await translateSubtitles(request.content, format, {
    ...context,
    source,
    target,
  });
  reportFailures(failures, content !== request.content, context);
  return { format, content };
}

function languageOfHtml(html: string, ...others: readonly string[]): LanguageEvidence {
  const page = readPage(html, {});
  return { declared: PAGES.languageOf(page), texts: [...others, ...PAGES.textsOf(page)] };
}

interface DocumentFailure {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly reason: string;
}

/**
 * Reports texts that kept their source.
 *
 * @throws DragomanError `engine_failed` if this affects the whole document: the source is never returned as its
 * translation
 */
function reportFailures(
  failures: readonly DocumentFailure[],
  changed: boolean,
  { onFailure }: CallOptions,
): void {
  const [first] = failures;
  if (first && !changed) {
    throw new DragomanError('engine_failed', `the document could not be translated: ${first.reason}`);
  }
  for (const { line, column, reason } of failures) {
    onFailure?.(line === undefined ? reason : `line ${line}, column ${column ?? 1}: ${reason}`);
  }
}
