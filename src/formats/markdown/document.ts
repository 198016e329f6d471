import { DragomanError } from '../../base/errors.ts';
import { positionAt, type Span } from '../../base/span.ts';
import { readBlocks, readDestinations, readVerbatim, type Block } from './block.ts';
import { hasSpanAt, maskExtensions } from './mask.ts';
import { SlowText } from './bounds.ts';
import { parseBody, requireReadable } from './parse.ts';
import type { Constructs, Labels } from './parts.ts';

/** How Markdown is parsed. */
export interface Dialect {
  readonly isMdx: boolean;
  readonly constructs: Constructs;
  /** Called before a document is read. */
  readonly begin?: ((body: string) => void) | undefined;
}

export interface LocatedBlocks {
  readonly blocks: readonly Block[];
  /** Titles of containers. */
  readonly titles: readonly Span[];
  /** Shortcode parameters that readers see. */
  readonly parameters: readonly Span[];
  readonly labels: Labels;
  /** The destinations of links and reference definitions, in order. */
  readonly destinations: readonly Span[];
}

/**
 * Finds the blocks of a document that have text.
 *
 * @param base offset of its body, after a byte order mark and the front matter
 * @param known labels of the document that this text is a part of
 */
export function locateBlocks(text: string, base: number, dialect: Dialect, known?: Labels): LocatedBlocks {
  requireReadable(text, base, dialect.isMdx);
  const body = text.slice(base);
  const masked = maskExtensions(body, dialect);
  const shift = ({ start, end }: Span): Span => ({ start: base + start, end: base + end });
  const source = { text, base, masked: masked.inline.map(shift) };
  const blocks: Block[] = [];
  const verbatim: Span[] = [];
  const destinations: Span[] = [];
  const labels = parse(text, base, () => {
    dialect.begin?.(masked.text);
    return parseBody(
      masked.text,
      dialect.constructs,
      (leaf) => {
        for (const block of readBlocks(leaf, source)) blocks.push(block);
        for (const span of readVerbatim(leaf.events, base)) verbatim.push(span);
        for (const span of readDestinations(leaf.events, base)) destinations.push(span);
      },
      known,
    );
  });
  // A marker that continues a paragraph does not begin a container.
  const spans = blocks
    .filter(({ pieces }) => pieces.some(({ kind }) => kind === 'text'))
    .map(({ span }) => span);
  const [titles = [], parameters = []] = [masked.titles, masked.parameters].map((found) =>
    found.map(shift).filter(({ start }) => !hasSpanAt(verbatim, start) && !hasSpanAt(spans, start)),
  );
  return { blocks, titles, parameters, labels, destinations };
}

/** The MDX parser reports its position in a separate error type. */
function parse(text: string, base: number, read: () => Labels): Labels {
  try {
    return read();
  } catch (error) {
    if (error instanceof SlowText) {
      const { message, hint, offset } = error;
      throw new DragomanError('limit_exceeded', message, { at: positionAt(text, base + offset), hint });
    }
    if (!(error instanceof Error) || !('ruleId' in error) || !('place' in error)) throw error;
    throw new DragomanError(
      'unreadable_input',
      `this is not MDX: ${'reason' in error ? String(error.reason) : ''}`,
      {
        at: positionAt(text, base + offsetOf(error.place)),
        hint: "Correct it. Without components and expressions, it can be Markdown: give it the extension md, in Docusaurus with `format: 'detect'`.",
        cause: error,
      },
    );
  }
}

/** @param place a point, or a range of two */
function offsetOf(place: unknown): number {
  if (typeof place !== 'object' || place === null) return 0;
  if ('offset' in place && typeof place.offset === 'number') return place.offset;
  return 'start' in place ? offsetOf(place.start) : 0;
}
