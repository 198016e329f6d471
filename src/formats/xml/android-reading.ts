import { decodeAndroid, encodeAndroid, escapeUnit } from './android-escapes.ts';
import { decodeAndroidMarkup, encodeAndroidMarkup } from './android-markup.ts';
import type { Span } from '../../base/span.ts';
import { encodeCdata, encodeText, replaceUnencodable } from './character-data.ts';
import { characterDataOf, contentOf, trimSpan, type ContentKind } from './content.ts';
import { parseFragment } from './fragment.ts';
import type { Syntax } from '../../text/syntax.ts';
import { isMarkup, openEmptyTag, type Reading, type ReadOptions, requireMarkup, styleOf } from './reading.ts';
import type { XmlElement, XmlTree } from './tree.ts';

/** `@string/name`, `@null`, `?attr/name`, `?name`: the whole value is another resource. */
const RESOURCE =
  /^\s*(?:@(?:null|empty|[+*]?(?:[\w.]+:)?\w+\/[\w.$-]+)|\?(?:[\w.]+:)?(?:\w+\/)?[A-Za-z_][\w.]*)\s*$/;

/** Undefined when the value is nothing but a reference to another resource. */
export function readAndroid(
  tree: XmlTree,
  element: XmlElement,
  options: AndroidOptions,
): Reading | undefined {
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

export type AndroidOptions = Pick<ReadOptions, 'frame' | 'encodable'>;

/** How a value is written. */
interface ContentStyle {
  readonly kind: ContentKind;
  readonly quoted: boolean;
  /** White space stands around the value. */
  readonly padded: boolean;
}

/** All there are: values share them. */
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
    // With nothing between it, the white space around the value would become the value's own place.
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
