import { afterLineBreak, startOfText } from '../lines.ts';
import type { Span } from '../../base/span.ts';

/** A logical line, which may span several lines of the file. */
export interface LogicalLine {
  readonly kind: 'blank' | 'comment' | 'pair';
  /** Start of its first line in the file, including indentation. */
  readonly start: number;
  /** The offset after its last character, before the line end. */
  readonly end: number;
  /** The offset of the next line. */
  readonly next: number;
  /** The text of a pair without continuations: backslashes, line ends and indentation are omitted. */
  readonly pieces: readonly Span[];
}

const NO_PIECES: readonly Span[] = [];

/** Splits a file as java.util.Properties does: LF, CR and CRLF end lines; comments never continue. */
export function readLines(text: string): LogicalLine[] {
  return [...eachLine(text)];
}

/** Same as {@link readLines}, one line at a time. */
export function* eachLine(text: string): Generator<LogicalLine> {
  let at = startOfText(text);
  while (at < text.length) {
    const line = readLine(text, at);
    yield line;
    at = line.next;
  }
}

export function readLine(text: string, start: number): LogicalLine {
  let at = skipBlanks(text, start);
  const first = text.charCodeAt(at);
  if (first === 0x23 || first === 0x21) {
    const end = endOfLine(text, at);
    return { kind: 'comment', start, end, next: afterLineBreak(text, end), pieces: NO_PIECES };
  }
  const pieces: Span[] = [];
  for (;;) {
    const end = endOfLine(text, at);
    const next = afterLineBreak(text, end);
    const continued = isContinued(text, at, end);
    pieces.push({ start: at, end: continued ? end - 1 : end });
    // A lone backslash does not continue the line, because the next line may be a comment. At the end of the file it is
    // not part of a value.
    const empty = end - at <= (continued ? 1 : 0) && pieces.length === 1;
    if (empty) return { kind: 'blank', start, end, next, pieces: NO_PIECES };
    if (!continued || end === text.length) return { kind: 'pair', start, end, next, pieces };
    at = skipBlanks(text, next);
  }
}

/** Whether an odd number of backslashes precedes the line end. */
function isContinued(text: string, start: number, end: number): boolean {
  let at = end;
  while (at > start && text.charCodeAt(at - 1) === 0x5c) at--;
  return (end - at) % 2 === 1;
}

export const isBlank = (c: number): boolean => c === 0x20 || c === 0x09 || c === 0x0c;

function skipBlanks(text: string, at: number): number {
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}

function endOfLine(text: string, at: number): number {
  for (; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x0a || c === 0x0d) return at;
  }
  return at;
}
