import type { MemoryMessage } from '../pipeline/memory.ts';
import type { TaggedText } from '../text/tagged.ts';

/** The identity of a message within its language, as columns of its row. */
export class MessageKey {
  readonly segments: string;
  readonly placeholders: string;
  readonly category: string;
  /** Everything except the hash, joined. Equal for equal messages of one language. */
  readonly name: string;
  readonly #source: string;

  constructor({ segments, placeholders, category }: MemoryMessage, source: string) {
    this.segments = composed(joinSegments(segments));
    this.placeholders = placeholders.length === 0 ? '[]' : composed(JSON.stringify(placeholders));
    this.category = category;
    this.name = `${this.segments}${BEHIND_SEGMENTS}${this.placeholders}${category}`;
    this.#source = source;
  }

  /** Computed on demand, because messages with a known number do not need it. */
  get hash(): number {
    return hashOf(this.#source, this.name);
  }
}

/** In tagged text, `<` always begins a tag named `x`. */
const STRAY = /<(?!\/?x)/;
const BETWEEN_SEGMENTS = '<>';
const BEHIND_SEGMENTS = '<<';

/**
 * Matches `MessageKey.name` for a row of `messages as m`. Placeholders are a JSON list, so that their end is
 * unambiguous.
 */
export const NAME = `m.segments || '${BEHIND_SEGMENTS}' || m.placeholders || m.category`;

/** Characters below U+0300 do not combine, so texts that contain only these are already composed. */
const COMBINING = /[^\0-\u02ff]/;

function composed(text: string): string {
  return COMBINING.test(text) ? text.normalize('NFC') : text;
}

export function joinSegments(segments: readonly TaggedText[]): string {
  const [only] = segments;
  // Most messages have one segment, and joining it would take ten times as long.
  return segments.length === 1 && only !== undefined ? only : segments.join(BETWEEN_SEGMENTS);
}

export function splitSegments(joined: string): readonly TaggedText[] {
  return joined.split(BETWEEN_SEGMENTS);
}

export function splitPlaceholders(joined: string): readonly string[] {
  const names: unknown = JSON.parse(joined);
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/** Whether the file can hold a text unchanged: SQLite ends texts at U+0000, and cannot store lone surrogates. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Whether the file can hold segments unchanged. */
export function areStorable(segments: readonly TaggedText[]): boolean {
  for (const segment of segments) {
    if (!isStorable(segment) || (segment.includes('<') && STRAY.test(segment))) return false;
  }
  return true;
}

/**
 * A 53-bit hash, the precision of a number. Texts with the same hash are rare and compared in full, so the hash need
 * not be strong, but must never change.
 */
export function hashOf(...texts: readonly string[]): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      high = Math.imul(high ^ code, 2_654_435_761);
      low = Math.imul(low ^ code, 1_597_334_677);
    }
    // Separates texts by a value outside the range of characters.
    high = Math.imul(high ^ 0x10000, 2_654_435_761);
    low = Math.imul(low ^ 0x10000, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 4_294_967_296 * (0x1fffff & low) + (high >>> 0);
}
