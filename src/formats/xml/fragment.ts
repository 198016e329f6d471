import { DragomanError } from '../../base/errors.ts';
import type { Span } from '../../base/span.ts';
import { replaceReferences } from './entities.ts';
import { parseXml } from './parser.ts';
import type { XmlElement, XmlFrame, XmlTree } from './tree.ts';

/** A piece of an element's content, in file order. */
export interface FragmentPiece {
  /** `tag`: a start, end or empty-element tag; `other`: a comment, instruction or CDATA section. */
  readonly type: 'text' | 'tag' | 'other';
  readonly span: Span;
  /** Name of the tag's element, otherwise ''. */
  readonly name: string;
}

/** The content of an element, including descendants, as a flat list. */
export function piecesOf(element: XmlElement): FragmentPiece[] {
  const pieces: FragmentPiece[] = [];
  const visit = (parent: XmlElement): void => {
    for (const node of parent.children) {
      const { start, end } = node;
      if (node.type !== 'element') {
        pieces.push({ type: node.type === 'text' ? 'text' : 'other', span: { start, end }, name: '' });
        continue;
      }
      const { name } = node;
      pieces.push({ type: 'tag', span: { start, end: node.openEnd }, name });
      visit(node);
      if (node.closeStart < end) pieces.push({ type: 'tag', span: { start: node.closeStart, end }, name });
    }
  };
  visit(element);
  return pieces;
}

/**
 * Parses a new value in XML source that will replace `original`.
 *
 * @throws DragomanError `unencodable_value` if it is malformed there
 */
export function parseFragment(value: string, frame: XmlFrame, original: string): XmlTree {
  let fragment: XmlTree;
  try {
    fragment = parseXml(`<_>${value}</_>`, frame.entities);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    throw new DragomanError('unencodable_value', `the value is not well-formed markup: ${error.message}`, {
      cause: error,
    });
  }
  for (const { type, name, span } of piecesOf(fragment.root)) {
    if (type === 'tag') requirePrefix(name, frame, original);
    if (type === 'text') requireEntities(fragment.text.slice(span.start, span.end), frame, original);
  }
  return fragment;
}

/** Accepts the declared namespace prefixes: those of the old text and of the root element. */
function requirePrefix(name: string, { rootAttributes }: XmlFrame, original: string): void {
  const colon = name.indexOf(':');
  if (colon < 0 || original.includes(name.slice(0, colon + 1))) return;
  const declaration = `xmlns:${name.slice(0, colon)}`;
  if (rootAttributes.some((attribute) => attribute.name === declaration)) return;
  throw new DragomanError('unencodable_value', `the namespace prefix of <${name}> is not declared here`, {
    hint: `Declare it on the file's root element: ${declaration}="…".`,
  });
}

/** A document with an external subset accepts any entity, but a new value may only use those of the old text. */
function requireEntities(text: string, { entities }: XmlFrame, original: string): void {
  replaceReferences(text, ({ name, character }, raw) => {
    if (character === undefined && !entities.get(name) && !original.includes(raw)) {
      throw new DragomanError('unencodable_value', `entity ${raw} is not declared`);
    }
    return '';
  });
}
