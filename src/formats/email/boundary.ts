import { beforeBreak, breakAt, endOfLine } from './header.ts';

/** A line that begins or ends a part of an open multipart. Offsets are bytes. */
export interface Delimiter {
  /** Which of the open multiparts it belongs to: 0 is the outermost. */
  readonly level: number;
  /** It ends the multipart: `--boundary--`. */
  readonly closes: boolean;
  /** Where the line begins. */
  readonly start: number;
  /** Where the content before it ends: the line break before a delimiter belongs to the delimiter. */
  readonly contentEnd: number;
  /** Where the next line begins. */
  readonly next: number;
}

/** The boundaries of the multiparts that are open at a place of a message, outermost first. */
export class OpenBoundaries {
  readonly #text: string;
  readonly #levels = new Map<string, number>();
  readonly #open: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  get depth(): number {
    return this.#open.length;
  }

  has(boundary: string): boolean {
    return this.#levels.has(boundary);
  }

  open(boundary: string): void {
    this.#levels.set(boundary, this.#open.length);
    this.#open.push(boundary);
  }

  close(): void {
    this.#levels.delete(this.#open.pop() ?? '');
  }

  /** The delimiter that the line at `start` is. Blanks after it do not count, as in RFC 2046. */
  at(start: number): Delimiter | undefined {
    if (!this.#text.startsWith('--', start)) return undefined;
    const end = endOfLine(this.#text, start);
    const line = this.#text.slice(start + 2, end).replace(/(?<![ \t])[ \t]+$/, '');
    const opens = this.#levels.get(line) ?? -1;
    const closing = line.endsWith('--') ? (this.#levels.get(line.slice(0, -2)) ?? -1) : -1;
    const level = Math.max(opens, closing);
    if (level < 0) return undefined;
    return {
      level,
      closes: closing > opens,
      start,
      contentEnd: beforeBreak(this.#text, start),
      next: end + breakAt(this.#text, end),
    };
  }

  /** The first delimiter in the lines from `start`, which begins a line. */
  find(start: number): Delimiter | undefined {
    let at = start;
    while (at !== -1 && at < this.#text.length) {
      const delimiter = this.at(at);
      if (delimiter) return delimiter;
      const feed = this.#text.indexOf('\n--', at);
      at = feed === -1 ? -1 : feed + 1;
    }
    return undefined;
  }
}
