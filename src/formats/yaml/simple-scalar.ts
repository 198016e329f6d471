import { CST } from 'yaml';
import { lineEndAt } from '../lines.ts';
import type { ScalarStyle } from './quoting.ts';

const TAB = 0x09;
const FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const HASH = 0x23;
const QUOTE = 0x27;
const MINUS = 0x2d;
const COLON = 0x3a;
const GREATER = 0x3e;
const QUESTION = 0x3f;
const BACKSLASH = 0x5c;
const BAR = 0x7c;

/** Indicators that cannot begin an unquoted text. `-`, `?` and `:` are indicators only before white space. */
const INDICATORS = new Set(Array.from('!"#%&\'*,>@[]`{|}', (sign) => sign.charCodeAt(0)));

const BLOCK_HEADER = /[|>](?:[1-9]-|-?[1-9]?)/y;

/** The library rejects implicit keys of more than 1024 characters. */
const MAX_KEY = 1000;

/**
 * Reads the scalars of simple documents from the text, without tokens: see `simple-reader.ts`. Only values that need
 * decoding (escapes, several lines) go to the library. Unusual notation is reported as unreadable.
 */
export class SimpleScalars {
  /** The value of the last scalar. */
  value = '';
  style: ScalarStyle = 'plain';
  /** The offset after the scalar, without the last line break of a block. */
  end = 0;
  /** The offset of the line after its last line. */
  next = 0;
  /** The offset of the comment after the scalar (in a block, after its header); negative without a comment. */
  noteAt = -1;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The offset after the key at `start`, whose colon is on the same line; negative without such a key. */
  endOfKey(start: number, lineEnd: number): number {
    const text = this.#text;
    const first = text.charCodeAt(start);
    let end = -1;
    if (first === DOUBLE_QUOTE || first === QUOTE) {
      end = this.#behindQuote(start, first);
      if (end > lineEnd || text.charCodeAt(end) !== COLON || !this.isGap(end + 1)) return -1;
    } else if (this.#beginsPlain(start)) {
      for (let at = start; at < lineEnd && end < 0; at++) {
        const code = text.charCodeAt(at);
        if (code === COLON && this.isGap(at + 1)) end = at;
        else if (code === TAB) return -1;
        else if (code === SPACE && text.charCodeAt(at + 1) === HASH) return -1;
      }
      // White space before a colon is left to the library.
      if (text.charCodeAt(end - 1) === SPACE) return -1;
    }
    return end - start > MAX_KEY ? -1 : end;
  }

  /** The name of a key without quotes; undefined if uncertain. */
  nameOf(start: number, end: number): string | undefined {
    const first = this.#text.charCodeAt(start);
    const quoted = first === DOUBLE_QUOTE || first === QUOTE;
    return quoted ? this.#unquote(start, end, first) : this.#text.slice(start, end);
  }

  /**
   * Reads the scalar at `start`.
   *
   * @param column of its collection: later lines are indented deeper
   * @returns whether it was read
   */
  read(start: number, lineEnd: number, column: number): boolean {
    this.noteAt = -1;
    const first = this.#text.charCodeAt(start);
    if (first === DOUBLE_QUOTE || first === QUOTE) return this.#readQuoted(start, first, column);
    if (first === BAR || first === GREATER) return this.#readBlock(start, lineEnd, column);
    return this.#beginsPlain(start) && this.#readPlain(start, lineEnd, column);
  }

  /** Whether a space or line end is at this offset. */
  isGap(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    return code === SPACE || code === FEED || code === RETURN || at >= this.#text.length;
  }

  /** The offset after the spaces at `at`. */
  skipSpaces(at: number): number {
    let end = at;
    while (this.#text.charCodeAt(end) === SPACE) end++;
    return end;
  }

  /** Whether a line ends at this offset. Lone carriage returns never occur here. */
  isLineEnd(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    return code === FEED || code === RETURN || at >= this.#text.length;
  }

  /** The offset after the line break at the end of a line. */
  behindBreak(lineEnd: number): number {
    if (lineEnd >= this.#text.length) return lineEnd;
    return lineEnd + (this.#text.charCodeAt(lineEnd) === RETURN ? 2 : 1);
  }

  #beginsPlain(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    if (code !== MINUS && code !== QUESTION && code !== COLON) return code > SPACE && !INDICATORS.has(code);
    return !this.isGap(at + 1) && this.#text.charCodeAt(at + 1) !== TAB;
  }

  #readPlain(start: number, lineEnd: number, column: number): boolean {
    let end = this.#endOfPlain(start, lineEnd);
    this.next = this.behindBreak(lineEnd);
    let several = false;
    for (let line = this.next; end >= 0 && this.noteAt < 0;) {
      const at = this.skipSpaces(line);
      const code = this.#text.charCodeAt(at);
      if (at >= this.#text.length) break;
      if (code === FEED || code === RETURN) {
        line = this.behindBreak(at);
        continue;
      }
      if (code === HASH || at - line <= column) break;
      const stop = lineEndAt(this.#text, at);
      end = this.#endOfPlain(at, stop);
      this.next = line = this.behindBreak(stop);
      several = true;
    }
    if (end < 0) return false;
    const source = this.#text.slice(start, end);
    const value = several ? resolve({ type: 'scalar', offset: start, indent: 0, source }) : source;
    return this.#take('plain', end, value);
  }

  /** End of the words of a plain scalar on this line; negative for input that the library does not read as text. */
  #endOfPlain(start: number, lineEnd: number): number {
    const text = this.#text;
    let end = start;
    for (let at = start; at < lineEnd; at++) {
      const code = text.charCodeAt(at);
      if (code === SPACE) {
        if (text.charCodeAt(at + 1) !== HASH) continue;
        this.noteAt = at + 1;
        return end;
      }
      if (code === TAB || (code === COLON && this.isGap(at + 1))) return -1;
      end = at + 1;
    }
    return end;
  }

  #readQuoted(start: number, quote: number, column: number): boolean {
    const text = this.#text;
    const end = this.#behindQuote(start, quote);
    if (end < 0) return false;
    for (
      let feed = text.indexOf('\n', start);
      feed !== -1 && feed < end;
      feed = text.indexOf('\n', feed + 1)
    ) {
      const at = this.skipSpaces(feed + 1);
      // Readers disagree about tabs in the indentation, and about lines that are not indented more than the key.
      if (text.charCodeAt(at) === TAB || (!this.isLineEnd(at) && at - feed - 1 <= column)) return false;
    }
    const behind = this.skipSpaces(end);
    if (text.charCodeAt(behind) === HASH && behind > end) this.noteAt = behind;
    else if (!this.isLineEnd(behind)) return false;
    this.next = this.behindBreak(lineEndAt(text, behind));
    return this.#take(quote === QUOTE ? 'single' : 'double', end, this.#unquote(start, end, quote));
  }

  /** The offset after the closing quote; negative without one. */
  #behindQuote(start: number, quote: number): number {
    const text = this.#text;
    const sign = quote === QUOTE ? "'" : '"';
    for (let at = text.indexOf(sign, start + 1); at !== -1; at = text.indexOf(sign, at + 1)) {
      if (quote === QUOTE) {
        if (text.charCodeAt(at + 1) !== quote) return at + 1;
        at++;
        continue;
      }
      let first = at;
      while (text.charCodeAt(first - 1) === BACKSLASH) first--;
      if ((at - first) % 2 === 0) return at + 1;
    }
    return -1;
  }

  #unquote(start: number, end: number, quote: number): string | undefined {
    const inner = this.#text.slice(start + 1, end - 1);
    const single = quote === QUOTE;
    if (!inner.includes(single ? "'" : '\\') && !inner.includes('\n')) return inner;
    const type = single ? 'single-quoted-scalar' : 'double-quoted-scalar';
    return resolve({ type, offset: start, indent: 0, source: this.#text.slice(start, end) });
  }

  /**
   * Reads a block whose header, or first line, shows its indentation and that does not keep trailing line breaks. The
   * indentation in a header is relative to the column of the key on its line.
   */
  #readBlock(start: number, lineEnd: number, column: number): boolean {
    const text = this.#text;
    BLOCK_HEADER.lastIndex = start;
    const sign = BLOCK_HEADER.exec(text)?.[0] ?? '';
    const header = start + sign.length;
    const indent = Number(sign.replaceAll(/\D/g, ''));
    if (indent > 0 && !/: +$/.test(text.slice(text.lastIndexOf('\n', start) + 1, start))) return false;
    const behind = this.skipSpaces(header);
    if (behind < lineEnd) {
      if (behind === header || text.charCodeAt(behind) !== HASH) return false;
      this.noteAt = behind;
    }
    const first = this.behindBreak(lineEnd);
    let line = first;
    let width = indent > 0 ? column + indent : -1;
    let end = -1;
    for (; line < text.length;) {
      const at = this.skipSpaces(line);
      const spaces = at - line;
      // Lines of spaces may be text, and the end of the file may count as a line break.
      if (this.isLineEnd(at)) {
        if (width < 0 ? spaces > 0 : spaces > width || at === text.length) return false;
        line = this.behindBreak(at);
        continue;
      }
      if (text.charCodeAt(at) === TAB && spaces <= Math.max(width, column)) return false;
      if (width < 0 ? spaces <= column : spaces < width) break;
      if (width < 0) width = spaces;
      end = lineEndAt(text, at);
      line = this.next = this.behindBreak(end);
    }
    if (end < 0) return false;
    const props = [
      {
        type: 'block-scalar-header',
        offset: start,
        indent: column,
        source: text.slice(start, header),
      } as const,
    ];
    const source = text.slice(first, this.next);
    const value = resolve({ type: 'block-scalar', offset: start, indent: column, props, source });
    return this.#take('block', end, value);
  }

  #take(style: ScalarStyle, end: number, value: string | undefined): boolean {
    if (value === undefined) return false;
    this.style = style;
    this.end = end;
    this.value = value;
    return true;
  }
}

/** The value that the library reads; undefined if it reports an error. */
function resolve(token: CST.FlowScalar | CST.BlockScalar): string | undefined {
  let sound = true;
  const complain = (): void => {
    sound = false;
  };
  const scalar =
    token.type === 'block-scalar'
      ? CST.resolveAsScalar(token, true, complain)
      : CST.resolveAsScalar(token, true, complain);
  return sound ? scalar.value : undefined;
}
