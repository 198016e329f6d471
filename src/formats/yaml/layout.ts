import { breakAt, lineEndAt } from '../lines.ts';

/** The place of an entry on its line, and the comments above it. */
export interface CollectionSite {
  /** Whether only white space precedes the entry on its line. */
  readonly ownLine: boolean;
  readonly column: number;
  /** The start of the comments above it; without comments, its own offset. */
  readonly start: number;
  readonly comments: readonly string[];
}

/** Finds the comments and lines of entries, which are visited in file order. */
export class YamlLayout {
  readonly #text: string;
  readonly #lines: LineCursor;
  readonly #tails: TailFinder;
  /** The end of the content read so far: only white space and comments are between it and the next entry. */
  #floor = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lines = new LineCursor(text);
    this.#tails = new TailFinder(text);
  }

  /** Marks the start of the next content. */
  enter(start: number): void {
    this.#floor = start;
  }

  /** Marks everything before this offset as visited. */
  pass(offset: number): void {
    this.#floor = Math.max(this.#floor, offset);
  }

  siteOf(offset: number): CollectionSite {
    const lineStart = this.#lines.lineStartOf(offset);
    const column = offset - lineStart;
    const ownLine = lineStart >= this.#floor;
    const above = ownLine ? commentsAbove(this.#text, lineStart, this.#floor, column) : undefined;
    const comments = above?.lines ?? [];
    return { ownLine, column, start: above && comments.length > 0 ? above.start : offset, comments };
  }

  /** The end of an entry, including deeper comments that follow. */
  withTail(end: number, column: number): number {
    return this.#tails.extend(end, column);
  }
}

const COMMENT_LINE = /[ \t]*#[^\n]*/y;
const TRAILING = /,?[ \t]+#[^\n]*/y;
const BLANK_LINE = /[ \t]*(?:\r?\n)/y;

interface CommentBlock {
  /** The start of the first line; without comments, the given line start. */
  readonly start: number;
  readonly lines: readonly string[];
}

/**
 * The comment lines directly above a line, none indented more than the entry, down to `floor`: above that, `#` may be
 * part of a text.
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

/** The comment after a value on its line: its end and its text. */
export function trailingComment(text: string, end: number): { end: number; words: string } | undefined {
  TRAILING.lastIndex = end;
  const found = TRAILING.exec(text)?.[0].trimEnd();
  if (found === undefined) return undefined;
  return { end: end + found.length, words: wordsOf(found.slice(found.indexOf('#'))) };
}

/**
 * Finds the comments after an entry that are indented deeper and so can only belong to it. Caches the last answer,
 * because nested entries that end at the same place are looked up in sequence.
 */
class TailFinder {
  readonly #text: string;
  #asked = -1;
  #comment: { column: number; end: number } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The end of an entry at `column` that ends at `end`, including its deeper comments. */
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
    // An empty block scalar as a key ends after its line.
    const isBehindLine = this.#text.charAt(from - 1) === '\n';
    if (first === 0 && !isBehindLine) return undefined;
    BLANK_LINE.lastIndex = isBehindLine ? from : lineEnd + first;
    let at = BLANK_LINE.lastIndex;
    while (BLANK_LINE.test(this.#text)) at = BLANK_LINE.lastIndex;
    COMMENT_LINE.lastIndex = at;
    const line = COMMENT_LINE.exec(this.#text)?.[0];
    if (line !== undefined) this.#comment = { column: line.indexOf('#'), end: lineEndAt(this.#text, at) };
    return this.#comment;
  }
}

/** The text of a comment, without its marker. */
export function wordsOf(comment: string): string {
  return comment.replace(/^[ \t]*#+ ?/, '').trimEnd();
}

/** Moves forward through a text, so that finding the lines of many offsets costs one pass. */
class LineCursor {
  readonly #text: string;
  #start = 0;
  #nextBreak: number;

  constructor(text: string) {
    this.#text = text;
    this.#nextBreak = text.indexOf('\n');
  }

  /** Start of the line with `offset`. Offsets must not decrease between calls. */
  lineStartOf(offset: number): number {
    while (this.#nextBreak !== -1 && this.#nextBreak < offset) {
      this.#start = this.#nextBreak + 1;
      this.#nextBreak = this.#text.indexOf('\n', this.#start);
    }
    return this.#start;
  }
}
