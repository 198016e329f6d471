import { commentsAbove, TailFinder } from './comments.ts';
import { LineCursor } from './lines.ts';

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
