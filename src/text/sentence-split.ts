import type { Span } from '../base/span.ts';

/** How far back to search for a boundary between words or graphemes: segmenting the whole text would be too slow. */
const TAIL = 256;

/**
 * Splits a text into parts of at most `limit` code points, which concatenate to the text: at sentence ends; between
 * words if a sentence is too long; inside a word only if it is too long.
 *
 * @param inside 1 at every offset where the text must not be split; if there are too many, a part exceeds the limit
 */
export function splitAtSentences(text: string, limit: number, inside: Uint8Array): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = advance(text, start, limit);
    const cut = end === text.length ? end : chooseCut(text, { start, end }, inside);
    parts.push(text.slice(start, cut));
    start = cut;
  }
  return parts;
}

/** The offset `count` code points after `start`, or the end. */
function advance(text: string, start: number, count: number): number {
  let at = start;
  for (let i = 0; i < count && at < text.length; i++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}

/** The best place to split after `start` and not after `end`. */
function chooseCut(text: string, { start, end }: Span, inside: Uint8Array): number {
  let edge = end;
  while (edge > start && inside[edge] === 1) edge--;
  if (edge === start) {
    edge = end;
    while (inside[edge] === 1) edge++;
    return edge;
  }
  const tail = Math.max(start, edge - TAIL);
  return (
    lastBoundary(text, { start, end: edge }, 'sentence', inside) ??
    lastBoundary(text, { start: tail, end: edge }, 'word', inside) ??
    lastBoundary(text, { start: tail, end: edge }, 'grapheme', inside) ??
    edge
  );
}

/** The text after the end decides whether there is a boundary. */
const LOOKAHEAD = 64;

function lastBoundary(
  text: string,
  { start, end }: Span,
  granularity: 'sentence' | 'word' | 'grapheme',
  inside: Uint8Array,
): number | undefined {
  const segments = new Intl.Segmenter(undefined, { granularity }).segment(text.slice(start, end + LOOKAHEAD));
  let last: number | undefined;
  for (const { index } of segments) {
    if (start + index > end) break;
    if (index > 0 && inside[start + index] !== 1) last = start + index;
  }
  return last;
}
