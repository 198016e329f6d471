/** Where an entry stands on its line, and the comments above it. */
export interface CollectionSite {
  /** Nothing but white space stands before it on its line. */
  readonly ownLine: boolean;
  readonly column: number;
  /** Where the comments above it begin; its own offset when there are none. */
  readonly start: number;
  readonly comments: readonly string[];
}

/** Finds the comments and lines of entries that are visited in file order. */
export class YamlLayout {
  readonly #text: string;
  readonly #lines: LineCursor;
  readonly #tails: TailFinder;
  /** End of the content read so far: what lies between it and the next entry is white space and comments. */
  #floor = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lines = new LineCursor(text);
    this.#tails = new TailFinder(text);
  }

  /** What comes now begins here. */
  enter(start: number): void {
    this.#floor = start;
  }

  /** All before this offset is content that was visited. */
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

  /** The end of an entry with the deeper comments behind it. */
  withTail(end: number, column: number): number {
    return this.#tails.extend(end, column);
  }
}

const COMMENT_LINE = /[ \t]*#[^\n]*/y;
const TRAILING = /,?[ \t]+#[^\n]*/y;
const BLANK_LINE = /[ \t]*(?:\r?\n)/y;

interface CommentBlock {
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
class TailFinder {
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
    // An empty block scalar as a key ends behind its line.
    const isBehindLine = this.#text.charAt(from - 1) === '\n';
    if (first === '' && !isBehindLine) return undefined;
    BLANK_LINE.lastIndex = isBehindLine ? from : lineEnd + first.length;
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

/** Walks forward through a text, so that finding the line of each of many offsets costs one pass in all. */
class LineCursor {
  readonly #text: string;
  #start = 0;
  #nextBreak: number;

  constructor(text: string) {
    this.#text = text;
    this.#nextBreak = text.indexOf('\n');
  }

  /** Start of the line that holds `offset`. Offsets must not decrease from call to call. */
  lineStartOf(offset: number): number {
    while (this.#nextBreak !== -1 && this.#nextBreak < offset) {
      this.#start = this.#nextBreak + 1;
      this.#nextBreak = this.#text.indexOf('\n', this.#start);
    }
    return this.#start;
  }
}

/** End of the line that holds `offset`, before its line break. */
export function lineEndAt(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  if (feed === -1) return text.length;
  return feed > offset && text[feed - 1] === '\r' ? feed - 1 : feed;
}

/** The line break at `offset`, or nothing at the end of the text. */
export function breakAt(text: string, offset: number): string {
  if (text[offset] === '\n') return '\n';
  return text.startsWith('\r\n', offset) ? '\r\n' : '';
}

/** The line break of the document: that of its first line, LF when it has only one line. */
export function lineBreakOf(text: string): string {
  const feed = text.indexOf('\n');
  return feed > 0 && text[feed - 1] === '\r' ? '\r\n' : '\n';
}
