import { firstFrom } from '../../base/span.ts';
import type { Entry } from '../format.ts';
import { indentAt, withLineEnds } from '../lines.ts';
import { isBlank } from './characters.ts';
import { hasDirectText } from './content.ts';
import type { XmlElement, XmlNode, XmlTree } from './tree.ts';

/** The indentation of inserted lines. */
export interface XmlLayout {
  readonly lineEnd: string;
  /** The indentation of the entry itself; undefined if the document is on one line. */
  readonly indent: string | undefined;
  /** The indentation that each level inside the entry adds. */
  readonly unit: string;
}

/** One level of indentation, if comparing the element's indentation with its parent's or its depth shows it. */
export function unitOf(text: string, indent: string | undefined, element: XmlElement): string | undefined {
  if (!indent) return undefined;
  const outer = element.parent && indentAt(text, element.parent.start);
  if (outer !== undefined && outer !== indent && indent.startsWith(outer)) return indent.slice(outer.length);
  let depth = 0;
  for (let parent = element.parent; parent; parent = parent.parent) depth++;
  return depth > 0 && indent.length % depth === 0 ? indent.slice(0, indent.length / depth) : undefined;
}

/** The text of an entry, laid out for another document: only insignificant white space changes. */
export function layOut(
  tree: XmlTree,
  values: ReadonlySet<XmlElement>,
  { span }: Entry,
  element: XmlElement,
  layout: XmlLayout,
): string {
  const writer = new LayoutWriter(tree, values, layout);
  const siblings = element.parent?.children ?? [element];
  for (let i = firstFrom(siblings, span.start); i < siblings.length; i++) {
    const node = siblings[i];
    if (!node || node.end > span.end) break;
    writer.write(node, 0);
  }
  return writer.text;
}

class LayoutWriter {
  text = '';
  readonly #tree: XmlTree;
  readonly #values: ReadonlySet<XmlElement>;
  readonly #layout: XmlLayout;

  constructor(tree: XmlTree, values: ReadonlySet<XmlElement>, layout: XmlLayout) {
    this.#tree = tree;
    this.#values = values;
    this.#layout = layout;
  }

  write(node: XmlNode, depth: number): void {
    if (node.type === 'text') this.#writeText(node, depth);
    else if (node.type !== 'element' || !this.#isContainer(node)) this.#copy(node.start, node.end);
    else {
      this.#copy(node.start, node.openEnd);
      const last = node.children.at(-1);
      for (const child of node.children) this.write(child, child === last ? depth : depth + 1);
      this.#copy(node.closeStart, node.end);
    }
  }

  /** Text between elements that contain values is layout. */
  #isContainer(element: XmlElement): boolean {
    return (
      !this.#values.has(element) &&
      element.children.at(-1)?.type === 'text' &&
      element.children.some(({ type }) => type === 'element') &&
      !hasDirectText(this.#tree, element)
    );
  }

  #writeText({ start, end }: XmlNode, depth: number): void {
    const { lineEnd, indent, unit } = this.#layout;
    const text = this.#tree.text.slice(start, end);
    const breaks = isBlank(text) ? (text.match(/\r\n|\n|\r/g)?.length ?? 0) : 0;
    if (breaks === 0) this.#copy(start, end);
    else if (indent !== undefined) this.text += lineEnd.repeat(breaks) + indent + unit.repeat(depth);
  }

  #copy(start: number, end: number): void {
    this.text += withLineEnds(this.#tree.text.slice(start, end), this.#layout.lineEnd);
  }
}
