/** The lines of a text, by number from 0; CRLF, LF and a lone CR each end a line. Stores three numbers per line. */
export class Lines {
  readonly count: number;
  readonly #text: string;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;

  constructor(text: string) {
    this.#text = text;
    const breaks = countBreaks(text);
    this.#starts = new Uint32Array(breaks + 2);
    this.#ends = new Uint32Array(breaks + 1);
    let line = 0;
    for (const { index, 0: found } of text.matchAll(/\r\n|\n|\r/g)) {
      this.#ends[line++] = index;
      this.#starts[line] = index + found.length;
    }
    if (this.startOf(line) < text.length) {
      this.#ends[line++] = text.length;
      this.#starts[line] = text.length;
    }
    this.count = line;
  }

  /** The start of a line. For a line after the last one, this is the end of the text. */
  startOf(line: number): number {
    return line < this.#starts.length ? (this.#starts[line] ?? 0) : this.#text.length;
  }

  /** The offset before its line break. */
  endOf(line: number): number {
    return line < this.count ? (this.#ends[line] ?? 0) : this.#text.length;
  }

  textOf(line: number): string {
    return line < this.count ? this.#text.slice(this.startOf(line), this.endOf(line)) : '';
  }

  /** Whether the line is empty or after the end of the text. A line of blanks is not empty. */
  isEmpty(line: number): boolean {
    return line >= this.count || this.startOf(line) === this.endOf(line);
  }

  /** The line break at its end; empty for a last line without one. */
  breakOf(line: number): string {
    return this.#text.slice(this.endOf(line), this.startOf(line + 1));
  }
}

function countBreaks(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(/\r\n|\n|\r/g)) count++;
  return count;
}
