import { DragomanError } from '../../base/errors.ts';
import { positionAt, type Span } from '../../base/span.ts';
import { startOfText } from '../lines.ts';
import { refuse } from '../refusal.ts';
import { unescapeStrings } from './encode.ts';

/** A string as written in the file. */
export interface StringToken {
  /** The place, including the quotes. */
  readonly span: Span;
  readonly value: string;
  readonly quote: '"' | "'" | undefined;
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '{': '}' };

/** Shared, because most gaps have no comment. */
const NONE: Span[] = [];

/** Deeper than any real file, but shallow enough to fail quickly. */
const MAX_DEPTH = 512;

/** Reads a property list in its oldest notation. */
export class StringsLexer {
  readonly text: string;
  at: number;

  constructor(text: string) {
    this.text = text;
    this.at = startOfText(text);
  }

  /** The current character; empty at the end. */
  get next(): string {
    return this.text.charAt(this.at);
  }

  accept(character: string): boolean {
    if (this.next !== character) return false;
    this.at++;
    return true;
  }

  /** Skips blanks and comments. @returns the comments, with their markers. */
  skipGap(): readonly Span[] {
    let comments: Span[] = NONE;
    for (;;) {
      while (isSpace(this.text.charCodeAt(this.at))) this.at++;
      const start = this.at;
      const end = this.#commentEnd();
      if (end === undefined) return comments;
      if (comments === NONE) comments = [];
      comments.push({ start, end });
      this.at = end;
    }
  }

  #commentEnd(): number | undefined {
    const { text, at } = this;
    if (text.startsWith('/*', at)) {
      const close = text.indexOf('*/', at + 2);
      if (close < 0) refuse(text, at, 'this comment is not closed', 'A comment ends with */.');
      return close + 2;
    }
    if (!text.startsWith('//', at)) return undefined;
    let end = at + 2;
    while (end < text.length && !isBreak(text.charCodeAt(end))) end++;
    return end;
  }

  /** Reads the string at the current place, quoted or not; undefined for anything else. */
  readString(): StringToken | undefined {
    const { text, at: start } = this;
    const quote = this.next;
    if (quote === '"' || quote === "'") {
      const end = this.#closingQuote(quote);
      this.at = end + 1;
      return { span: { start, end: end + 1 }, value: unescapeStrings(text.slice(start + 1, end)), quote };
    }
    let end = start;
    while (isBareCharacter(text.charCodeAt(end))) end++;
    if (end === start) return undefined;
    this.at = end;
    return { span: { start, end }, value: text.slice(start, end), quote: undefined };
  }

  #closingQuote(quote: string): number {
    const { text } = this;
    const code = quote.charCodeAt(0);
    for (let at = this.at + 1; at < text.length; at++) {
      const here = text.charCodeAt(at);
      if (here === code) return at;
      if (here === 92) at++;
    }
    return refuse(text, this.at, 'this string is not closed', `A ${quote} inside it needs a backslash.`);
  }

  /** Skips data, an array or a dictionary; false for anything else. */
  skipCollection(): boolean {
    if (this.next === '<') {
      const close = this.text.indexOf('>', this.at);
      if (close < 0) refuse(this.text, this.at, 'this data is not closed');
      this.at = close + 1;
      return true;
    }
    if (this.next !== '(' && this.next !== '{') return false;
    const open: { readonly closer: string; readonly at: number }[] = [];
    do {
      if (open.length > 0) this.skipGap();
      const closer = CLOSERS[this.next];
      if (closer !== undefined) open.push({ closer, at: this.at });
      if (open.length > MAX_DEPTH) {
        throw new DragomanError('limit_exceeded', `values are nested deeper than ${MAX_DEPTH}`, {
          at: positionAt(this.text, this.at),
        });
      }
      if (this.next === open.at(-1)?.closer) open.pop();
      this.#skipPart(open.at(-1)?.at ?? this.at);
    } while (open.length > 0);
    return true;
  }

  /** Skips one part of a collection, with the gap before it. */
  #skipPart(opened: number): void {
    if (this.at >= this.text.length) refuse(this.text, opened, 'this value is not closed');
    if (this.next === '<') this.skipCollection();
    else if (!this.readString()) this.at++;
  }
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0x2028 || code === 0x2029;
}

function isBreak(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
}

/** Whether this is a letter, a digit or one of `$ - . / : _`. */
function isBareCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 45 && code <= 58) ||
    code === 95 ||
    code === 36
  );
}
