import type { Span } from '../../base/span.ts';
import type { MessagePlace } from './catalog.ts';
import { roleOf } from './flags.ts';
import { lineEnd } from './tokens.ts';
import { countBreaks, indentationStart } from '../lines.ts';

/**
 * A message with the comments that belong to it. Notes of translators that a blank line separates from it, such as
 * a licence at the top of the file, belong to the file.
 */
export function messageSpan(text: string, message: MessagePlace): Span {
  // The keyword of an obsolete message stands behind its `#~`.
  let start = message.obsolete ? text.lastIndexOf('#~', message.span.start) : message.span.start;
  let next = start;
  let detached = false;
  for (const comment of message.comments.toReversed()) {
    detached ||= countBreaks(text, comment.end, next) === 2;
    const role = roleOf(text, comment);
    if (!detached || role !== 'translator') {
      start = comment.start;
      detached = false;
    }
    next = comment.start;
  }
  // Whatever else stands on the last `#~` line is obsolete too.
  const end = message.obsolete ? lineEnd(text, message.span.end) : message.span.end;
  return { start: indentationStart(text, start) ?? start, end };
}

/** The spans of obsolete messages, in file order, those that share a line as one. */
export function obsoleteSpans(text: string, messages: readonly MessagePlace[]): readonly Span[] {
  const spans: { start: number; end: number }[] = [];
  for (const message of messages) {
    const { start, end } = messageSpan(text, message);
    const last = spans.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  return spans;
}
