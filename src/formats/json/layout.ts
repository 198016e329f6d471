import { afterLineBreak, blankEnd, countBreaks, isLineEnd, withLineEnds } from '../lines.ts';
import type { Node } from './tree.ts';

/** A document whose values are members of containers, with the lexical rules that structural edits need. */
export interface MemberCode {
  readonly text: string;
  /** The offset after the comment at `at`; undefined if no comment begins there. A line comment ends before its line end. */
  endOfComment(at: number): number | undefined;
  /** The offset after the quoted text at `at`; undefined if none begins there. Its content is not examined. */
  endOfString(at: number): number | undefined;
  /**
   * Converts texts of other documents, with their quotes, to the spelling of this one.
   *
   * @param lineEnd of this document, for notations that treat all line ends in a text alike
   */
  makeSpeller(lineEnd: string): (raw: string) => string;
}

/** The offset after the white space and comments at `at`. */
export function skipGap(code: MemberCode, at: number): number {
  for (;;) {
    while (/\s/.test(code.text.charAt(at))) at++;
    const end = code.endOfComment(at);
    if (end === undefined) return at;
    at = end;
  }
}

/**
 * The offset after the comma that follows a value, or after the semicolon that ends its statement; undefined without
 * either.
 */
export function behindComma(code: MemberCode, end: number): number | undefined {
  const at = skipGap(code, end);
  const c = code.text.charCodeAt(at);
  return c === 0x2c || c === 0x3b ? at + 1 : undefined;
}

/** The end of the comments that close the line at `at`; `at` itself if something else follows. */
export function endOfLineComments(code: MemberCode, at: number): number {
  const { text } = code;
  let end = at;
  let next = at;
  for (;;) {
    next = blankEnd(text, next);
    if (isLineEnd(text, next)) return end;
    const behind = code.endOfComment(next);
    if (behind === undefined) return at;
    end = behind;
    next = end;
  }
}

/**
 * Beyond this distance from the start of a line, the line's indentation is irrelevant, and searching for it would be
 * slow.
 */
const LINE_REACH = 2000;

/** The indentation of the line that holds `offset`. */
export function lineIndent(text: string, offset: number): string {
  let start = offset;
  while (start > 0 && !isLineEnd(text, start - 1)) {
    if (offset - start > LINE_REACH) return '';
    start--;
  }
  return text.slice(start, blankEnd(text, start));
}

/** The offset after the line end that follows `at`, if only blanks lie between; otherwise undefined. */
export function behindLineEnd(text: string, at: number): number | undefined {
  const end = blankEnd(text, at);
  const behind = afterLineBreak(text, end);
  return behind > end ? behind : undefined;
}

/** The start of the comments above a member that concern it alone, otherwise the member's own start. */
export function ownStart(code: MemberCode, parent: Node, index: number): number {
  const { text } = code;
  const node = parent.children[index];
  if (!node) throw new RangeError(`no member ${index}`);
  const from = gapStart(code, parent, index);
  const comments = commentsIn(code, from, node.nameStart);
  if (comments.length === 0) return node.nameStart;
  const heading = isHeading(code, parent, index);
  const firstLineEnd = from + text.slice(from, node.nameStart).search(/[\r\n]/);
  let own = node.nameStart;
  for (const { start, end } of comments.reverse()) {
    const gap = countBreaks(text, end, own);
    const belongsToPrevious = start < firstLineEnd;
    if (gap > 1 || belongsToPrevious || (gap > 0 && heading)) break;
    own = start;
  }
  return own;
}

/** The start of the gap before the member at `index`. */
function gapStart(code: MemberCode, parent: Node, index: number): number {
  const previous = parent.children[index - 1];
  return previous ? (behindComma(code, previous.end) ?? previous.end) : parent.start + 1;
}

/** All comments between a member and the previous one. */
export function leadComments(code: MemberCode, parent: Node, index: number): readonly string[] {
  return commentTexts(code, gapStart(code, parent, index), parent.children[index]?.nameStart ?? parent.end);
}

/** Comments above consecutive members without blank lines concern all of them. */
function isHeading(code: MemberCode, parent: Node, index: number): boolean {
  const node = parent.children[index];
  const next = parent.children[index + 1];
  if (!node || !next) return false;
  const from = endOfLineComments(code, behindComma(code, node.end) ?? node.end);
  return (
    countBreaks(code.text, from, next.nameStart) <= 1 && commentsIn(code, from, next.nameStart).length === 0
  );
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function commentsIn(code: MemberCode, from: number, to: number): Range[] {
  const comments: Range[] = [];
  for (let at = from; at < to; at++) {
    const end = code.endOfComment(at);
    if (end === undefined) continue;
    comments.push({ start: at, end });
    at = end - 1;
  }
  return comments;
}

/** The texts of all comments, with line feeds, so that documents can be compared. */
export function allComments(code: MemberCode): ReadonlySet<string> {
  const comments = new Set<string>();
  const { text } = code;
  for (let at = 0; at < text.length;) {
    const comment = code.endOfComment(at);
    if (comment !== undefined) comments.add(withLineEnds(text.slice(at, comment), '\n'));
    at = comment ?? code.endOfString(at) ?? at + 1;
  }
  return comments;
}

/** The comments between two offsets without values, with line feeds. */
export function commentTexts(code: MemberCode, from: number, to: number): readonly string[] {
  return commentsIn(code, from, to).map(({ start, end }) => withLineEnds(code.text.slice(start, end), '\n'));
}
