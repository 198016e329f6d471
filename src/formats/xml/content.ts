import type { Span } from '../../base/span.ts';
import { normalizeLineEnds } from '../lines.ts';
import { isBlank, isSpace } from './characters.ts';
import { decodeReferences } from './entities.ts';
import type { XmlElement, XmlNode, XmlTree } from './tree.ts';

/**
 * The content of an element:
 *
 * - `text` character data, possibly with CDATA sections among it
 * - `cdata` only CDATA sections, possibly with white space around them
 * - `markup` elements, comments, instructions or references to declared entities among the text, or instead of it
 */
export type ContentKind = 'text' | 'cdata' | 'markup';

export interface Content {
  readonly kind: ContentKind;
  /** Everything between the tags; for `cdata` from the first section to the last. */
  readonly span: Span;
}

export function contentOf(tree: XmlTree, element: XmlElement): Content {
  const { children } = element;
  const whole = { start: element.openEnd, end: element.closeStart };
  if (!children.every(isPlainData)) return { kind: 'markup', span: whole };
  if (children.length < 2 && children[0]?.type !== 'cdata') return { kind: 'text', span: whole };
  const first = children.find((node) => node.type === 'cdata');
  const last = children.findLast((node) => node.type === 'cdata');
  if (!first || !last) return { kind: 'text', span: whole };
  const around = children.filter((node) => node.type === 'text');
  const outside = around.every(({ start, end }) => end <= first.start || start >= last.end);
  const blank = around.every(({ start, end }) => isBlank(tree.text.slice(start, end)));
  if (!outside || !blank) return { kind: 'text', span: whole };
  return { kind: 'cdata', span: { start: first.start, end: last.end } };
}

function isPlainData(node: XmlNode): boolean {
  return node.type === 'cdata' || (node.type === 'text' && !node.custom);
}

/** The text of this element as an XML parser reports it, without child elements. */
export function characterDataOf(tree: XmlTree, element: XmlElement, within?: Span): string {
  let data = '';
  for (const { type, start, end } of element.children) {
    if (within && (start < within.start || end > within.end)) continue;
    if (type === 'text') data += decodeReferences(normalizeLineEnds(tree.text.slice(start, end)));
    else if (type === 'cdata') data += normalizeLineEnds(tree.text.slice(start + 9, end - 3));
  }
  return data;
}

/** @param asMarkup returns XML source even for a text without elements */
export function textOf(tree: XmlTree, element: XmlElement, asMarkup = false): string {
  const { kind, span } = contentOf(tree, element);
  return asMarkup || kind === 'markup'
    ? normalizeLineEnds(tree.text.slice(element.openEnd, element.closeStart))
    : characterDataOf(tree, element, span);
}

/** Whether the element has non-blank text outside its children. */
export function hasDirectText(tree: XmlTree, element: XmlElement): boolean {
  return element.children.some(({ type, start, end }) => {
    if (type === 'text') return !isBlank(decodeReferences(tree.text.slice(start, end)));
    return type === 'cdata' && !isBlank(tree.text.slice(start + 9, end - 3));
  });
}

/** The span without white space at its ends; a blank span unchanged. */
export function trimSpan(text: string, { start, end }: Span): Span {
  let from = start;
  let to = end;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return from === to ? { start, end } : { start: from, end: to };
}
