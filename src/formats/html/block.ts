import type { Span } from '../../base/span.ts';

/** Markup inside a sentence. */
export interface BlockMarkup extends Span {
  /** `open` and `close` are both ends of an element within one block; other markup is `alone`. */
  readonly role: 'open' | 'close' | 'alone';
  /** For `open` and `close`: the index of the other end in the block's markup. */
  readonly partner: number;
}

/** Text between two pieces of markup: a text node or part of one. May be empty. */
export interface Gap extends Span {
  /** The template notation in the gap, in order. */
  readonly templates: readonly Span[];
}

/** A unit of translation: the sentences of a paragraph, or the value of an attribute. */
export interface TextBlock {
  /** Gaps and markup alternate, and both ends are gaps: gap, markup, gap, …, gap. */
  readonly gaps: readonly Gap[];
  readonly markup: readonly BlockMarkup[];
  readonly place: BlockPlace;
}

/**
 * The context of a block, which determines the characters that need escaping: quotes and white space end some
 * attributes.
 */
export type BlockPlace = 'text' | 'preserved' | 'double-quoted' | 'single-quoted' | 'unquoted';

export function startOf(block: TextBlock): number {
  return block.gaps[0]?.start ?? 0;
}
