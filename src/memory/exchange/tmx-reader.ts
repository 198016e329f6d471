import type { Position } from '../../base/span.ts';
import { XmlReader } from '../../base/xml-reader.ts';
import { decodeChunks, type Chunks } from './text-stream.ts';

/** A `<tu>` as written. */
export interface TmxUnit {
  readonly at: Position;
  /** The unit's own `srclang`, otherwise the header's; `*all*` if any language may be the source. */
  readonly source: string | undefined;
  readonly properties: ReadonlyMap<string, string>;
  readonly stamp: TmxStamp;
  readonly variants: readonly TmxVariant[];
}

/** Author and date of a translation. */
export interface TmxStamp {
  readonly author?: string | undefined;
  readonly changed?: Date | undefined;
}

/** A `<tuv>`. */
export interface TmxVariant {
  readonly at: Position;
  readonly language: string;
  readonly properties: ReadonlyMap<string, string>;
  readonly stamp: TmxStamp;
  readonly segment: readonly TmxPiece[];
}

/** A piece of a `<seg>`: words, or an inline element with its attributes and content. */
export type TmxPiece =
  | { readonly type: 'words'; readonly text: string }
  | {
      readonly type: 'bpt' | 'ept' | 'ph' | 'it' | 'ut';
      readonly attributes: Readonly<Record<string, string>>;
      readonly content: string;
    };

/** Limits time and memory. Units and segments of real translation memories are much shorter. */
const MAX_UNIT = 4_000_000;
const MAX_SEGMENT = 1_000_000;

/**
 * Streams the units of a TMX file of any version: memory does not grow with the file. Document types are skipped, and
 * entities may not be declared: nothing is expanded or fetched.
 *
 * @throws DragomanError `unreadable_input` or `limit_exceeded` with line and column; units read before remain valid
 */
export async function* readUnits(chunks: Chunks): AsyncGenerator<TmxUnit> {
  const reader = new TmxReader();
  for await (const text of decodeChunks(chunks)) {
    // Processed in chunks, so that no piece far exceeds its limit.
    for (let at = 0; at < text.length; at += 65_536) {
      yield* take(reader, () => reader.write(text.slice(at, at + 65_536)));
    }
  }
  yield* take(reader, () => reader.close());
}

/** Units before an error are still valid. */
function* take(reader: TmxReader, read: () => void): Generator<TmxUnit> {
  let failure: { readonly error: unknown } | undefined;
  try {
    read();
  } catch (error) {
    failure = { error };
  }
  yield* reader.taken();
  if (failure) throw failure.error;
}

interface ElementDraft {
  readonly at: Position;
  readonly attributes: Readonly<Record<string, string>>;
  readonly properties: Map<string, string>;
}

interface UnitDraft extends ElementDraft {
  readonly variants: TmxVariant[];
  size: number;
}

class TmxReader {
  readonly #xml = new XmlReader('translation memory', {
    begin: (name, attributes) => this.#begin(name, attributes),
    end: (name) => this.#end(name),
    text: (text) => this.#take(text),
  });
  #units: TmxUnit[] = [];
  #headerSource: string | undefined;
  #unit: UnitDraft | undefined;
  #variant: ElementDraft | undefined;
  #segment: TmxPiece[] = [];
  #inSegment = false;
  #segmentSize = 0;
  #inline: { piece: Exclude<TmxPiece, { type: 'words' }>; depth: number; content: string } | undefined;
  #property: { name: string; text: string } | undefined;

  write(text: string): void {
    this.#xml.write(text);
  }

  close(): void {
    this.#xml.close();
  }

  /** The units read since the last call. */
  taken(): readonly TmxUnit[] {
    const units = this.#units;
    this.#units = [];
    return units;
  }

  #begin(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#xml.depth === 1 && name !== 'tmx')
      this.#xml.fail(`<${name.slice(0, 40)}> is not a TMX document`);
    if (this.#inSegment) {
      this.#beginInline(name, attributes);
      return;
    }
    const draft = { at: this.#xml.at, attributes, properties: new Map<string, string>() };
    if (name === 'header') this.#headerSource = attributes['srclang'];
    else if (name === 'tu') this.#unit = { ...draft, variants: [], size: 0 };
    else if (name === 'tuv' && this.#unit) this.#variant = draft;
    else if (name === 'seg' && this.#variant) {
      this.#segment = [];
      this.#segmentSize = 0;
      this.#inSegment = true;
    } else if (name === 'prop') this.#property = { name: attributes['type'] ?? '', text: '' };
  }

  /**
   * The content of an inline element is its code, including nested elements. Only `hi` (highlighting) contains words.
   */
  #beginInline(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#inline || !isInline(name)) return;
    this.#inline = { piece: { type: name, attributes, content: '' }, depth: this.#xml.depth, content: '' };
    // Even an empty element takes memory.
    this.#count(Object.values(attributes).reduce((size, { length }) => size + length, 100));
  }

  #take(text: string): void {
    if (this.#property) this.#property.text += text;
    else if (!this.#inSegment) return;
    else if (this.#inline) this.#inline.content += text;
    else this.#segment.push({ type: 'words', text });
    this.#count(text.length);
  }

  #count(length: number): void {
    if (this.#unit && (this.#unit.size += length) > MAX_UNIT) this.#xml.refuse('a unit', MAX_UNIT);
    if (this.#inSegment && (this.#segmentSize += length) > MAX_SEGMENT)
      this.#xml.refuse('a segment', MAX_SEGMENT);
    if (this.#property && this.#property.text.length > MAX_SEGMENT)
      this.#xml.refuse('a property', MAX_SEGMENT);
  }

  #end(name: string): void {
    if (this.#inline) {
      if (this.#xml.depth === this.#inline.depth) this.#endInline();
      return;
    }
    if (name === 'seg') this.#inSegment = false;
    else if (name === 'prop') this.#endProperty();
    else if (name === 'tuv') this.#endVariant();
    else if (name === 'tu') this.#endUnit();
  }

  #endInline(): void {
    if (!this.#inline) return;
    const { piece, content } = this.#inline;
    this.#segment.push({ ...piece, content });
    this.#inline = undefined;
  }

  #endProperty(): void {
    if (!this.#property) return;
    const { name, text } = this.#property;
    (this.#variant ?? this.#unit)?.properties.set(name, text);
    this.#count(100);
    this.#property = undefined;
  }

  #endVariant(): void {
    if (!this.#variant || !this.#unit) return;
    const { at, attributes, properties } = this.#variant;
    this.#unit.variants.push({
      at,
      language: attributes['xml:lang'] ?? attributes['lang'] ?? '',
      properties,
      stamp: stampOf(attributes),
      segment: this.#segment,
    });
    this.#count(100);
    this.#variant = undefined;
    this.#segment = [];
  }

  #endUnit(): void {
    if (!this.#unit) return;
    const { at, attributes, properties, variants } = this.#unit;
    const source = attributes['srclang'] ?? this.#headerSource;
    this.#units.push({ at, source, properties, stamp: stampOf(attributes), variants });
    this.#unit = undefined;
  }
}

function isInline(name: string): name is Exclude<TmxPiece['type'], 'words'> {
  return ['bpt', 'ept', 'ph', 'it', 'ut'].includes(name);
}

function stampOf(attributes: Readonly<Record<string, string>>): TmxStamp {
  return {
    author: attributes['changeid'] ?? attributes['creationid'],
    changed: dateOf(attributes['changedate']) ?? dateOf(attributes['creationdate']),
  };
}

/** `20260131T235959Z`; other ISO 8601 spellings occur too. */
function dateOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const compact = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?$/.exec(text);
  const iso = compact ? `${compact.slice(1, 4).join('-')}T${compact.slice(4).join(':')}Z` : text;
  const date = /^\d{4}-\d\d-\d\d(?:$|T)/.test(iso) ? new Date(iso) : undefined;
  return date && !Number.isNaN(date.getTime()) ? date : undefined;
}
