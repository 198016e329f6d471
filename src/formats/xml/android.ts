import type { Span } from '../../base/span.ts';
import type { Syntax } from '../../text/syntax.ts';
import type { Entry, Key } from '../format.ts';
import { decodeAndroid, encodeAndroid, escapeUnit } from './android-escapes.ts';
import { decodeAndroidMarkup, encodeAndroidMarkup } from './android-markup.ts';
import { type EntryBlock, blocksIn, blocksOf, describeBlock, isUntranslatable, joinNotes } from './blocks.ts';
import { characterDataOf, contentOf, trimSpan, type ContentKind } from './content.ts';
import { encodeCdata, encodeText, replaceUnencodable } from './encode.ts';
import { type Collector, type CollectOptions, Findings } from './findings.ts';
import { parseFragment } from './fragment.ts';
import { isMarkup, openEmptyTag, type Reading, type ReadOptions, requireMarkup, styleOf } from './reading.ts';
import { attributeOf, frameOf, type XmlElement, type XmlNode, type XmlTree } from './tree.ts';

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
    this.#reading = { frame: frameOf(tree), encodable: options.encodable };
    this.findings = new Findings(() => 'android', options);
  }

  collect(nodes: readonly XmlNode[], end: number): void {
    const tree = this.#tree;
    if (isUntranslatable(tree, tree.root)) return;
    for (const block of blocksIn(tree, nodes, end)) this.#readResource(block);
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
  /** White space surrounds the value. */
  readonly padded: boolean;
}

/** All possible styles: values share them. */
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
