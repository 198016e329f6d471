import type { Entry, Key } from '../format.ts';
import { type Block, blocksOf, describeBlock, isUntranslatable } from './blocks.ts';
import { hasDirectText } from './content.ts';
import type { CollectOptions, Finding, Findings } from './findings.ts';
import { foreignElements, identityOf } from './language.ts';
import { readExact } from './reading.ts';
import type { XmlElement, XmlTree } from './tree.ts';

/**
 * Any other XML: every element with text of its own is a slot, with all that is in it. Its key is the path below the
 * root, where an element is told by its name and its `name`, `id` or `key`, or else by its place among its namesakes:
 * `item`, `item[2]`.
 */
export function collectGeneric(tree: XmlTree, options: CollectOptions): Findings {
  return new GenericCollector(tree, options).collect();
}

class GenericCollector {
  readonly #tree: XmlTree;
  readonly #options: CollectOptions;
  readonly #found: Finding[] = [];
  readonly #elements = new Map<Entry, XmlElement>();

  constructor(tree: XmlTree, options: CollectOptions) {
    this.#tree = tree;
    this.#options = options;
  }

  collect(): Findings {
    const { root } = this.#tree;
    let entries: readonly Entry[] = [];
    if (!isUntranslatable(this.#tree, root)) {
      if (hasDirectText(this.#tree, root)) this.#find([root.name], root, undefined);
      else entries = this.#readChildren(root, []);
    }
    return { found: this.#found, entries, elements: this.#elements };
  }

  #readChildren(parent: XmlElement, path: Key): Entry[] {
    const blocks = blocksOf(this.#tree, parent);
    const siblings = blocks.map(({ element }) => element);
    const foreign = foreignElements(this.#tree, siblings, this.#options.locale);
    const counts = new Map<string, number>();
    const entries: Entry[] = [];
    for (const block of blocks) {
      if (foreign.has(block.element)) continue;
      const key = [...path, ...this.#segmentsOf(block.element, counts)];
      entries.push(this.#readElement(block, key));
    }
    return entries;
  }

  #segmentsOf(element: XmlElement, counts: Map<string, number>): Key {
    const { name } = element;
    const identity = identityOf(this.#tree, element);
    if (identity !== undefined) return [name, identity];
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return [count === 1 ? name : `${name}[${count}]`];
  }

  #readElement(block: Block, key: Key): Entry {
    const { element, span } = block;
    let entry: Entry = { key, span };
    if (!isUntranslatable(this.#tree, element)) {
      if (hasDirectText(this.#tree, element)) this.#find(key, element, describeBlock(this.#tree, block));
      else entry = { key, span, children: this.#readChildren(element, key) };
    }
    this.#elements.set(entry, element);
    return entry;
  }

  #find(key: Key, element: XmlElement, comment: string | undefined): void {
    const { encodable } = this.#options;
    const reading = readExact(this.#tree, element, { encodable, needsText: true });
    this.#found.push({ key, element, reading, comment });
  }
}
