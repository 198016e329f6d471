import { createHash } from 'node:crypto';
import type { Span } from '../../base/span.ts';

/** What a translation must not change: digests of the page without its texts, and of the tree of its elements. */
export interface PageFrame {
  readonly markup: string;
  readonly outline: string;
}

/** Pieces of text are many and short: so many characters are digested at once. */
const PORTION = 65_536;

/** A digest of a long text that comes in pieces. Equal for equal texts, however they are cut. */
export class TextDigest {
  readonly #hash = createHash('sha256');
  #pending = '';

  write(piece: string): void {
    this.#pending += piece;
    if (this.#pending.length >= PORTION) this.#flush();
  }

  end(): string {
    this.#flush();
    return this.#hash.digest('base64');
  }

  #flush(): void {
    this.#hash.update(this.#pending, 'utf16le');
    this.#pending = '';
  }
}

/** Digests a page without some places, which come in their order. */
export class MarkupDigest {
  readonly #html: string;
  readonly #digest = new TextDigest();
  #at = 0;

  constructor(html: string) {
    this.#html = html;
  }

  skip({ start, end }: Span): void {
    this.#digest.write(this.#html.slice(this.#at, start));
    this.#at = end;
  }

  end(): string {
    this.#digest.write(this.#html.slice(this.#at));
    return this.#digest.end();
  }
}
