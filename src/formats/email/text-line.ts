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

/** The lines of a plain text; CRLF and LF end one. */
export function linesOf(text: string): TextLine[] {
  const lines: TextLine[] = [];
  let start = 0;
  for (const { 0: lineBreak, index } of text.matchAll(/\r?\n/g)) {
    lines.push({ start, end: index, text: text.slice(start, index), lineBreak });
    start = index + lineBreak.length;
  }
  if (start < text.length) {
    lines.push({ start, end: text.length, text: text.slice(start), lineBreak: '' });
  }
  return lines;
}

/** RFC 3676: what follows this line is the sender's signature. Programs that drop spaces at line ends leave two dashes. */
export function isSignatureMark(line: string): boolean {
  return line === '-- ' || line === '--';
}

/** Whether a line has words that could be translated: links and rules of dashes have none. */
export function hasWords(line: string): boolean {
  return /\p{L}/u.test(line) && !/^\s*<?(?:https?|ftp|mailto):\S*>?\s*$/i.test(line);
}
