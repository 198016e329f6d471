import { DragomanError } from '../../base/errors.ts';
import { positionAt, type Span } from '../../base/span.ts';
import { readBlocks, readDestinations, readVerbatim, type Block } from './block.ts';
import { hasSpanAt, maskNotations } from './mask.ts';
import { parseBody, requireReadable, type Extension, type Labels, type ParsedBody } from './parse.ts';

/** What Markdown is read as. */
export interface Dialect {
  readonly isMdx: boolean;
  readonly extensions: readonly Extension[];
}

export interface LocatedBlocks {
  readonly blocks: readonly Block[];
  /** Titles of containers. */
  readonly titles: readonly Span[];
  readonly labels: Labels;
  /** Of links and of the definitions of references, in order. */
  readonly destinations: readonly Span[];
}

/**
 * Finds the blocks with text of a document.
 *
 * @param base where its body begins, behind a byte order mark and the front matter
 */
export function locateBlocks(text: string, base: number, dialect: Dialect, labels?: Labels): LocatedBlocks {
  requireReadable(text, base, dialect.isMdx);
  const body = text.slice(base);
  const masked = maskNotations(body, dialect);
  const shift = ({ start, end }: Span): Span => ({ start: base + start, end: base + end });
  const parsed = parse(text, base, () => parseBody(masked.text, dialect.extensions, labels));
  const blocks = readBlocks(parsed.events, { text, base, masked: masked.inline.map(shift) });
  const verbatim = readVerbatim(parsed.events, base);
  // A marker that continues a paragraph begins no container.
  const spans = blocks
    .filter(({ pieces }) => pieces.some(({ kind }) => kind === 'text'))
    .map(({ span }) => span);
  const titles = masked.titles
    .map(shift)
    .filter(({ start }) => !hasSpanAt(verbatim, start) && !hasSpanAt(spans, start));
  const destinations = readDestinations(parsed.events).map(shift);
  return { blocks, titles, labels: parsed.labels, destinations };
}

/** The parser of MDX says where it stops, in an error of its own. */
function parse(text: string, base: number, read: () => ParsedBody): ParsedBody {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error) || !('ruleId' in error) || !('place' in error)) throw error;
    throw new DragomanError(
      'unreadable_input',
      `this is no MDX: ${'reason' in error ? String(error.reason) : ''}`,
      {
        at: positionAt(text, base + offsetOf(error.place)),
        hint: 'Correct it. Without components and expressions, it can be read as Markdown: give it the extension md.',
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
