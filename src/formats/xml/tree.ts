import type { Span } from '../../base/span.ts';
import { isSpace } from './characters.ts';
import type { Entities } from './entities.ts';

export interface XmlAttribute {
  readonly name: string;
  /** The place of the value, without quotes. */
  readonly start: number;
  readonly end: number;
}

/** The fields are complete once the parser has read the end tag, and then do not change. */
export interface XmlElement {
  readonly type: 'element';
  readonly name: string;
  readonly start: number;
  /** The offset after the start tag, or after an empty-element tag such as `<a/>`. */
  openEnd: number;
  /** The offset of the end tag; for an empty-element tag the same as `end`. */
  closeStart: number;
  end: number;
  attributes: XmlAttribute[];
  children: XmlNode[];
  readonly parent: XmlElement | undefined;
}

export interface XmlLeaf {
  readonly type: 'text' | 'cdata' | 'comment' | 'instruction';
  readonly start: number;
  readonly end: number;
  /** Whether the text refers to an entity that the document declares. */
  readonly custom: boolean;
}

export type XmlNode = XmlElement | XmlLeaf;

export interface XmlDoctype {
  readonly span: Span;
  /** The offset of the `]` of its internal subset, if it has one. */
  readonly subsetEnd: number | undefined;
}

export interface XmlTree {
  readonly text: string;
  readonly root: XmlElement;
  /** The element that lists the document's entries: the root, or the dictionary of a property list. */
  list: XmlElement;
  readonly doctype: XmlDoctype | undefined;
  readonly entities: Entities;
  readonly lineEnd: string;
}

/** The properties of a document that are needed for writing a value: slots keep these, but not the tree. */
export interface XmlFrame extends Pick<XmlTree, 'text' | 'entities' | 'lineEnd'> {
  /** The root element's namespace prefixes, declared for the whole document. */
  readonly rootAttributes: readonly XmlAttribute[];
}

export function xmlFrameOf({ text, entities, lineEnd, root }: XmlTree): XmlFrame {
  return { text, entities, lineEnd, rootAttributes: root.attributes };
}

/** Roots whose entries are in a child element, and its name. */
const LISTS: ReadonlyMap<string, string> = new Map([['plist', 'dict']]);

/** Whether this child of the root, the first of its name, lists the document's entries. */
export function isListOf(root: XmlElement, { name }: XmlElement): boolean {
  return LISTS.get(root.name) === name;
}

export function isEmptyTag(element: XmlElement): boolean {
  return element.closeStart === element.end;
}

export function elementsOf(element: XmlElement): XmlElement[] {
  return element.children.filter((node) => node.type === 'element');
}

/** All elements below this one, the outer ones first. */
export function descendantsOf(element: XmlElement): readonly XmlElement[] {
  const found = elementsOf(element);
  for (const outer of found) for (const inner of elementsOf(outer)) found.push(inner);
  return found;
}

export function findAttribute(
  element: Pick<XmlElement, 'attributes'>,
  name: string,
): XmlAttribute | undefined {
  return element.attributes.find((attribute) => attribute.name === name);
}

/** The offset after an attribute, where another can be inserted; without an attribute, after the element's name. */
export function behindAttribute(
  element: Pick<XmlElement, 'start' | 'name'>,
  attribute: XmlAttribute | undefined,
): number {
  return attribute ? attribute.end + 1 : element.start + 1 + element.name.length;
}

/** An attribute with the white space before it. */
export function wholeAttribute({ text }: XmlTree, { name, start, end }: XmlAttribute): Span {
  let from = text.lastIndexOf(name, start);
  while (isSpace(text.charCodeAt(from - 1))) from--;
  return { start: from, end: end + 1 };
}

/** The place of an element's value: its content; the end of the tag, if it is an empty-element tag. */
export function placeOfValue(element: XmlElement): Span {
  if (!isEmptyTag(element)) return { start: element.openEnd, end: element.closeStart };
  return { start: behindAttribute(element, element.attributes.at(-1)), end: element.end };
}

/** The decoded value of an attribute; undefined if the element lacks it. */
export function attributeOf(tree: XmlTree, element: XmlElement, name: string): string | undefined {
  const attribute = findAttribute(element, name);
  return attribute && decodeAttribute(tree, attribute);
}

export function decodeAttribute(tree: XmlTree, { start, end }: XmlAttribute): string {
  const raw = tree.text.slice(start, end).replace(/\r\n|[\t\n\r]/g, ' ');
  return raw.includes('&') ? tree.entities.expand(raw) : raw;
}
