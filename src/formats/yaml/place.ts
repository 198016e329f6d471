import type { Span } from '../../base/span.ts';

export type ScalarStyle = 'plain' | 'single' | 'double' | 'block';

/** Where a scalar stands and how it is written there. */
export interface ScalarPlace {
  readonly style: ScalarStyle;
  /** In a flow collection: brackets and commas are syntax. */
  readonly flow: boolean;
  /** Column of the collection that a block scalar stands in; 0 for other scalars. */
  readonly indent: number;
  readonly span: Span;
}
