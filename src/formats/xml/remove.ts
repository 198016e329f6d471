import type { Edit, Span } from '../../base/span.ts';

const isBlankInLine = (c: string): boolean => c === ' ' || c === '\t';
const endsLine = (c: string): boolean => c === '\n' || c === '\r';

/** The start of the line, if only white space lies between it and `offset`. */
export function lineStartBefore(text: string, offset: number): number | undefined {
  let at = offset;
  while (at > 0 && isBlankInLine(text.charAt(at - 1))) at--;
  return at === 0 || endsLine(text.charAt(at - 1)) ? at : undefined;
}

/** Removes a span, with its lines if they contain nothing else. */
export function removeSpan(text: string, span: Span): Edit {
  const lineStart = lineStartBefore(text, span.start);
  let end = span.end;
  while (isBlankInLine(text.charAt(end))) end++;
  const lineEnd = text.startsWith('\r\n', end) ? end + 2 : end + 1;
  if (lineStart !== undefined && endsLine(text.charAt(end))) {
    return { span: { start: lineStart, end: lineEnd }, text: '' };
  }
  let start = span.start;
  if (lineStart === undefined) while (isBlankInLine(text.charAt(start - 1))) start--;
  return { span: { start, end: span.end }, text: '' };
}
