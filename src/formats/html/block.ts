import type { Span } from '../../base/span.ts';

/** Markup among the words of a sentence. */
export interface BlockMarkup extends Span {
  /** Both ends of an element inside one block; everything else stands alone. */
  readonly role: 'open' | 'close' | 'alone';
  /** Of `open` and `close`: where the other end is among the markup of its block. */
  readonly partner: number;
}

/** Text between two pieces of markup: one text node, or a piece of one. May be empty. */
export interface Gap extends Span {
  /** Template notation in it, in order. */
  readonly templates: readonly Span[];
}

/** What is translated as a whole: the sentences of a paragraph, or the value of an attribute. */
export interface TextBlock {
  /** One more than `markup`: gap, markup, gap, …, gap. */
  readonly gaps: readonly Gap[];
  readonly markup: readonly BlockMarkup[];
  readonly place: BlockPlace;
}

/** What may stand raw in a block: quotes and white space end some attributes. */
export type BlockPlace = 'text' | 'preserved' | 'double-quoted' | 'single-quoted' | 'unquoted';

export function startOf(block: TextBlock): number {
  return block.gaps[0]?.start ?? 0;
}
