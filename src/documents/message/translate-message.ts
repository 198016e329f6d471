import PQueue from 'p-queue';
import { DragomanError } from '../../base/errors.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import { type Edit, positionsIn, splice } from '../../base/span.ts';
import type { Email } from '../../formats/email/email.ts';
import { languagesIn, onlyLanguage } from '../../formats/email/header.ts';
import { readParagraphs } from '../../formats/email/paragraphs.ts';
import { type EmailValues, renderEmail } from '../../formats/email/render.ts';
import type { TextPart } from '../../formats/email/text-part.ts';
import { readPage } from '../../formats/html/page.ts';
import type { SegmentContext } from '../../pipeline/unit.ts';
import { translateUnits } from '../../pipeline/units.ts';
import type { DocumentKind, TextFailure } from '../kind.ts';
import { PAGES, translateHtml } from '../page/translate-page.ts';
import { translateSubject } from './translate-email.ts';

export interface TranslatedMessage {
  readonly email: Email;
  readonly bytes: Uint8Array;
  /** The number of subjects, paragraphs and text nodes to translate. */
  readonly texts: number;
  readonly failures: readonly TextFailure[];
}

interface PartFailure {
  readonly offset: number;
  readonly reason: string;
}

/**
 * Translates the subject and the text parts of a message concurrently. No byte of other headers, boundaries,
 * attachments or nested messages changes; a text that fails keeps its source and is reported.
 *
 * @throws DragomanError `engine_unavailable`, `interrupted`, `integrity`
 */
export async function translateMessage(email: Email, context: SegmentContext): Promise<TranslatedMessage> {
  const failures: PartFailure[] = [...email.skipped];
  // Each part already consists of many batches: more concurrent parts would only use more memory.
  const queue = new PQueue({ concurrency: 2 });
  const [subject, bodies] = await Promise.all([
    subjectOf(email, context, failures),
    Promise.all(email.texts.map((part) => queue.add(() => translateBody(email, part, context)))),
  ]);
  throwIfAborted(context.signal);
  const texts = new Map<number, string>();
  for (const [i, part] of email.texts.entries()) {
    const body = bodies[i];
    if (!body) continue;
    if (body.text !== part.text) texts.set(i, body.text);
    for (const { line, reason } of body.failures) failures.push({ offset: part.offsetOfLine(line), reason });
  }
  const rendered = renderWhatHolds(email, { subject, texts }, failures);
  const positionOf = positionsIn(email.text);
  const count = bodies.reduce((sum, body) => sum + body.texts, email.subject ? 1 : 0);
  return {
    email: rendered,
    bytes: Buffer.from(rendered.text, 'latin1'),
    texts: count + email.skipped.length,
    failures: failures
      .sort((a, b) => a.offset - b.offset)
      .map(({ offset, reason }) => ({ ...positionOf(offset), reason })),
  };
}

async function subjectOf(
  { subject }: Email,
  context: SegmentContext,
  failures: PartFailure[],
): Promise<string | undefined> {
  if (!subject) return undefined;
  const offset = subject.span.start;
  if (subject.value.includes('\ufffd')) {
    failures.push({ offset, reason: 'the encoded words of the subject cannot be decoded' });
    return undefined;
  }
  const outcome = await translateSubject(subject.value, context);
  if ('failure' in outcome) failures.push({ offset, reason: outcome.failure });
  return 'failure' in outcome || outcome.value === subject.value ? undefined : outcome.value;
}

async function translateBody(
  { text }: Email,
  part: TextPart,
  context: SegmentContext,
): Promise<TranslatedBody> {
  try {
    return part.kind === 'plain' ? await translatePlain(part, context) : await translatePage(part, context);
  } catch (error) {
    if (!(error instanceof DragomanError) || !error.at) throw error;
    // Converts lines of the part to lines of the file.
    const at = positionsIn(text)(part.offsetOfLine(error.at.line - 1));
    throw new DragomanError(error.code, error.message, { hint: error.hint, at, cause: error });
  }
}

async function translatePage(part: TextPart, context: SegmentContext): Promise<TranslatedBody> {
  const { html, textNodes, failures } = await translateHtml(part.text, context);
  return {
    text: html,
    texts: textNodes,
    failures: failures.map(({ line, reason }) => ({ line: line - 1, reason })),
  };
}

/** Writes all values; if they do not read back together, adds one by one those that do. */
function renderWhatHolds(email: Email, values: EmailValues, failures: PartFailure[]): Email {
  try {
    return renderEmail(email, values);
  } catch (error) {
    if (!isIntegrity(error)) throw error;
  }
  let held: EmailValues = { texts: new Map() };
  const hold = (next: EmailValues, offset: number): void => {
    try {
      renderEmail(email, next);
      held = next;
    } catch (error) {
      if (!isIntegrity(error)) throw error;
      failures.push({ offset, reason: error.message });
    }
  };
  if (values.subject !== undefined) {
    hold({ ...held, subject: values.subject }, email.subject?.span.start ?? 0);
  }
  for (const [i, text] of values.texts) {
    const offset = email.texts[i]?.part.body.start ?? 0;
    hold({ ...held, texts: new Map([...held.texts, [i, text]]) }, offset);
  }
  return renderEmail(email, held);
}

function isIntegrity(error: unknown): error is DragomanError {
  return error instanceof DragomanError && error.code === 'integrity';
}

/** A translated text of a message. */
interface TranslatedBody {
  readonly text: string;
  /** The number of paragraphs or text nodes to translate. */
  readonly texts: number;
  /** Texts that keep their source; lines count from 0. */
  readonly failures: readonly { readonly line: number; readonly reason: string }[];
}

/**
 * Translates a text/plain part by paragraphs; one that fails keeps its source.
 *
 * @throws DragomanError like {@link translateUnits}
 */
async function translatePlain(part: TextPart, context: SegmentContext): Promise<TranslatedBody> {
  const paragraphs = readParagraphs(part.text, part.flowed);
  const units = paragraphs.map(({ value }) => ({ value, syntax: 'plain' as const }));
  const outcomes = await translateUnits(units, context);
  const edits: Edit[] = [];
  const failures: { line: number; reason: string }[] = [];
  for (const [i, paragraph] of paragraphs.entries()) {
    const outcome = outcomes[i];
    if (!outcome || 'failure' in outcome) {
      failures.push({ line: paragraph.line, reason: outcome?.failure ?? 'no outcome' });
    } else if (outcome.value !== paragraph.value) {
      edits.push({ span: paragraph.span, text: paragraph.write(outcome.value) });
    }
  }
  return { text: splice(part.text, edits), texts: paragraphs.length, failures };
}

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
   * Its `Content-Language` (RFC 3282), otherwise the language that its parts declare in header fields or HTML.
   * Undefined if it declares several.
   *
   * @throws DragomanError `limit_exceeded` like `readPage`
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
