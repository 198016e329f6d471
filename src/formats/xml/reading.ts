import { DragomanError } from '../../base/errors.ts';
import type { Span } from '../../base/span.ts';
import { isXmlSource, type Syntax } from '../../text/syntax.ts';
import { isBlank, normalizeLineEnds } from './characters.ts';
import { encodeCdata, encodeText, requireEncodable, type Encodable, type TextStyle } from './encode.ts';
import { characterDataOf, contentOf, hasDirectText, type ContentKind } from './content.ts';
import { replaceReferences } from './entities.ts';
import { parseFragment } from './fragment.ts';
import { isEmptyTag, type XmlElement, type XmlFrame, type XmlTree } from './tree.ts';

/** The value of an element, and how to write another one in its place. Numbers weigh less than a span each. */
export interface Reading {
  readonly value: string;
  readonly span: Span;
  /** The value is XML source, not text. */
  readonly markup: boolean;
  /** @param syntax what the value is written in: text and markup can take each other's place. */
  encode(value: string, syntax?: Syntax): string;
}

/** What all readings of a document share. */
export interface ReadOptions {
  readonly frame: XmlFrame;
  readonly encodable: Encodable | undefined;
  /** The element is a slot only while it holds text, so that a blank value would lose it. */
  readonly needsText: boolean;
}

/** Reads an element whose text is kept exactly as it is, white space included. */
export function readExact(tree: XmlTree, element: XmlElement, options: ReadOptions): Reading {
  const { kind, span } = contentOf(tree, element);
  const value =
    kind === 'markup'
      ? normalizeLineEnds(tree.text.slice(span.start, span.end))
      : characterDataOf(tree, element, span);
  return openEmptyTag(element, new ExactReading(value, span, kind, options), options.frame);
}

class ExactReading implements Reading {
  readonly value: string;
  readonly #start: number;
  readonly #end: number;
  readonly #kind: ContentKind;
  readonly #options: ReadOptions;

  constructor(value: string, { start, end }: Span, kind: ContentKind, options: ReadOptions) {
    this.value = value;
    this.#start = start;
    this.#end = end;
    this.#kind = kind;
    this.#options = options;
  }

  get span(): Span {
    return { start: this.#start, end: this.#end };
  }

  get markup(): boolean {
    return this.#kind === 'markup';
  }

  encode(value: string, syntax?: Syntax): string {
    const { frame, encodable, needsText } = this.#options;
    const raw = frame.text.slice(this.#start, this.#end);
    if (isMarkup(syntax, this.markup)) return encodeMarkup(raw, value, this.#options);
    if (needsText && isBlank(value)) throw losesText();
    const style = styleOf(frame, raw, encodable);
    return this.#kind === 'cdata' ? encodeCdata(value, style) : encodeText(value, style);
  }
}

export function styleOf({ lineEnd }: XmlFrame, raw: string, encodable: Encodable | undefined): TextStyle {
  return { escapeGreater: raw.includes('&gt;'), references: referencesIn(raw), lineEnd, encodable };
}

const NO_REFERENCES: ReadonlyMap<string, string> = new Map();

/** The characters that a value writes as references wherever it has them, but for those that have to be escaped. */
function referencesIn(raw: string): ReadonlyMap<string, string> {
  if (!raw.includes('&')) return NO_REFERENCES;
  const references = new Map<string, string>();
  const rest = replaceReferences(raw, ({ character = '' }, written) => {
    if (/^[^\0-\x1f&<>]/.test(character) && !references.has(character)) references.set(character, written);
    return '';
  });
  for (const character of references.keys()) if (rest.includes(character)) references.delete(character);
  return references;
}

/** Whether a value is markup: its syntax says so, or by default what stands there now. */
export function isMarkup(syntax: Syntax | undefined, current: boolean): boolean {
  return syntax === undefined ? current : isXmlSource(syntax);
}

function encodeMarkup(raw: string, source: string, options: ReadOptions): string {
  return encodeSource(source, raw, options, (fragment) => {
    requireMarkup(source, fragment);
    if (options.needsText && !hasDirectText(fragment, fragment.root)) throw losesText();
  });
}

/**
 * A value that is XML source, as it stands in the document.
 *
 * @param raw what stood there before
 * @param check throws where the value is not what the place wants
 * @throws DragomanError `unencodable_value`
 */
export function encodeSource(
  source: string,
  raw: string,
  { frame, encodable }: Pick<ReadOptions, 'frame' | 'encodable'>,
  check?: (fragment: XmlTree) => void,
): string {
  const fragment = parseFragment(source, frame, raw);
  check?.(fragment);
  if (source.includes('\r')) {
    throw new DragomanError('unencodable_value', 'markup cannot hold a carriage return');
  }
  requireEncodable(source, encodable, 'markup');
  return frame.lineEnd === '\n' ? source : source.replace(/\n/g, frame.lineEnd);
}

/**
 * Markup without a tag reads back as text, which is the same as long as nothing in it is escaped.
 *
 * @throws DragomanError `unencodable_value` when it would not be the same
 */
export function requireMarkup(source: string, fragment: XmlTree): void {
  if (contentOf(fragment, fragment.root).kind === 'markup' || !/[&<]/.test(source)) return;
  throw new DragomanError(
    'unencodable_value',
    'the value has lost all of its inline markup, but not its escapes',
  );
}

function losesText(): DragomanError {
  return new DragomanError(
    'unencodable_value',
    'an element without text of its own is not translatable here',
  );
}

/** Lets a reading of `<a/>` replace the end of the tag, so that the element opens for a value. */
export function openEmptyTag(element: XmlElement, reading: Reading, frame: XmlFrame): Reading {
  return isEmptyTag(element) ? new OpeningReading(element, reading, frame) : reading;
}

class OpeningReading implements Reading {
  readonly value: string;
  readonly span: Span;
  readonly markup: boolean;
  readonly #name: string;
  readonly #reading: Reading;
  readonly #frame: XmlFrame;

  constructor({ attributes, start, end, name }: XmlElement, reading: Reading, frame: XmlFrame) {
    const last = attributes.at(-1);
    this.value = reading.value;
    this.span = { start: last ? last.end + 1 : start + 1 + name.length, end };
    this.markup = reading.markup;
    this.#name = name;
    this.#reading = reading;
    this.#frame = frame;
  }

  encode(value: string, syntax?: Syntax): string {
    if (value === '') return this.#frame.text.slice(this.span.start, this.span.end);
    return `>${this.#reading.encode(value, syntax)}</${this.#name}>`;
  }
}
