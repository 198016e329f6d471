import { DragomanError } from '../../base/errors.ts';
import type { Span } from '../../base/span.ts';
import type { Syntax } from '../../text/syntax.ts';
import { isBlank, normalizeLineEnds } from './characters.ts';
import {
  encodeCdata,
  encodeText,
  requireEncodable,
  type Encodable,
  type TextStyle,
} from './character-data.ts';
import { characterDataOf, contentOf, hasDirectText } from './content.ts';
import { parseFragment } from './fragment.ts';
import { isEmptyTag, type XmlElement, type XmlTree } from './tree.ts';

/** The value of an element, and how to write another one in its place. */
export interface Reading {
  readonly value: string;
  readonly span: Span;
  /** The value is XML source, not text. */
  readonly markup: boolean;
  /** @param syntax what the value is written in: text and markup can take each other's place. */
  readonly encode: (value: string, syntax?: Syntax) => string;
}

export interface ReadOptions {
  readonly encodable: Encodable | undefined;
  /** The element is a slot only while it holds text, so that a blank value would lose it. */
  readonly needsText: boolean;
}

/** Reads an element whose text is kept exactly as it is, white space included. */
export function readExact(tree: XmlTree, element: XmlElement, options: ReadOptions): Reading {
  const { kind, span } = contentOf(tree, element);
  const raw = tree.text.slice(span.start, span.end);
  const markup = kind === 'markup';
  const value = markup ? normalizeLineEnds(raw) : characterDataOf(tree, element, span);
  const encode = (text: string, syntax?: Syntax): string => {
    if (isMarkup(syntax, markup)) return encodeMarkup(tree, raw, text, options);
    if (options.needsText && isBlank(text)) throw losesText();
    const style = styleOf(tree, raw, options.encodable);
    return kind === 'cdata' ? encodeCdata(text, style) : encodeText(text, style);
  };
  return openEmptyTag(tree, element, { value, span, markup, encode });
}

export function styleOf(tree: XmlTree, raw: string, encodable: Encodable | undefined): TextStyle {
  return { escapeGreater: raw.includes('&gt;'), lineEnd: tree.lineEnd, encodable };
}

/** Whether a value is markup: its syntax says so, or by default what stands there now. */
export function isMarkup(syntax: Syntax | undefined, current: boolean): boolean {
  return syntax === undefined ? current : syntax === 'markup';
}

function encodeMarkup(tree: XmlTree, raw: string, source: string, options: ReadOptions): string {
  const fragment = parseFragment(source, tree, raw);
  requireMarkup(source, fragment);
  if (options.needsText && !hasDirectText(fragment, fragment.root)) throw losesText();
  if (source.includes('\r')) {
    throw new DragomanError('unencodable_value', 'markup cannot hold a carriage return');
  }
  requireEncodable(source, options.encodable, 'markup');
  return tree.lineEnd === '\n' ? source : source.replace(/\n/g, tree.lineEnd);
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
export function openEmptyTag(tree: XmlTree, element: XmlElement, reading: Reading): Reading {
  if (!isEmptyTag(element)) return reading;
  const last = element.attributes.at(-1);
  const span = {
    start: last ? last.end + 1 : element.start + 1 + element.name.length,
    end: element.end,
  };
  return {
    ...reading,
    span,
    encode: (value, syntax) =>
      value === ''
        ? tree.text.slice(span.start, span.end)
        : `>${reading.encode(value, syntax)}</${element.name}>`,
  };
}
