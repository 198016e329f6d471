import type { Entry, Key } from '../format.ts';
import { type EntryBlock, blocksOf, describeBlock, isUntranslatable } from './blocks.ts';
import { hasDirectText } from './content.ts';
import { type Collector, type CollectOptions, Findings } from './findings.ts';
import { foreignElements, identityOf } from './language.ts';
import { readExact, type ReadOptions } from './reading.ts';
import { frameOf, type XmlElement, type XmlTree } from './tree.ts';

/**
 * Any other XML: every element with text of its own is a slot, with all that is in it. Its key is the path below the
 * root, where an element is told by its name and its `name`, `id` or `key`, or else by its place among its namesakes:
 * `item`, `item[2]`.
 */
export class GenericCollector implements Collector {
  readonly #tree: XmlTree;
  readonly #options: CollectOptions;
  readonly #reading: ReadOptions;
  readonly findings: Findings;

  constructor(tree: XmlTree, options: CollectOptions) {
    this.#tree = tree;
    this.#options = options;
    this.#reading = { frame: frameOf(tree), encodable: options.encodable, needsText: true };
    this.findings = new Findings(() => 'plain', options);
  }

  /** All of the document at once: what an element is called depends on its siblings. */
  collect(): void {
    const { root } = this.#tree;
    if (isUntranslatable(this.#tree, root)) return;
    if (hasDirectText(this.#tree, root)) this.#find([root.name], root, undefined);
    else this.#readChildren(root, [], this.findings.entries);
  }

  /** @param entries gets those of the children */
  #readChildren(parent: XmlElement, path: Key, entries: Entry[]): void {
    const blocks = blocksOf(this.#tree, parent);
    const siblings = blocks.map(({ element }) => element);
    const foreign = foreignElements(this.#tree, siblings, this.#options.locale);
    const counts = new Map<string, number>();
    for (const block of blocks) {
      if (foreign.has(block.element)) continue;
      this.#readElement(block, [...path, ...this.#segmentsOf(block.element, counts)], entries);
    }
  }

  #segmentsOf(element: XmlElement, counts: Map<string, number>): Key {
    const { name } = element;
    const identity = identityOf(this.#tree, element);
    if (identity !== undefined) return [name, identity];
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return [count === 1 ? name : `${name}[${count}]`];
  }

  #readElement(block: EntryBlock, key: Key, siblings: Entry[]): void {
    const { element, span } = block;
    if (isUntranslatable(this.#tree, element)) this.findings.enter({ key, span }, element, siblings);
    else if (hasDirectText(this.#tree, element)) {
      this.#find(key, element, describeBlock(this.#tree, block));
      this.findings.enter({ key, span }, element, siblings);
    } else {
      const children: Entry[] = [];
      this.#readChildren(element, key, children);
      this.findings.enter({ key, span, children }, element, siblings);
    }
  }

  #find(key: Key, element: XmlElement, comment: string | undefined): void {
    const reading = readExact(this.#tree, element, this.#reading);
    this.findings.add(key, element, reading, comment);
  }
}
