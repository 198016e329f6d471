import { DragomanError } from '../base/errors.ts';
import { type Edit, positionAt, type Span } from '../base/span.ts';

/** The offset of the text after a byte order mark that survived decoding. */
export function startOfText(text: string): number {
  return text.startsWith('\ufeff') ? 1 : 0;
}

/** The lines that a span occupies alone, with the last line break; the span itself if it shares a line. */
export function wholeLines(text: string, span: Span): Span {
  const start = indentationStart(text, span.start);
  const stop = blankEnd(text, span.end);
  if (start === undefined || !isLineEnd(text, stop)) return span;
  return { start, end: afterLineBreak(text, stop) };
}

/** The start of the line, if only blanks precede `offset` on it. */
export function indentationStart(text: string, offset: number): number | undefined {
  let start = offset;
  while (start > 0 && isBlank(text.charCodeAt(start - 1))) start--;
  return start === 0 || isBreak(text.charCodeAt(start - 1)) ? start : undefined;
}

/** The blanks before `offset` on its line; undefined if other text precedes it. */
export function indentAt(text: string, offset: number): string | undefined {
  const start = indentationStart(text, offset);
  return start === undefined ? undefined : text.slice(start, offset);
}

/** The offset after the blanks that follow `offset` on its line. */
export function blankEnd(text: string, offset: number): number {
  let end = offset;
  while (isBlank(text.charCodeAt(end))) end++;
  return end;
}

/** Whether a line break or the end of the text is here. */
export function isLineEnd(text: string, offset: number): boolean {
  return offset >= text.length || isBreak(text.charCodeAt(offset));
}

/** The offset after the line break (LF, CRLF or CR) at `offset`; without a line break, `offset`. */
export function afterLineBreak(text: string, offset: number): number {
  if (!isBreak(text.charCodeAt(offset))) return offset;
  return text.startsWith('\r\n', offset) ? offset + 2 : offset + 1;
}

/** The offset after the line at `lineStart`, if it is blank. */
function afterBlankLine(text: string, lineStart: number): number {
  const end = blankEnd(text, lineStart);
  return isLineEnd(text, end) ? afterLineBreak(text, end) : lineStart;
}

/** The start of the line before the one at `lineStart`, if it is blank. */
function beforeBlankLine(text: string, lineStart: number): number {
  if (!isBreak(text.charCodeAt(lineStart - 1))) return lineStart;
  const crlf = text.startsWith('\r\n', lineStart - 2);
  return indentationStart(text, lineStart - (crlf ? 2 : 1)) ?? lineStart;
}

/** The number of line breaks, counted up to two: two make a blank line. */
export function countBreaks(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end && count < 2; at++) {
    if (!isBreak(text.charCodeAt(at))) continue;
    count++;
    at = afterLineBreak(text, at) - 1;
  }
  return count;
}

/** The most frequent separator between the blocks of a text: one line break, or two with a blank line. */
export function usualSeparator(text: string, blocks: readonly Span[], newline: string): string {
  let blank = 0;
  for (const [i, { start }] of blocks.entries()) {
    const previous = blocks[i - 1];
    if (previous && countBreaks(text, previous.end, start) > 1) blank++;
  }
  return blank > 0 && blank * 2 > blocks.length - 1 ? newline + newline : newline;
}

/** The first line break in a text; LF if it has none. */
export function newlineOf(text: string): '\n' | '\r\n' | '\r' {
  const at = text.search(/[\r\n]/);
  if (at < 0 || text.charAt(at) === '\n') return '\n';
  return text.charAt(at + 1) === '\n' ? '\r\n' : '\r';
}

/** The first line end in a text, in formats where a lone CR is not one. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  const at = text.indexOf('\n');
  return at > 0 && text.charAt(at - 1) === '\r' ? '\r\n' : '\n';
}

/** The end of the line with `offset`, before LF or CRLF. */
export function lineEndAt(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  if (feed < 0) return text.length;
  return feed > offset && text.charAt(feed - 1) === '\r' ? feed - 1 : feed;
}

/** The length of the LF or CRLF at `offset`: 0 if there is neither. */
export function breakAt(text: string, offset: number): 0 | 1 | 2 {
  if (text.charAt(offset) === '\n') return 1;
  return text.startsWith('\r\n', offset) ? 2 : 0;
}

/** The text with LF for each line end: LF, CRLF or CR. */
export function normalizeLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Replaces every line end of a text. */
export function withLineEnds(text: string, lineEnd: string): string {
  return text.replace(/\r\n?|\n/g, lineEnd);
}

/**
 * @param format its name, for the message
 * @throws DragomanError `unreadable_input` with the place of a carriage return without a line feed
 */
export function refuseLoneReturns(text: string, format: string): void {
  const at = text.search(/\r(?!\n)/);
  if (at < 0) return;
  throw new DragomanError('unreadable_input', `a carriage return alone is not a line end in ${format}`, {
    at: positionAt(text, at),
    hint: 'Write line ends as LF or CRLF.',
  });
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

function isBreak(code: number): boolean {
  return code === 10 || code === 13;
}

/**
 * Edits that remove these blocks, given in file order, with their lines. One of the blank lines around each block
 * remains.
 */
export function removeBlocks(text: string, blocks: readonly Span[]): readonly Edit[] {
  const runs: { start: number; end: number }[] = [];
  for (const block of blocks) {
    const lines = wholeLines(text, block);
    const last = runs.at(-1);
    const start = last?.end === lines.start ? last.start : lines.start;
    const closed = lines !== block && (start === 0 || beforeBlankLine(text, start) < start);
    const end = closed ? afterBlankLine(text, lines.end) : lines.end;
    if (last?.end === lines.start) last.end = end;
    else runs.push({ start, end });
  }
  return runs.map(({ start, end }) => {
    // At the end of the file, the blank line before the block is removed, because none follows.
    const from = end >= text.length ? beforeBlankLine(text, start) : start;
    return { span: { start: from, end }, text: '' };
  });
}

/** Removes a span, with its lines if they contain nothing else. */
export function removeSpan(text: string, { start, end }: Span): Edit {
  const lineStart = indentationStart(text, start);
  const stop = blankEnd(text, end);
  const next = afterLineBreak(text, stop);
  if (lineStart !== undefined && next > stop) return { span: { start: lineStart, end: next }, text: '' };
  let from = start;
  if (lineStart === undefined) while (isBlank(text.charCodeAt(from - 1))) from--;
  return { span: { start: from, end }, text: '' };
}

/**
 * Inserts lines after the block that ends at `end`. Text that follows on the same line moves to a new line.
 *
 * @param lines including the separator from the block
 */
export function insertBehind(text: string, end: number, lines: string, newline: string): Edit {
  const at = blankEnd(text, end);
  return isLineEnd(text, at) ? insertAt(at, lines) : insertAt(end, lines + newline);
}

export function insertAt(at: number, text: string): Edit {
  return { span: { start: at, end: at }, text };
}
