import { endOfComment, endOfString, skipTrivia } from './characters.ts';
import type { Node } from './tree.ts';

const isBlank = (c: number): boolean => c === 0x20 || c === 0x09;
const isLineEnd = (c: number): boolean => c === 0x0a || c === 0x0d;

export function countLineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x0a || (c === 0x0d && text.charCodeAt(i + 1) !== 0x0a)) count++;
  }
  return count;
}

/** The offset behind the comma that follows a value, if one does. */
export function behindComma(text: string, end: number): number | undefined {
  const at = skipTrivia(text, end);
  return text.charCodeAt(at) === 0x2c ? at + 1 : undefined;
}

/** The end of the comments that close the line at `at`; `at` itself where something else stands there. */
export function endOfLineComments(text: string, at: number): number {
  let end = at;
  let next = at;
  for (;;) {
    while (isBlank(text.charCodeAt(next))) next++;
    if (next >= text.length || isLineEnd(text.charCodeAt(next))) return end;
    if (text.charCodeAt(next) !== 0x2f) return at;
    end = endOfComment(text, next);
    next = end;
  }
}

/** The blanks before `offset`, when nothing else stands before it on its line. */
export function indentBefore(text: string, offset: number): string | undefined {
  let at = offset;
  while (at > 0 && isBlank(text.charCodeAt(at - 1))) at--;
  const atStart = at === 0 || isLineEnd(text.charCodeAt(at - 1)) || text.charCodeAt(at - 1) === 0xfeff;
  return atStart ? text.slice(at, offset) : undefined;
}

/** Further into a line, its indentation tells nothing about the place, and finding it would cost too much. */
const LINE_REACH = 2000;

/** The indentation of the line that holds `offset`. */
export function lineIndent(text: string, offset: number): string {
  let start = offset;
  while (start > 0 && !isLineEnd(text.charCodeAt(start - 1))) {
    if (offset - start > LINE_REACH) return '';
    start--;
  }
  let end = start;
  while (isBlank(text.charCodeAt(end))) end++;
  return text.slice(start, end);
}

/** The offset behind the line end that follows `at` with nothing but blanks between; undefined where there is none. */
export function behindLineEnd(text: string, at: number): number | undefined {
  while (isBlank(text.charCodeAt(at))) at++;
  const c = text.charCodeAt(at);
  if (c === 0x0d) return text.charCodeAt(at + 1) === 0x0a ? at + 2 : at + 1;
  return c === 0x0a ? at + 1 : undefined;
}

/** Where the comments above a member begin that speak of it alone; its own start where there are none. */
export function ownStart(text: string, parent: Node, index: number): number {
  const node = parent.children[index];
  if (!node) throw new RangeError(`no member ${index}`);
  const from = gapStart(text, parent, index);
  const comments = commentsIn(text, from, node.nameStart);
  if (comments.length === 0) return node.nameStart;
  const heading = isHeading(text, parent, index);
  const firstLineEnd = from + text.slice(from, node.nameStart).search(/[\r\n]/);
  let own = node.nameStart;
  for (const { start, end } of comments.reverse()) {
    const gap = countLineEnds(text, end, own);
    const belongsToPrevious = start < firstLineEnd;
    if (gap > 1 || belongsToPrevious || (gap > 0 && heading)) break;
    own = start;
  }
  return own;
}

/** Where the space between the member at `index` and what stands before it begins. */
function gapStart(text: string, parent: Node, index: number): number {
  const previous = parent.children[index - 1];
  return previous ? (behindComma(text, previous.end) ?? previous.end) : parent.start + 1;
}

/** All comments before a member and behind the previous one. */
export function leadComments(text: string, parent: Node, index: number): readonly string[] {
  return commentTexts(text, gapStart(text, parent, index), parent.children[index]?.nameStart ?? parent.end);
}

/** Comments above a row of members without gaps speak of them all. */
function isHeading(text: string, parent: Node, index: number): boolean {
  const node = parent.children[index];
  const next = parent.children[index + 1];
  if (!node || !next) return false;
  const from = endOfLineComments(text, behindComma(text, node.end) ?? node.end);
  return countLineEnds(text, from, next.nameStart) <= 1 && !text.slice(from, next.nameStart).includes('/');
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function commentsIn(text: string, from: number, to: number): Range[] {
  const comments: Range[] = [];
  for (let at = from; at < to; at++) {
    if (text.charCodeAt(at) !== 0x2f) continue;
    const end = endOfComment(text, at);
    comments.push({ start: at, end });
    at = end - 1;
  }
  return comments;
}

/** The texts of all comments of a document. */
export function allComments(text: string): ReadonlySet<string> {
  const comments = new Set<string>();
  for (let at = 0; at < text.length;) {
    const c = text.charCodeAt(at);
    if (c === 0x22) at = endOfString(text, at);
    else if (c === 0x2f) {
      const end = endOfComment(text, at);
      comments.add(text.slice(at, end));
      at = end;
    } else at++;
  }
  return comments;
}

/** The comments between two offsets that hold no values. */
export function commentTexts(text: string, from: number, to: number): readonly string[] {
  return commentsIn(text, from, to).map(({ start, end }) => text.slice(start, end));
}
