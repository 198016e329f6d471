const NAME_START =
  ':A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C-\\u200D' +
  '\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const ASCII_NAME = /[A-Za-z_:][\w:.-]*/y;
const ANY_NAME = new RegExp(
  `[${NAME_START}][-.0-9\\u00B7\\u0300-\\u036F\\u203F-\\u2040${NAME_START}]*`,
  'uy',
);
const ILLEGAL = /[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/u;

/** The XML name at `offset`; empty for other text. */
export function nameAt(text: string, offset: number): string {
  ASCII_NAME.lastIndex = offset;
  const name = ASCII_NAME.exec(text)?.[0] ?? '';
  // Most names are ASCII, and the complete pattern is several times slower.
  if (!(text.charCodeAt(offset + name.length) > 127)) return name;
  ANY_NAME.lastIndex = offset;
  return ANY_NAME.exec(text)?.[0] ?? '';
}

/** Offset of the first character that is invalid in XML 1.0, including lone surrogates; -1 if all are valid. */
export function illegalCharacterIn(text: string): number {
  return text.search(ILLEGAL);
}

export function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 9 || code === 13;
}

export function skipSpace(text: string, offset: number): number {
  let at = offset;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** White space as XML defines it: no-break spaces and similar characters are text. */
export function isBlank(text: string): boolean {
  return skipSpace(text, 0) === text.length;
}

/** The document's line end, which replaces new line feeds in values. */
export function lineEndOf(text: string): string {
  const feed = text.indexOf('\n');
  if (feed > 0 && text.charCodeAt(feed - 1) === 13) return '\r\n';
  return feed < 0 && text.includes('\r') ? '\r' : '\n';
}

/**
 * Finds the next occurrence of a string after an increasing offset. Caches the result, so that calls at every token
 * need only one pass over the text, even if the string is rare or absent.
 */
export class Seeker {
  readonly #text: string;
  readonly #wanted: string;
  #from = Infinity;
  #found = -1;

  constructor(text: string, wanted: string) {
    this.#text = text;
    this.#wanted = wanted;
  }

  /** The offset of the next occurrence; `text.length` after the last one. */
  next(offset: number): number {
    if (offset < this.#from || offset > this.#found) {
      const found = this.#text.indexOf(this.#wanted, offset);
      this.#from = offset;
      this.#found = found < 0 ? this.#text.length : found;
    }
    return this.#found;
  }
}
