import { nameAt, Seeker, skipSpace } from './characters.ts';
import type { Fail } from './doctype.ts';
import type { XmlAttribute, XmlElement } from './tree.ts';

/** Shared by all elements without children: {@link append} never adds to an empty list. */
const NONE: never[] = [];

/**
 * Adds to a list that this file or the parser created. A list created with its first element allocates no spare room,
 * and most lists of a document never get a second one.
 */
export function append<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}

/** Reads start tags and empty-element tags. An element whose end tag is still to come has `end` -1. */
export class TagReader {
  readonly #text: string;
  readonly #fail: Fail;
  readonly #checkValue: (start: number, end: number) => void;
  readonly #tagStarts: Seeker;
  /** A document repeats a few distinct names many times. */
  readonly #names = new Map<string, string>();

  /** @param checkValue fails if the references in an attribute value are malformed */
  constructor(text: string, fail: Fail, checkValue: (start: number, end: number) => void) {
    this.#text = text;
    this.#fail = fail;
    this.#checkValue = checkValue;
    this.#tagStarts = new Seeker(text, '<');
  }

  read(start: number, parent: XmlElement | undefined): XmlElement {
    const text = this.#text;
    const name = this.#nameAt(start + 1);
    if (name === '') this.#fail(start, 'a bare "<"; write a literal one as &lt;');
    const element: XmlElement = {
      type: 'element',
      name,
      start,
      openEnd: -1,
      closeStart: -1,
      end: -1,
      attributes: NONE,
      children: NONE,
      parent,
    };
    let at = start + 1 + name.length;
    for (;;) {
      const next = skipSpace(text, at);
      const c = text.charCodeAt(next);
      if (c === 62) {
        element.openEnd = next + 1;
        break;
      }
      if (c === 47 && text.charCodeAt(next + 1) === 62) {
        element.openEnd = element.closeStart = element.end = next + 2;
        break;
      }
      if (next >= text.length) this.#fail(start, `the tag <${name}> is not closed`);
      if (next === at) this.#fail(next, `malformed tag <${name}>`);
      const attribute = this.#readAttribute(next, name);
      element.attributes = append(element.attributes, attribute);
      at = attribute.end + 1;
    }
    this.#checkDuplicates(element.attributes, name);
    return element;
  }

  #nameAt(offset: number): string {
    const name = nameAt(this.#text, offset);
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    this.#names.set(name, name);
    return name;
  }

  #readAttribute(start: number, tag: string): XmlAttribute {
    const text = this.#text;
    const name = this.#nameAt(start);
    if (name === '') this.#fail(start, `malformed tag <${tag}>`);
    const equals = skipSpace(text, start + name.length);
    if (text[equals] !== '=') this.#fail(start, `attribute ${name} has no value`);
    const open = skipSpace(text, equals + 1);
    const quote = text[open];
    if (quote !== '"' && quote !== "'") {
      return this.#fail(Math.min(open, text.length), `the value of attribute ${name} is not quoted`);
    }
    const close = text.indexOf(quote, open + 1);
    const tagStart = this.#tagStarts.next(open + 1);
    if (close < 0) this.#fail(open, `the value of attribute ${name} is not closed`);
    if (tagStart < close) this.#fail(tagStart, `a bare "<" in the value of attribute ${name}`);
    this.#checkValue(open + 1, close);
    return { name, start: open + 1, end: close };
  }

  #checkDuplicates(attributes: readonly XmlAttribute[], tag: string): void {
    if (attributes.length < 2) return;
    const seen = new Set<string>();
    for (const { name, start } of attributes) {
      if (seen.has(name)) this.#fail(start, `attribute ${name} appears twice in <${tag}>`);
      seen.add(name);
    }
  }
}
