import type { Span } from '../../base/span.ts';
import { isBlank } from './characters.ts';
import { attributeOf, decodeAttribute, type XmlElement, type XmlNode, type XmlTree } from './tree.ts';

/** An element with its comments. */
export interface EntryBlock {
  readonly element: XmlElement;
  readonly span: Span;
  /** The texts of the comments in file order. */
  readonly notes: readonly string[];
}

/**
 * The child elements with their comments: those directly above without a blank line, and one after the element on its
 * last line.
 */
export function blocksOf(tree: XmlTree, { children }: XmlElement): EntryBlock[] {
  const blocks: EntryBlock[] = [];
  for (const [index, node] of children.entries()) {
    if (node.type !== 'element') continue;
    const { above, behind } = commentsAround(tree, children, index);
    const span = { start: above[0]?.start ?? node.start, end: behind?.end ?? node.end };
    blocks.push({ element: node, span, notes: notesOf(tree, above, behind) });
  }
  return blocks;
}

/** The comments of an element, by place. */
export interface CommentsAround {
  /** The comments above it, in file order. */
  readonly above: readonly XmlNode[];
  readonly behind: XmlNode | undefined;
}

/** The comments that belong to the element at `index` of its parent's nodes. */
export function commentsAround(tree: XmlTree, nodes: readonly XmlNode[], index: number): CommentsAround {
  return { above: commentsBefore(tree, nodes, index), behind: commentBehind(tree, nodes, index) };
}

const NOTE_ATTRIBUTES: ReadonlySet<string> = new Set(['comment', 'description', 'translation_description']);

/** The developer's note on an element, from its comments and attributes. */
export function describeBlock(tree: XmlTree, { element, notes }: EntryBlock): string | undefined {
  if (notes.length === 0 && element.attributes.length === 0) return undefined;
  const all = [...notes];
  for (const attribute of element.attributes) {
    const name = attribute.name.slice(attribute.name.indexOf(':') + 1);
    if (NOTE_ATTRIBUTES.has(name)) all.push(decodeAttribute(tree, attribute).trim());
  }
  return joinNotes(all);
}

export function joinNotes(notes: readonly (string | undefined)[]): string | undefined {
  const texts = notes.filter((note) => note !== undefined && note !== '');
  return texts.length > 0 ? texts.join('\n') : undefined;
}

/** Whether the element's own attributes exclude it from translation. */
export function isUntranslatable(tree: XmlTree, element: XmlElement): boolean {
  return attributeOf(tree, element, 'translatable') === 'false' || refusesTranslation(tree, element);
}

function refusesTranslation(tree: XmlTree, element: XmlElement): boolean {
  const translate = attributeOf(tree, element, 'translate') ?? attributeOf(tree, element, 'its:translate');
  return translate === 'no';
}

const NONE: readonly never[] = [];

function notesOf(tree: XmlTree, before: readonly XmlNode[], behind: XmlNode | undefined): readonly string[] {
  if (before.length === 0 && !behind) return NONE;
  return [...before, ...(behind ? [behind] : [])].map((comment) => noteOf(tree, comment));
}

function noteOf(tree: XmlTree, { start, end }: XmlNode): string {
  return tree.text
    .slice(start + 4, end - 3)
    .replace(/\s+/g, ' ')
    .trim();
}

function commentsBefore(tree: XmlTree, nodes: readonly XmlNode[], index: number): readonly XmlNode[] {
  if (nodes[index - 1]?.type !== 'comment' && nodes[index - 2]?.type !== 'comment') return NONE;
  const comments: XmlNode[] = [];
  let at = index - 1;
  for (;;) {
    if (nodes[at]?.type === 'text' && breaksIn(tree, nodes[at]) <= 1) at--;
    const comment = nodes[at];
    if (comment?.type !== 'comment' || isBehind(tree, nodes, at)) break;
    comments.push(comment);
    at--;
  }
  return comments.reverse();
}

function commentBehind(tree: XmlTree, nodes: readonly XmlNode[], index: number): XmlNode | undefined {
  if (nodes[index + 1]?.type !== 'comment' && nodes[index + 2]?.type !== 'comment') return undefined;
  const next = breaksIn(tree, nodes[index + 1]) === 0 ? index + 2 : index + 1;
  return nodes[next]?.type === 'comment' && isBehind(tree, nodes, next) ? nodes[next] : undefined;
}

/** Whether the comment follows an element on the same line and ends the line. */
function isBehind(tree: XmlTree, nodes: readonly XmlNode[], index: number): boolean {
  const before = breaksIn(tree, nodes[index - 1]) === 0 ? nodes[index - 2] : nodes[index - 1];
  if (before?.type !== 'element') return false;
  const after = nodes[index + 1];
  return after === undefined || (breaksIn(tree, after) > 0 && breaksIn(tree, after) < Infinity);
}

/** The number of line breaks in a blank text; infinite for any other node, which separates its neighbours. */
export function breaksIn(tree: XmlTree, node: XmlNode | undefined): number {
  if (node?.type !== 'text') return Infinity;
  const text = tree.text.slice(node.start, node.end);
  if (!isBlank(text)) return Infinity;
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
