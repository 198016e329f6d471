import { DragomanError } from '../../base/errors.ts';
import type { Span } from '../../base/span.ts';

/** A line of a plain text. Offsets are UTF-16 code units. */
export interface TextLine {
  readonly start: number;
  /** Before the line break. */
  readonly end: number;
  readonly text: string;
  /** The line break; empty at the end of the text. */
  readonly lineBreak: string;
}

/** A run of words in a plain text that is translated as a whole. Offsets are UTF-16 code units of the text. */
export interface Paragraph {
  readonly span: Span;
  /** The first of its lines, from 0. */
  readonly line: number;
  /** On one line: the line breaks of a wrapped paragraph are taken out. */
  readonly value: string;
  /** Lines for `span` that hold a value in the manner of the text. */
  write(value: string): string;
}

/** Nobody writes more; each takes memory beyond its characters. */
const MAX_LINES = 1_000_000;

/** The lines of a plain text; CRLF and LF end one. @throws DragomanError `limit_exceeded`. */
export function linesOf(text: string): TextLine[] {
  const lines: TextLine[] = [];
  let start = 0;
  for (const { 0: lineBreak, index } of text.matchAll(/\r?\n/g)) {
    lines.push({ start, end: index, text: text.slice(start, index), lineBreak });
    start = index + lineBreak.length;
    if (lines.length > MAX_LINES) {
      throw new DragomanError('limit_exceeded', `the text has more than ${MAX_LINES} lines`, {
        at: { line: MAX_LINES + 1, column: 1 },
      });
    }
  }
  if (start < text.length) {
    lines.push({ start, end: text.length, text: text.slice(start), lineBreak: '' });
  }
  return lines;
}

/** A signature whose mark lost its space is taken for one only near the end: two dashes may part chapters as well. */
const LONGEST_SIGNATURE = 12;

/** The lines before the sender's signature, which `-- ` begins (RFC 3676). */
export function beforeSignature(lines: readonly TextLine[]): readonly TextLine[] {
  const exact = lines.findIndex(({ text }) => text === '-- ');
  if (exact !== -1) return lines.slice(0, exact);
  const worn = lines.findLastIndex(({ text }) => text === '--');
  return worn !== -1 && lines.length - worn <= LONGEST_SIGNATURE ? lines.slice(0, worn) : lines;
}

/** Whether a line has words that could be translated: links and rules of dashes have none. */
export function hasWords(line: string): boolean {
  return /\p{L}/u.test(line) && !/^\s*<?(?:https?|ftp|mailto):\S*>?\s*$/i.test(line);
}
