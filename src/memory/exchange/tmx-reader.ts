import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { DragomanError } from '../../base/errors.ts';
import type { Position } from '../../base/span.ts';
import { decodeChunks, type Chunks } from './text-stream.ts';

/** A `<tu>` as written. */
export interface TmxUnit {
  readonly at: Position;
  /** Its own `srclang`, or the header's; `*all*` if any language may be the source. */
  readonly source: string | undefined;
  readonly properties: ReadonlyMap<string, string>;
  readonly stamp: TmxStamp;
  readonly variants: readonly TmxVariant[];
}

/** Author and date. */
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

/** Limits time and memory. No translation memory needs as much. */
const MAX_DEPTH = 50;
const MAX_UNIT = 4_000_000;
const MAX_SEGMENT = 1_000_000;
/** The longest piece without a tag. */
const MAX_PIECE = 2_000_000;

/**
 * Streams the units of a TMX file of any version: memory does not grow with the file. Document types are skipped, and
 * entities may not be declared: nothing is expanded or fetched.
 *
 * @throws DragomanError `unreadable_input` or `limit_exceeded` with line and column; units read before remain valid
 */
export async function* readUnits(chunks: Chunks): AsyncGenerator<TmxUnit> {
  const reader = new TmxReader();
  for await (const text of decodeChunks(chunks)) {
    // In portions, so that no piece can far exceed its limit.
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
  readonly #parser = new SaxesParser<{ position: true; xmlns: false }>({ position: true, xmlns: false });
  readonly #open: string[] = [];
  #units: TmxUnit[] = [];
  #headerSource: string | undefined;
  #unit: UnitDraft | undefined;
  #variant: ElementDraft | undefined;
  #segment: TmxPiece[] = [];
  #inSegment = false;
  #segmentSize = 0;
  #inline: { piece: Exclude<TmxPiece, { type: 'words' }>; depth: number; content: string } | undefined;
  #property: { name: string; text: string } | undefined;
  /** Offset of the last event: later input is buffered. */
  #heard = 0;

  constructor() {
    const parser = this.#parser;
    parser.on('error', (error) => this.#fail(error.message.replace(/^\d+:\d+: /, '')));
    parser.on('doctype', (text) => {
      this.#hear();
      if (/<!ENTITY/i.test(text)) this.#fail('the file declares entities, which no translation memory needs');
    });
    parser.on('opentag', (tag) => {
      this.#hear();
      this.#begin(tag);
    });
    parser.on('closetag', ({ name }) => {
      this.#hear();
      this.#end(name);
    });
    parser.on('text', (text) => {
      this.#hear();
      this.#take(text);
    });
    parser.on('cdata', (text) => {
      this.#hear();
      this.#take(text);
    });
    parser.on('comment', () => this.#hear());
    parser.on('processinginstruction', () => this.#hear());
  }

  write(text: string): void {
    this.#parser.write(text);
    if (this.#parser.position - this.#heard > MAX_PIECE) this.#refuse('a text', MAX_PIECE);
  }

  close(): void {
    this.#parser.close();
  }

  /** The units read since the last call. */
  taken(): readonly TmxUnit[] {
    const units = this.#units;
    this.#units = [];
    return units;
  }

  #hear(): void {
    this.#heard = this.#parser.position;
  }

  get #at(): Position {
    return { line: this.#parser.line, column: this.#parser.columnIndex + 1 };
  }

  #fail(message: string): never {
    throw new DragomanError('unreadable_input', message, { at: this.#at });
  }

  #refuse(what: string, most: number): never {
    throw new DragomanError('limit_exceeded', `${what} has more than ${most} characters`, { at: this.#at });
  }

  #begin({ name, attributes }: SaxesTagPlain): void {
    if (this.#open.push(name) > MAX_DEPTH) {
      throw new DragomanError('limit_exceeded', `elements are nested more than ${MAX_DEPTH} deep`, {
        at: this.#at,
      });
    }
    if (this.#open.length === 1 && name !== 'tmx') this.#fail(`<${name.slice(0, 40)}> is not a TMX document`);
    if (this.#inSegment) {
      this.#beginInline(name, attributes);
      return;
    }
    const draft = { at: this.#at, attributes, properties: new Map<string, string>() };
    if (name === 'header') this.#headerSource = attributes['srclang'];
    else if (name === 'tu') this.#unit = { ...draft, variants: [], size: 0 };
    else if (name === 'tuv' && this.#unit) this.#variant = draft;
    else if (name === 'seg' && this.#variant) {
      this.#segment = [];
      this.#segmentSize = 0;
      this.#inSegment = true;
    } else if (name === 'prop') this.#property = { name: attributes['type'] ?? '', text: '' };
  }

  /** The content of an inline element is its code, even with nested elements; highlighting (`hi`) surrounds words. */
  #beginInline(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#inline || !isInline(name)) return;
    this.#inline = { piece: { type: name, attributes, content: '' }, depth: this.#open.length, content: '' };
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
    if (this.#unit && (this.#unit.size += length) > MAX_UNIT) this.#refuse('a unit', MAX_UNIT);
    if (this.#inSegment && (this.#segmentSize += length) > MAX_SEGMENT)
      this.#refuse('a segment', MAX_SEGMENT);
    if (this.#property && this.#property.text.length > MAX_SEGMENT) this.#refuse('a property', MAX_SEGMENT);
  }

  #end(name: string): void {
    const depth = this.#open.length;
    this.#open.pop();
    if (this.#inline) {
      if (depth === this.#inline.depth) this.#endInline();
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
