import type { Entry, Key, PluralForm } from '../format.ts';
import { readAndroid, type AndroidOptions } from './android-reading.ts';
import { type Block, blocksOf, describeBlock, isUntranslatable, joinNotes } from './blocks.ts';
import { type CollectOptions, Findings } from './findings.ts';
import { attributeOf, frameOf, type XmlElement, type XmlTree } from './tree.ts';

/**
 * Android resources: `<string>`, `<plurals>` and `<string-array>` below `<resources>`. An element that is named but
 * holds nothing to translate (`translatable="false"`, also on an `<item>`, or a reference to another resource) is an entry without a slot, so
 * that nothing of its name is inserted beside it.
 */
export function collectAndroid(tree: XmlTree, options: CollectOptions): Findings {
  const collector = new AndroidCollector(tree, options);
  collector.collect();
  return collector.findings;
}

class AndroidCollector {
  readonly #tree: XmlTree;
  readonly #reading: AndroidOptions;
  readonly findings: Findings;

  constructor(tree: XmlTree, options: CollectOptions) {
    this.#tree = tree;
    this.#reading = { frame: frameOf(tree), encodable: options.encodable };
    this.findings = new Findings(() => 'android', options);
  }

  collect(): void {
    const { root } = this.#tree;
    const entries: Entry[] = [];
    if (!isUntranslatable(this.#tree, root)) {
      for (const block of blocksOf(this.#tree, root)) {
        const entry = this.#readResource(block);
        if (entry) entries.push(entry);
      }
    }
    this.findings.entries = entries;
  }

  #readResource(block: Block): Entry | undefined {
    const { element } = block;
    const name = attributeOf(this.#tree, element, 'name');
    if (name === undefined || !/^(?:string|plurals|string-array)$/.test(element.name)) return undefined;
    const product = attributeOf(this.#tree, element, 'product');
    const key = product === undefined ? [name] : [name, `product=${product}`];
    if (isUntranslatable(this.#tree, element)) return this.#enter(key, block);
    const comment = describeBlock(this.#tree, block);
    if (element.name === 'string') {
      this.#find(key, element, comment);
      return this.#enter(key, block);
    }
    const plural = element.name === 'plurals';
    return this.#enter(key, block, this.#readItems(key, block, comment, plural));
  }

  #readItems(group: Key, block: Block, comment: string | undefined, plural: boolean): Entry[] {
    const entries: Entry[] = [];
    for (const item of blocksOf(this.#tree, block.element)) {
      if (item.element.name !== 'item') continue;
      const category = plural ? attributeOf(this.#tree, item.element, 'quantity') : String(entries.length);
      if (category === undefined) continue;
      const key = [...group, category];
      const note = joinNotes([comment, describeBlock(this.#tree, item)]);
      if (!isUntranslatable(this.#tree, item.element)) {
        this.#find(key, item.element, note, plural ? { group, category } : undefined);
      }
      entries.push(this.#enter(key, item));
    }
    return entries;
  }

  #find(key: Key, element: XmlElement, comment: string | undefined, plural?: PluralForm): void {
    const reading = readAndroid(this.#tree, element, this.#reading);
    if (reading) this.findings.add(key, element, reading, comment, plural);
  }

  #enter(key: Key, { element, span }: Block, children?: readonly Entry[]): Entry {
    return this.findings.enter(children ? { key, span, children } : { key, span }, element);
  }
}
