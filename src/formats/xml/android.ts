import type { Entry, Key, PluralForm } from '../format.ts';
import { readAndroid, type AndroidOptions } from './android-reading.ts';
import { type Block, blocksIn, blocksOf, describeBlock, isUntranslatable, joinNotes } from './blocks.ts';
import { type Collector, type CollectOptions, Findings } from './findings.ts';
import { attributeOf, frameOf, type XmlElement, type XmlNode, type XmlTree } from './tree.ts';

/**
 * Android resources: `<string>`, `<plurals>` and `<string-array>` below `<resources>`. An element that is named but
 * holds nothing to translate (`translatable="false"`, also on an `<item>`, or a reference to another resource) is an entry without a slot, so
 * that nothing of its name is inserted beside it.
 */
export class AndroidCollector implements Collector {
  readonly #tree: XmlTree;
  readonly #reading: AndroidOptions;
  readonly findings: Findings;

  constructor(tree: XmlTree, options: CollectOptions) {
    this.#tree = tree;
    this.#reading = { frame: frameOf(tree), encodable: options.encodable };
    this.findings = new Findings(() => 'android', options);
  }

  collect(nodes: readonly XmlNode[], end: number): void {
    const tree = this.#tree;
    if (isUntranslatable(tree, tree.root)) return;
    for (const block of blocksIn(tree, nodes, end)) this.#readResource(block);
  }

  #readResource(block: Block): void {
    const { element } = block;
    const name = attributeOf(this.#tree, element, 'name');
    if (name === undefined || !/^(?:string|plurals|string-array)$/.test(element.name)) return;
    const product = attributeOf(this.#tree, element, 'product');
    const key = product === undefined ? [name] : [name, `product=${product}`];
    if (isUntranslatable(this.#tree, element)) {
      this.#enter(key, block);
      return;
    }
    const comment = describeBlock(this.#tree, block);
    if (element.name === 'string') {
      this.#find(key, element, comment);
      this.#enter(key, block);
    } else this.#readItems(key, block, comment);
  }

  #readItems(group: Key, block: Block, comment: string | undefined): void {
    const plural = block.element.name === 'plurals';
    const children: Entry[] = [];
    let index = 0;
    for (const item of blocksOf(this.#tree, block.element)) {
      if (item.element.name !== 'item') continue;
      const category = plural ? attributeOf(this.#tree, item.element, 'quantity') : String(index++);
      if (category === undefined) continue;
      const key = [...group, category];
      const note = joinNotes([comment, describeBlock(this.#tree, item)]);
      if (!isUntranslatable(this.#tree, item.element)) {
        this.#find(key, item.element, note, plural ? { group, category } : undefined);
      }
      this.findings.enter({ key, span: item.span }, item.element, children);
    }
    this.findings.enter({ key: group, span: block.span, children }, block.element);
  }

  #find(key: Key, element: XmlElement, comment: string | undefined, plural?: PluralForm): void {
    const reading = readAndroid(this.#tree, element, this.#reading);
    if (reading) this.findings.add(key, element, reading, comment, plural);
  }

  #enter(key: Key, { element, span }: Block): void {
    this.findings.enter({ key, span }, element);
  }
}
