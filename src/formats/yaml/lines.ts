/** Walks forward through a text, so that finding the line of each of many offsets costs one pass in all. */
export class LineCursor {
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
