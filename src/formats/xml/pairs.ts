import type { Document } from '../format.ts';
import type { Syntax } from '../../text/syntax.ts';
import { type EntryBlock, blocksOf, describeBlock, isUntranslatable, joinNotes } from './blocks.ts';
import { characterDataOf } from './content.ts';
import { type Collector, type CollectOptions, Findings } from './findings.ts';
import { readVerbatimText, type ReadOptions } from './reading.ts';
import { attributeOf, elementsOf, xmlFrameOf, type XmlElement, type XmlTree } from './tree.ts';

/** A flat dialect: each element below the root is a pair of key and value. */
interface PairDialect {
  readonly element: string;
  readonly keyAttribute: string;
  readonly syntaxOf: (value: string) => Syntax;
  /** The element that holds the value; undefined if the pair is not a string. */
  valueOf(tree: XmlTree, pair: XmlElement): XmlElement | undefined;
  noteOf(tree: XmlTree, pair: XmlElement): string | undefined;
  /** Whether files of other languages omit the source's value, because programs use it. */
  isShared?(tree: XmlTree, pair: XmlElement): boolean;
}

/**
 * .NET resources. Entries with a type hold numbers, images and other data; names with `>>` belong to the form designer.
 */
export const RESX: PairDialect = {
  element: 'data',
  keyAttribute: 'name',
  syntaxOf: () => 'plain',
  valueOf: (tree, pair) => {
    if (pair.attributes.some(({ name }) => name === 'type' || name === 'mimetype')) return undefined;
    if (attributeOf(tree, pair, 'name')?.startsWith('>>')) return undefined;
    return elementsOf(pair).find(({ name }) => name === 'value');
  },
  noteOf: commentOf,
  isShared: (tree, pair) => commentOf(tree, pair)?.includes(INVARIANT) === true,
};

/** Tools such as ResX Manager write this into the comment of a text that is the same in all languages. */
const INVARIANT = '@Invariant';

function commentOf(tree: XmlTree, pair: XmlElement): string | undefined {
  const comment = elementsOf(pair).find(({ name }) => name === 'comment');
  return comment && characterDataOf(tree, comment).trim();
}

/**
 * Whether an element of a .resx file belongs to the form designer or has no text, in which case other languages use the
 * default file's element.
 */
export function isSharedResource(tree: XmlTree, element: XmlElement): boolean {
  if (element.name === 'metadata') return true;
  if (element.name !== RESX.element) return false;
  return RESX.valueOf(tree, element) === undefined || RESX.isShared?.(tree, element) === true;
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
  readonly #source: Document | undefined;
  /** The names of the source's texts, and of all its entries. */
  #texts: ReadonlySet<string> | undefined;
  #entries: ReadonlySet<string> | undefined;
  readonly findings: Findings;

  constructor(tree: XmlTree, options: CollectOptions, dialect: PairDialect) {
    this.#tree = tree;
    this.#source = options.source;
    this.#dialect = dialect;
    this.#reading = { frame: xmlFrameOf(tree), encodable: options.encodable, needsText: false };
    this.findings = new Findings(dialect.syntaxOf, options);
  }

  collect(): void {
    for (const block of blocksOf(this.#tree, this.#tree.root)) this.#readPair(block);
  }

  /** Uses the source if it is known, because translations may lack the comment. */
  #isShared(pair: XmlElement, name: string): boolean {
    const dialect = this.#dialect;
    if (!dialect.isShared) return false;
    if (!this.#source) return dialect.isShared(this.#tree, pair);
    this.#texts ??= new Set(this.#source.slots.flatMap(({ key }) => key[0] ?? []));
    if (this.#texts.has(name)) return false;
    this.#entries ??= new Set(this.#source.entries.flatMap(({ key }) => key[0] ?? []));
    return this.#entries.has(name);
  }

  #readPair(block: EntryBlock): void {
    const [tree, dialect] = [this.#tree, this.#dialect];
    const pair = block.element;
    const name = pair.name === dialect.element ? attributeOf(tree, pair, dialect.keyAttribute) : undefined;
    const element = name === undefined ? undefined : dialect.valueOf(tree, pair);
    if (name === undefined || !element) return;
    const key = [name];
    this.findings.enter({ key, span: block.span }, pair);
    if (isUntranslatable(tree, pair) || this.#isShared(pair, name)) return;
    const comment = joinNotes([describeBlock(tree, block), dialect.noteOf(tree, pair)]);
    this.findings.add(key, element, readVerbatimText(tree, element, this.#reading), comment);
  }
}
