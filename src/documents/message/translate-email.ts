import { throwIfAborted } from '../../base/interruption.ts';
import type { Position } from '../../base/span.ts';
import { subjectLike } from '../../formats/email/subject.ts';
import type { Page } from '../../formats/html/page.ts';
import type { SegmentContext, UnitOutcome } from '../../pipeline/unit.ts';
import { translateUnits } from '../../pipeline/units.ts';
import { translateHtml } from '../page/translate-page.ts';

interface EmailTexts {
  readonly subject: string;
  readonly html: string;
  /** Whether the body's encoding can represent a text; see `translateHtml`. Default: always. */
  readonly encodable?: ((text: string) => boolean) | undefined;
  /** A service's answers for subject and body; used if they are valid. */
  readonly answer?: { readonly subject: string; readonly page: Page } | undefined;
}

/** A text that keeps its source, and why. The subject has no position. */
interface EmailFailure extends Partial<Position> {
  readonly part: 'subject' | 'body';
  readonly reason: string;
}

export interface TranslatedEmail {
  readonly subject: string;
  readonly html: string;
  /** The number of text nodes in the body that have words. */
  readonly textNodes: number;
  readonly failures: readonly EmailFailure[];
}

/**
 * Translates a subject as plain text and a body as HTML concurrently (specification: `POST /v2/translate/email`). Texts
 * that fail keep their source and are reported.
 *
 * @throws DragomanError `engine_unavailable`, `interrupted`, and those of {@link translateHtml} for the body
 */
export async function translateEmail(email: EmailTexts, context: SegmentContext): Promise<TranslatedEmail> {
  const [subject, body] = await Promise.all([
    translateSubject(email.subject, context, email.answer?.subject),
    translateHtml(email.html, { ...context, encodable: email.encodable, answer: email.answer?.page }),
  ]);
  throwIfAborted(context.signal);
  const failures: EmailFailure[] = [];
  if ('failure' in subject) failures.push({ part: 'subject', reason: subject.failure });
  for (const failure of body.failures) failures.push({ part: 'body', ...failure });
  return {
    subject: 'failure' in subject ? email.subject : subject.value,
    html: body.html,
    textNodes: body.textNodes,
    failures,
  };
}

/** Marks that mail programs put before the subject of replies, and use to group conversations. */
const REPLY = /^\s*(?:(?:re|fwd?|aw|wg|sv|vs|tr|rv|antw|odp)(?:\[\d{1,3}\])?:\s*)+/i;

/**
 * Translates a subject as plain text. Keeps a reply mark (`Re:`, `Fwd:`) and the blanks at both ends. The result
 * is one line, unless the source has more lines.
 *
 * @param answer a service's answer for it
 * @throws DragomanError like `translateUnits`
 */
export async function translateSubject(
  subject: string,
  context: SegmentContext,
  answer?: string,
): Promise<UnitOutcome> {
  const mark = REPLY.exec(subject)?.[0] ?? '';
  const words = mark === '' ? answer : answer?.replace(REPLY, '');
  const units = [{ value: subject.slice(mark.length), syntax: 'plain' as const, answer: words }];
  const [outcome = { failure: 'no outcome', kind: 'engine' as const }] = await translateUnits(units, context);
  if ('failure' in outcome) return outcome;
  const value = mark + outcome.value;
  if (value === subject || /[\r\n]/.test(subject)) return { ...outcome, value };
  return { ...outcome, value: subjectLike(subject, value) };
}
