import type { Span } from '../../base/span.ts';

/** The lines that a span is alone on, with their last line break; the span itself when it shares a line. */
export function wholeLines(text: string, span: Span): Span {
  const start = indentationStart(text, span.start);
  const stop = blankEnd(text, span.end);
  if (start === undefined || !isLineEnd(text, stop)) return span;
  return { start, end: afterLineBreak(text, stop) };
}

/** Where the line begins, if nothing but blanks stands before `offset` on it. */
export function indentationStart(text: string, offset: number): number | undefined {
  let start = offset;
  while (start > 0 && isBlank(text.charCodeAt(start - 1))) start--;
  return start === 0 || text.charCodeAt(start - 1) === 10 ? start : undefined;
}

/** Behind the blanks that follow `offset` on its line. */
export function blankEnd(text: string, offset: number): number {
  let end = offset;
  while (isBlank(text.charCodeAt(end))) end++;
  return end;
}

/** Whether a line break or the end of the text stands here. */
export function isLineEnd(text: string, offset: number): boolean {
  return offset >= text.length || afterLineBreak(text, offset) > offset;
}

/** Behind the line break that stands here, if one does. */
export function afterLineBreak(text: string, offset: number): number {
  const feed = text.charCodeAt(offset) === 13 ? offset + 1 : offset;
  return text.charCodeAt(feed) === 10 ? feed + 1 : offset;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** Behind the line that starts here, if it is blank. */
export function afterBlankLine(text: string, lineStart: number): number {
  const end = blankEnd(text, lineStart);
  return isLineEnd(text, end) ? afterLineBreak(text, end) : lineStart;
}

/** The start of the line before the one that starts here, if it is blank. */
export function beforeBlankLine(text: string, lineStart: number): number {
  if (text.charCodeAt(lineStart - 1) !== 10) return lineStart;
  const carriage = text.charCodeAt(lineStart - 2) === 13 ? 1 : 0;
  return indentationStart(text, lineStart - 1 - carriage) ?? lineStart;
}
