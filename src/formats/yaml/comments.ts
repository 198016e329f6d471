import { breakAt, lineEndAt } from './lines.ts';

const COMMENT_LINE = /[ \t]*#[^\n]*/y;
const TRAILING = /,?[ \t]+#[^\n]*/y;
const BLANK_LINE = /[ \t]*(?:\r?\n)/y;

export interface CommentBlock {
  /** Where the first line begins; the given line start when there is no comment. */
  readonly start: number;
  readonly lines: readonly string[];
}

/**
 * The comment lines directly above a line, none of them more indented than the entry, down to `floor`: before that
 * is the content of something else, where `#` may be text.
 */
export function commentsAbove(text: string, lineStart: number, floor: number, column: number): CommentBlock {
  const lines: string[] = [];
  let start = lineStart;
  while (start > floor) {
    const above = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
    if (above < floor) break;
    COMMENT_LINE.lastIndex = above;
    const line = COMMENT_LINE.exec(text)?.[0];
    if (line === undefined || line.indexOf('#') > column) break;
    lines.push(wordsOf(line));
    start = above;
  }
  return { start, lines: lines.toReversed() };
}

/** The comment behind a value on its line: where it ends and what it says. */
export function trailingComment(text: string, end: number): { end: number; words: string } | undefined {
  TRAILING.lastIndex = end;
  const found = TRAILING.exec(text)?.[0].trimEnd();
  if (found === undefined) return undefined;
  return { end: end + found.length, words: wordsOf(found.slice(found.indexOf('#'))) };
}

/**
 * Finds the comments that follow an entry and are indented deeper than it: they can belong to nothing else. Nested
 * entries end at one place and ask for it one after the other, so the last answer is kept.
 */
export class TailFinder {
  readonly #text: string;
  #asked = -1;
  #comment: { column: number; end: number } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The end of an entry at `column` that ends at `end`, its deeper comments included. */
  extend(end: number, column: number): number {
    let last = end;
    for (let next = this.#next(last); next && next.column > column; next = this.#next(last)) last = next.end;
    return last;
  }

  #next(from: number): { column: number; end: number } | undefined {
    if (from === this.#asked) return this.#comment;
    this.#asked = from;
    this.#comment = undefined;
    const lineEnd = lineEndAt(this.#text, from);
    const first = breakAt(this.#text, lineEnd);
    if (first === '') return undefined;
    BLANK_LINE.lastIndex = lineEnd + first.length;
    let at = BLANK_LINE.lastIndex;
    while (BLANK_LINE.test(this.#text)) at = BLANK_LINE.lastIndex;
    COMMENT_LINE.lastIndex = at;
    const line = COMMENT_LINE.exec(this.#text)?.[0];
    if (line !== undefined) this.#comment = { column: line.indexOf('#'), end: lineEndAt(this.#text, at) };
    return this.#comment;
  }
}

/** What a comment says, without its sign. */
export function wordsOf(comment: string): string {
  return comment.replace(/^[ \t]*#+ ?/, '').trimEnd();
}
