import { DragomanError } from '../../base/errors.ts';
import type { Span } from '../../base/span.ts';
import { isXmlSource, type Syntax } from '../../text/syntax.ts';
import { normalizeLineEnds } from '../lines.ts';
import { isBlank } from './characters.ts';
import { encodeCdata, encodeText, requireEncodable, type Encodable, type TextStyle } from './encode.ts';
import { characterDataOf, contentOf, hasDirectText, type ContentKind } from './content.ts';
import { replaceReferences } from './entities.ts';
import { parseFragment } from './fragment.ts';
import { isEmptyTag, placeOfValue, type XmlElement, type XmlFrame, type XmlTree } from './tree.ts';

/** The value of an element, and how to replace it. Stores numbers, which take less memory than spans. */
export interface Reading {
  readonly value: string;
  readonly span: Span;
  /** Whether the value is XML source instead of text. */
  readonly markup: boolean;
  /** @param syntax the notation of the value: text may be replaced by markup, and the other way round */
  encode(value: string, syntax?: Syntax): string;
}

/** Options that all readings of a document share. */
export interface ReadOptions {
  readonly frame: XmlFrame;
  readonly encodable: Encodable | undefined;
  /** The element is a slot only if it has text, so a blank value would remove the slot. */
  readonly needsText: boolean;
}

/** Reads an element whose text is kept exactly, including white space. */
export function readVerbatimText(tree: XmlTree, element: XmlElement, options: ReadOptions): Reading {
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

/** The characters that a value consistently writes as references, except those that must be escaped. */
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

/** Whether a value is markup according to its syntax; without a syntax, whether the current value is. */
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
 * Encodes a value in XML source.
 *
 * @param raw the text that it replaces
 * @param check throws if the value is not allowed there
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
 * Markup without tags reads back as text, which is equivalent if it contains no escapes.
 *
 * @throws DragomanError `unencodable_value` if it is not equivalent
 */
export function requireMarkup(source: string, fragment: XmlTree): void {
  if (contentOf(fragment, fragment.root).kind === 'markup' || !/[&<]/.test(source)) return;
  throw new DragomanError(
    'unencodable_value',
    'the value has lost all of its inline markup, but not its escapes',
  );
}

function losesText(): DragomanError {
  return new DragomanError('unencodable_value', 'an element without its own text is not translatable here');
}

/** Makes a reading of `<a/>` replace the end of the tag when it writes, so that the element can hold a value. */
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

  constructor(element: XmlElement, reading: Reading, frame: XmlFrame) {
    this.value = reading.value;
    this.span = placeOfValue(element);
    this.markup = reading.markup;
    this.#name = element.name;
    this.#reading = reading;
    this.#frame = frame;
  }

  encode(value: string, syntax?: Syntax): string {
    if (value === '') return this.#frame.text.slice(this.span.start, this.span.end);
    return `>${this.#reading.encode(value, syntax)}</${this.#name}>`;
  }
}
