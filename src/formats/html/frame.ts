import { createHash } from 'node:crypto';
import type { Span } from '../../base/span.ts';

/**
 * Digests of the parts that a translation must not change: the page without its texts, and the tree of its elements.
 */
export interface PageFrame {
  readonly markup: string;
  readonly outline: string;
}

/** Characters to digest at once, because pieces of text are many and short. */
const CHUNK = 65_536;

/** Digests a long text that arrives in pieces. The result does not depend on how it is split. */
export class TextDigest {
  readonly #hash = createHash('sha256');
  #pending = '';

  write(piece: string): void {
    this.#pending += piece;
    if (this.#pending.length >= CHUNK) this.#flush();
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

/** Digests a page without certain places, which are given in order. */
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
