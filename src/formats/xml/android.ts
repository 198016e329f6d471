import type { Span } from '../../base/span.ts';
import type { Syntax } from '../../text/syntax.ts';
import type { Entry, Key } from '../format.ts';
import { normalizeLineEnds } from '../lines.ts';
import { decodeAndroid, encodeAndroid, escapeUnit, AndroidReader } from './android-escapes.ts';
import { type EntryBlock, blocksOf, describeBlock, isUntranslatable, joinNotes } from './blocks.ts';
import { characterDataOf, contentOf, trimSpan, type ContentKind } from './content.ts';
import { encodeCdata, encodeText, replaceUnencodable, requireEncodable, type Encodable } from './encode.ts';
import { type Collector, type CollectOptions, Findings } from './findings.ts';
import { parseFragment, type FragmentPiece, piecesOf } from './fragment.ts';
import { isMarkup, openEmptyTag, type Reading, type ReadOptions, requireMarkup, styleOf } from './reading.ts';
import { attributeOf, xmlFrameOf, type XmlElement, type XmlTree } from './tree.ts';
import { illegalCharacterIn } from './characters.ts';
import { referenceAt, replaceReferences } from './entities.ts';

/**
 * Android resources: `<string>`, `<plurals>` and `<string-array>` below `<resources>`. A named element without
 * translatable text (`translatable="false"`, also on an `<item>`, or a reference to another resource) is an entry
 * without a slot, so that no element of the same name is inserted.
 */
export class AndroidCollector implements Collector {
  readonly #tree: XmlTree;
  readonly #reading: AndroidOptions;
  readonly findings: Findings;

  constructor(tree: XmlTree, options: CollectOptions) {
    this.#tree = tree;
    this.#reading = { frame: xmlFrameOf(tree), encodable: options.encodable };
    this.findings = new Findings(() => 'android', options);
  }

  collect(): void {
    const tree = this.#tree;
    if (isUntranslatable(tree, tree.root)) return;
    for (const block of blocksOf(tree, tree.root)) this.#readResource(block);
  }

  #readResource(block: EntryBlock): void {
    const { element } = block;
    const name = attributeOf(this.#tree, element, 'name');
    if (name === undefined || !/^(?:string|plurals|string-array)$/.test(element.name)) return;
    const product = attributeOf(this.#tree, element, 'product');
    const key = product === undefined ? [name] : [name, `product=${product}`];
    if (isUntranslatable(this.#tree, element)) {
      this.#enter(key, block, false);
      return;
    }
    const comment = describeBlock(this.#tree, block);
    if (element.name === 'string') {
      this.#enter(key, block, this.#find(key, element, comment));
    } else this.#readItems(key, block, comment);
  }

  #readItems(group: Key, block: EntryBlock, comment: string | undefined): void {
    const plural = block.element.name === 'plurals';
    const children: Entry[] = [];
    let index = 0;
    for (const item of blocksOf(this.#tree, block.element)) {
      if (item.element.name !== 'item') continue;
      const category = plural ? attributeOf(this.#tree, item.element, 'quantity') : String(index++);
      if (category === undefined) continue;
      const key = group.concat(category);
      const note = joinNotes([comment, describeBlock(this.#tree, item)]);
      const isText =
        !isUntranslatable(this.#tree, item.element) &&
        this.#find(key, item.element, note, plural ? group : undefined);
      this.#enter(key, item, isText, children);
    }
    this.findings.enter({ key: group, span: block.span, children }, block.element);
  }

  /** @returns whether it is a text */
  #find(key: Key, element: XmlElement, comment: string | undefined, group?: Key): boolean {
    const reading = readAndroid(this.#tree, element, this.#reading);
    if (reading) this.findings.add(key, element, reading, comment, group);
    return reading !== undefined;
  }

  #enter(key: Key, { element, span }: EntryBlock, isText: boolean, siblings?: Entry[]): void {
    this.findings.enter({ key, span, noText: isText ? undefined : 'value' }, element, siblings);
  }
}

/** `@string/name`, `@null`, `?attr/name`, `?name`: the whole value is a resource reference. */
const RESOURCE =
  /^\s*(?:@(?:null|empty|[+*]?(?:[\w.]+:)?\w+\/[\w.$-]+)|\?(?:[\w.]+:)?(?:\w+\/)?[A-Za-z_][\w.]*)\s*$/;

/** Undefined if the value is only a reference to another resource. */
function readAndroid(tree: XmlTree, element: XmlElement, options: AndroidOptions): Reading | undefined {
  const content = contentOf(tree, element);
  const span = trimSpan(tree.text, content.span);
  const markup = content.kind === 'markup';
  const text = markup ? '' : characterDataOf(tree, element, content.span);
  if (RESOURCE.test(text)) return undefined;
  const { value, quoted } = markup ? decodeAndroidMarkup(tree, element, span) : decodeAndroid(text);
  const padded = span.start > content.span.start || span.end < content.span.end;
  const reading = new AndroidReading(value, span, styleOfContent(content.kind, quoted, padded), options);
  return openEmptyTag(element, reading, options.frame);
}

type AndroidOptions = Pick<ReadOptions, 'frame' | 'encodable'>;

/** How a value is written. */
interface ContentStyle {
  readonly kind: ContentKind;
  readonly quoted: boolean;
  /** Whether white space surrounds the value. */
  readonly padded: boolean;
}

/** All possible styles, which values share. */
const STYLES: readonly ContentStyle[] = (['text', 'cdata', 'markup'] as const).flatMap((kind) =>
  [false, true].flatMap((quoted) => [false, true].map((padded) => ({ kind, quoted, padded }))),
);

function styleOfContent(kind: ContentKind, quoted: boolean, padded: boolean): ContentStyle {
  const found = STYLES.find(
    (style) => style.kind === kind && style.quoted === quoted && style.padded === padded,
  );
  return found ?? { kind, quoted, padded };
}

class AndroidReading implements Reading {
  readonly value: string;
  readonly #start: number;
  readonly #end: number;
  readonly #style: ContentStyle;
  readonly #options: AndroidOptions;

  constructor(value: string, { start, end }: Span, style: ContentStyle, options: AndroidOptions) {
    this.value = value;
    this.#start = start;
    this.#end = end;
    this.#style = style;
    this.#options = options;
  }

  get span(): Span {
    return { start: this.#start, end: this.#end };
  }

  get markup(): boolean {
    return this.#style.kind === 'markup';
  }

  encode(value: string, syntax?: Syntax): string {
    // An empty value would make the surrounding white space the value's place.
    return this.#write(value, syntax) || (this.#style.padded ? '""' : '');
  }

  #write(value: string, syntax: Syntax | undefined): string {
    const { markup } = this;
    const { kind, quoted } = this.#style;
    const { frame, encodable } = this.#options;
    const raw = frame.text.slice(this.#start, this.#end);
    if (isMarkup(syntax, markup)) {
      const fragment = parseFragment(value, frame, raw);
      requireMarkup(value, fragment);
      return encodeAndroidMarkup(fragment, markup && quoted, frame.lineEnd, encodable);
    }
    const style = styleOf(frame, raw, encodable);
    const escaped = encodeAndroid(value, quoted && !markup);
    if (kind !== 'cdata') return encodeText(escaped, style);
    return encodeCdata(replaceUnencodable(escaped, encodable, escapeUnit), style);
  }
}

interface AndroidMarkup {
  /** The value as XML source: tags and references as written, resource escapes decoded. */
  readonly value: string;
  /** Whether the text is enclosed in one pair of double quotes that no style tag interrupts. */
  readonly quoted: boolean;
}

const isStyle = ({ type, name }: FragmentPiece): boolean => type === 'tag' && !name.includes(':');

/** Decodes the part of an element's content within `span`. */
function decodeAndroidMarkup(tree: XmlTree, element: XmlElement, span: Span): AndroidMarkup {
  const reader = new AndroidReader(showDecoded);
  const pieces = piecesOf(element);
  for (const piece of pieces) {
    const source = tree.text.slice(
      Math.max(piece.span.start, span.start),
      Math.min(piece.span.end, span.end),
    );
    if (piece.type === 'text') pushText(reader, normalizeLineEnds(source));
    else if (piece.type === 'tag') reader.copy(normalizeLineEnds(source), isStyle(piece));
    else reader.copyText(normalizeLineEnds(source));
  }
  reader.flush();
  const raw = tree.text.slice(span.start, span.end);
  const quoted =
    reader.quotes.length === 2 && raw.startsWith('"') && raw.endsWith('"') && !pieces.some(isStyle);
  return { value: reader.value, quoted };
}

function pushText(reader: AndroidReader, source: string): void {
  let at = 0;
  for (let amp = source.indexOf('&'); amp >= 0; amp = source.indexOf('&', at)) {
    reader.pushText(source.slice(at, amp));
    const reference = referenceAt(source, amp);
    at = reference?.end ?? amp + 1;
    const raw = source.slice(amp, at);
    if (reference?.character === undefined) reader.copyText(raw);
    else reader.push(reference.character, raw);
  }
  reader.pushText(source.slice(at));
  reader.flush();
}

/** A decoded `\u003C` is text, which is escaped in XML source. Characters that XML cannot represent remain escapes. */
function showDecoded(character: string): string {
  if (character === '&') return '&amp;';
  if (character === '<') return '&lt;';
  if (character === '>') return '&gt;';
  return /[\ud800-\udfff]/.test(character) || illegalCharacterIn(character) < 0
    ? character
    : escapeUnit(character);
}

/** The inverse of {@link decodeAndroidMarkup}, for a fragment whose root contains the new value. */
function encodeAndroidMarkup(
  fragment: XmlTree,
  quoted: boolean,
  lineEnd: string,
  encodable: Encodable | undefined,
): string {
  const pieces = piecesOf(fragment.root);
  const quotes = quoted && !pieces.some(isStyle);
  const writer = new TextWriter(fragment.root.openEnd, fragment.root.closeStart, quotes);
  let result = '';
  for (const piece of pieces) {
    const source = fragment.text.slice(piece.span.start, piece.span.end);
    if (piece.type === 'text') {
      result += replaceUnencodable(writer.write(source, piece.span), encodable, escapeUnit);
      continue;
    }
    requireEncodable(source, encodable, 'markup');
    result += lineEnd === '\n' ? source : source.replace(/\n/g, lineEnd);
    if (piece.type === 'other' || isStyle(piece)) writer.space = false;
  }
  return quotes ? `"${result}"` : result;
}

/**
 * Escapes the text between tags. A space that would be collapsed is written as `\u0020`, because quotes do not extend
 * across tags.
 */
class TextWriter {
  /** Whether the text so far ends in a bare space, which would merge with a following one. */
  space = false;
  readonly #start: number;
  readonly #end: number;
  readonly #quotes: boolean;

  constructor(start: number, end: number, quotes: boolean) {
    this.#start = start;
    this.#end = end;
    this.#quotes = quotes;
  }

  write(source: string, span: Span): string {
    const escaped = replaceReferences(
      source.replace(/[\\"'\n\t\r]/g, (c) => this.#escape(c)),
      (reference, raw) =>
        reference.character !== undefined && /[\\"']/.test(reference.character) ? `\\${raw}` : raw,
    );
    const text = span.start === this.#start ? escapeStart(escaped) : escaped;
    const spaced = text.replace(/ +/g, (run, offset: number) => {
      const first = offset > 0 ? ' ' : this.space || span.start === this.#start ? '\\u0020' : ' ';
      const last = offset + run.length === text.length && span.end === this.#end;
      if (run.length === 1) return last ? '\\u0020' : first;
      return first + '\\u0020'.repeat(run.length - 1);
    });
    this.space = spaced.endsWith(' ');
    return spaced;
  }

  #escape(c: string): string {
    if (c === '\n') return '\\n';
    if (c === '\t') return '\\t';
    if (c === '\r') return escapeUnit(c);
    return c === "'" && this.#quotes ? c : `\\${c}`;
  }
}

/** A value that starts with `@` or `?` would be read as a resource reference. */
function escapeStart(text: string): string {
  const first = text.startsWith('&') ? referenceAt(text, 0)?.character : text.charAt(0);
  return first === '@' || first === '?' ? `\\${text}` : text;
}
