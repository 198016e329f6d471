import type { TextRules } from './elements.ts';
import { defaultTreeAdapter, type DefaultTreeAdapterMap, type TreeAdapter } from 'parse5';

export type Element = DefaultTreeAdapterMap['element'];
export type Parent = DefaultTreeAdapterMap['parentNode'];
type Child = DefaultTreeAdapterMap['childNode'];

/** The rules for its texts, once computed. */
export interface LeanElement extends Element {
  rules?: TextRules | undefined;
}

const NO_CHILDREN: Child[] = [];
const NO_ATTRIBUTES: Element['attrs'] = [];

const nothing = (): void => undefined;

/** Elements whose attributes the parser or the tree's reader needs. */
const READ: ReadonlySet<string> = new Set(['html', 'body', 'meta', 'annotation-xml']);
/** Attributes that decide whether text is translated. */
const RULES: ReadonlySet<string> = new Set(['translate', 'class', 'style']);

/**
 * A tree of elements without texts, locations and unneeded attributes: a page of 10 MB can have over 100,000 elements.
 * Most have no children and share one empty list.
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
    // Set at once, because a field added later changes the object's hidden class.
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
