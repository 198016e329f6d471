import { DragomanError } from '../../base/errors.ts';
import { positionAt, type Span } from '../../base/span.ts';

const KEYWORDS = ['domain', 'msgctxt', 'msgid', 'msgid_plural', 'msgstr'] as const;
export type Keyword = (typeof KEYWORDS)[number];

interface TokenBase {
  readonly span: Span;
  /** On a `#~` line. */
  readonly obsolete: boolean;
}

/** From `#` to the end of the line, without the line break. */
export interface CommentToken extends TokenBase {
  readonly kind: 'comment';
}

export interface KeywordToken extends TokenBase {
  readonly kind: 'keyword';
  readonly keyword: Keyword;
  /** The number of `msgstr[n]`. */
  readonly index: number | undefined;
}

/** With its quotes. */
export interface StringToken extends TokenBase {
  readonly kind: 'string';
}

export type Token = CommentToken | KeywordToken | StringToken;

/** More forms than any language has, few enough that no file can make us write endless lines. */
export const MAX_FORMS = 32;

const KEYWORD = /(domain|msgctxt|msgid_plural|msgid|msgstr)(?![\w-])(?:[ \t]*\[[ \t]*(\d{1,9})[ \t]*\])?/y;

const LF = 10;
const HASH = 35;
const TILDE = 126;
const QUOTE = 34;
const BACKSLASH = 92;

export function failAt(text: string, offset: number, message: string, hint?: string): DragomanError {
  return new DragomanError('unreadable_input', message, { at: positionAt(text, offset), hint });
}

/**
 * Hands over one token after the other, in file order.
 *
 * @throws DragomanError `unreadable_input` for what is neither comment, keyword nor string.
 */
export function readTokens(text: string, take: (token: Token) => void): void {
  // A byte order mark that came through decoding is no part of the first word.
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isBlank(code)) at++;
    else if (code === HASH) at = readComment(text, at, take);
    else {
      const token = readWord(text, at, false);
      if (!token) throw explain(text, at);
      take(token);
      at = token.span.end;
    }
  }
}

/** A comment, or the tokens of a `#~` line. Such a line that makes no sense is just a comment: it is never used. */
function readComment(text: string, start: number, take: (token: Token) => void): number {
  const end = lineEnd(text, start);
  const obsolete = text.charCodeAt(start + 1) === TILDE;
  const words = obsolete && text.charAt(start + 2) !== '|' ? readObsolete(text, start + 2, end) : undefined;
  if (words) for (const word of words) take(word);
  else take({ kind: 'comment', span: { start, end }, obsolete });
  return end;
}

function readObsolete(text: string, start: number, end: number): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = start; at < end;) {
    if (isBlank(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const token = readWord(text, at, true);
    if (!token) return undefined;
    tokens.push(token);
    at = token.span.end;
  }
  return tokens;
}

/** The string or keyword that starts here, or undefined when there is none. */
function readWord(text: string, start: number, obsolete: boolean): Token | undefined {
  if (text.charCodeAt(start) === QUOTE) {
    const end = stringEnd(text, start);
    return end === undefined ? undefined : { kind: 'string', span: { start, end }, obsolete };
  }
  KEYWORD.lastIndex = start;
  const found = KEYWORD.exec(text);
  const keyword = KEYWORDS.find((word) => word === found?.[1]);
  if (!found || !keyword) return undefined;
  const index = found[2] === undefined || keyword !== 'msgstr' ? undefined : Number(found[2]);
  if (index !== undefined && index >= MAX_FORMS) return undefined;
  const end = start + (index === undefined ? keyword.length : found[0].length);
  return { kind: 'keyword', keyword, index, span: { start, end }, obsolete };
}

function explain(text: string, at: number): DragomanError {
  if (text.charCodeAt(at) === QUOTE) {
    const hint = 'Each line of a PO string has its own quotes.';
    return failAt(text, at, 'this string is not closed on its line', hint);
  }
  KEYWORD.lastIndex = at;
  const found = KEYWORD.exec(text);
  if (found) return failAt(text, at, `${found[0]}: no language has more than ${MAX_FORMS} forms`);
  const word = /^[^\s"]{0,40}/.exec(text.slice(at, at + 40))?.[0] ?? '';
  return failAt(text, at, `unknown keyword ${JSON.stringify(word)}`);
}

function stringEnd(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === LF) return undefined;
    if (code === BACKSLASH && text.charCodeAt(at + 1) !== LF) at++;
  }
  return undefined;
}

/** The end of the line's text, before LF or CRLF. */
export function lineEnd(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  if (feed < 0) return text.length;
  return feed > from && text.charCodeAt(feed - 1) === 13 ? feed - 1 : feed;
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}
