import type { Syntax } from '../../text/syntax.ts';
import type { Entry } from '../format.ts';
import { type Block, blocksOf, describeBlock, isUntranslatable, joinNotes } from './blocks.ts';
import { characterDataOf } from './content.ts';
import { type CollectOptions, Findings } from './findings.ts';
import { readExact, type ReadOptions } from './reading.ts';
import { attributeOf, elementsOf, frameOf, type XmlElement, type XmlTree } from './tree.ts';

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
const RESX: PairDialect = {
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

/** java.util.Properties in XML. */
const JAVA: PairDialect = {
  element: 'entry',
  keyAttribute: 'key',
  syntaxOf: (value) => (/\{\d/.test(value) ? 'java' : 'plain'),
  valueOf: (_tree, pair) => pair,
  noteOf: () => undefined,
};

export function collectResx(tree: XmlTree, options: CollectOptions): Findings {
  return collectPairs(tree, options, RESX);
}

export function collectJavaProperties(tree: XmlTree, options: CollectOptions): Findings {
  return collectPairs(tree, options, JAVA);
}

function collectPairs(tree: XmlTree, options: CollectOptions, dialect: PairDialect): Findings {
  const findings = new Findings(dialect.syntaxOf, options);
  const reading: ReadOptions = { frame: frameOf(tree), encodable: options.encodable, needsText: false };
  const entries: Entry[] = [];
  const collect = (block: Block): void => {
    const pair = block.element;
    const name = pair.name === dialect.element ? attributeOf(tree, pair, dialect.keyAttribute) : undefined;
    const element = name === undefined ? undefined : dialect.valueOf(tree, pair);
    if (name === undefined || !element) return;
    const key = [name];
    entries.push(findings.enter({ key, span: block.span }, pair));
    if (isUntranslatable(tree, pair)) return;
    const comment = joinNotes([describeBlock(tree, block), dialect.noteOf(tree, pair)]);
    findings.add(key, element, readExact(tree, element, reading), comment);
  };
  blocksOf(tree, tree.root).forEach(collect);
  findings.entries = entries;
  return findings;
}
