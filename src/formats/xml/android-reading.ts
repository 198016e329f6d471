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
  const { kind } = content;
  const reading = new AndroidReading({ value, span, kind, quoted, padded }, options);
  return openEmptyTag(element, reading, options.frame);
}

export type AndroidOptions = Pick<ReadOptions, 'frame' | 'encodable'>;

interface AndroidContent extends Pick<Reading, 'value' | 'span'> {
  readonly kind: ContentKind;
  readonly quoted: boolean;
  /** White space stands around the value. */
  readonly padded: boolean;
}

class AndroidReading implements Reading {
  readonly value: string;
  readonly span: Span;
  readonly #kind: ContentKind;
  readonly #quoted: boolean;
  readonly #padded: boolean;
  readonly #options: AndroidOptions;

  constructor({ value, span, kind, quoted, padded }: AndroidContent, options: AndroidOptions) {
    this.value = value;
    this.span = span;
    this.#kind = kind;
    this.#quoted = quoted;
    this.#padded = padded;
    this.#options = options;
  }

  get markup(): boolean {
    return this.#kind === 'markup';
  }

  encode(value: string, syntax?: Syntax): string {
    // With nothing between it, the white space around the value would become the value's own place.
    return this.#write(value, syntax) || (this.#padded ? '""' : '');
  }

  #write(value: string, syntax: Syntax | undefined): string {
    const { markup } = this;
    const { frame, encodable } = this.#options;
    const raw = frame.text.slice(this.span.start, this.span.end);
    if (isMarkup(syntax, markup)) {
      const fragment = parseFragment(value, frame, raw);
      requireMarkup(value, fragment);
      return encodeAndroidMarkup(fragment, markup && this.#quoted, frame.lineEnd, encodable);
    }
    const style = styleOf(frame, raw, encodable);
    const escaped = encodeAndroid(value, this.#quoted && !markup);
    if (this.#kind !== 'cdata') return encodeText(escaped, style);
    return encodeCdata(replaceUnencodable(escaped, encodable, escapeUnit), style);
  }
}
