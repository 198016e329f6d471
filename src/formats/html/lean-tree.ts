import type { TextRules } from './elements.ts';
import { defaultTreeAdapter, type DefaultTreeAdapterMap, type TreeAdapter } from 'parse5';

export type Element = DefaultTreeAdapterMap['element'];
export type Parent = DefaultTreeAdapterMap['parentNode'];
type Child = DefaultTreeAdapterMap['childNode'];

/** With the rules for texts in it, once they were asked for. */
export interface LeanElement extends Element {
  rules?: TextRules | undefined;
}

const NO_CHILDREN: Child[] = [];
const NO_ATTRIBUTES: Element['attrs'] = [];

const nothing = (): void => undefined;

/** Elements whose attributes the parser, or who reads the tree, asks for. */
const READ: ReadonlySet<string> = new Set(['html', 'body', 'meta', 'annotation-xml']);
/** Attributes that decide what is translated. */
const RULES: ReadonlySet<string> = new Set(['translate', 'class', 'style']);

/**
 * A tree of elements without texts, places and attributes that nobody reads: a page of 10 MB has 100,000 elements and
 * more. Most of them have no children; they share one empty list.
 */
export const leanTree: TreeAdapter<DefaultTreeAdapterMap> = {
  ...defaultTreeAdapter,
  insertText: nothing,
  insertTextBefore: nothing,
  getNodeSourceCodeLocation: () => undefined,
  setNodeSourceCodeLocation: nothing,
  updateNodeSourceCodeLocation: nothing,
  createElement: (tagName, namespaceURI, attributes) => ({
    nodeName: tagName,
    tagName,
    attrs: READ.has(tagName) ? attributes : attributesOfRules(attributes),
    namespaceURI,
    childNodes: NO_CHILDREN,
    parentNode: null,
    // One shape for all: a field that comes later makes another.
    rules: undefined,
  }),
  createCommentNode: () => defaultTreeAdapter.createCommentNode(''),
  appendChild(parent, child) {
    if (parent.childNodes === NO_CHILDREN) startChildren(parent, child);
    else defaultTreeAdapter.appendChild(parent, child);
  },
  insertBefore(parent, child, reference) {
    if (parent.childNodes === NO_CHILDREN) startChildren(parent, child);
    else defaultTreeAdapter.insertBefore(parent, child, reference);
  },
};

function startChildren(parent: Parent, child: Child): void {
  parent.childNodes = [child];
  child.parentNode = parent;
}

function attributesOfRules(attributes: Element['attrs']): Element['attrs'] {
  const kept = attributes.filter(({ name }) => RULES.has(name));
  return kept.length === 0 ? NO_ATTRIBUTES : kept;
}
