import type { Syntax } from '../../text/syntax.ts';
import { type EntryBlock, blocksIn, describeBlock, isUntranslatable, joinNotes } from './blocks.ts';
import { characterDataOf } from './content.ts';
import { type Collector, type CollectOptions, Findings } from './findings.ts';
import { readExact, type ReadOptions } from './reading.ts';
import { attributeOf, elementsOf, frameOf, type XmlElement, type XmlNode, type XmlTree } from './tree.ts';

/** A flat dialect: one element below the root is one pair of key and value. */
interface PairDialect {
  readonly element: string;
  readonly keyAttribute: string;
  readonly syntaxOf: (value: string) => Syntax;
  /** The element that holds the value; undefined when this one is no string. */
  valueOf(tree: XmlTree, pair: XmlElement): XmlElement | undefined;
  noteOf(tree: XmlTree, pair: XmlElement): string | undefined;
}

/** .NET resources. Entries with a type hold numbers, images and the like; `>>` names are the form designer's own. */
export const RESX: PairDialect = {
  element: 'data',
  keyAttribute: 'name',
  syntaxOf: () => 'plain',
  valueOf: (tree, pair) => {
    if (pair.attributes.some(({ name }) => name === 'type' || name === 'mimetype')) return undefined;
    if (attributeOf(tree, pair, 'name')?.startsWith('>>')) return undefined;
    return elementsOf(pair).find(({ name }) => name === 'value');
  },
  noteOf: (tree, pair) => {
    const comment = elementsOf(pair).find(({ name }) => name === 'comment');
    return comment && characterDataOf(tree, comment).trim();
  },
};

/** Whether an element of a .resx file is for the form designer, or holds no text: languages have it from the first file. */
export function isSharedResource(tree: XmlTree, element: XmlElement): boolean {
  if (element.name === 'metadata') return true;
  return element.name === RESX.element && RESX.valueOf(tree, element) === undefined;
}

/** java.util.Properties in XML. */
export const JAVA: PairDialect = {
  element: 'entry',
  keyAttribute: 'key',
  syntaxOf: (value) => (/\{\d/.test(value) ? 'java' : 'plain'),
  valueOf: (_tree, pair) => pair,
  noteOf: () => undefined,
};

export class PairCollector implements Collector {
  readonly #tree: XmlTree;
  readonly #dialect: PairDialect;
  readonly #reading: ReadOptions;
  readonly findings: Findings;

  constructor(tree: XmlTree, options: CollectOptions, dialect: PairDialect) {
    this.#tree = tree;
    this.#dialect = dialect;
    this.#reading = { frame: frameOf(tree), encodable: options.encodable, needsText: false };
    this.findings = new Findings(dialect.syntaxOf, options);
  }

  collect(nodes: readonly XmlNode[], end: number): void {
    for (const block of blocksIn(this.#tree, nodes, end)) this.#readPair(block);
  }

  #readPair(block: EntryBlock): void {
    const [tree, dialect] = [this.#tree, this.#dialect];
    const pair = block.element;
    const name = pair.name === dialect.element ? attributeOf(tree, pair, dialect.keyAttribute) : undefined;
    const element = name === undefined ? undefined : dialect.valueOf(tree, pair);
    if (name === undefined || !element) return;
    const key = [name];
    this.findings.enter({ key, span: block.span }, pair);
    if (isUntranslatable(tree, pair)) return;
    const comment = joinNotes([describeBlock(tree, block), dialect.noteOf(tree, pair)]);
    this.findings.add(key, element, readExact(tree, element, this.#reading), comment);
  }
}
