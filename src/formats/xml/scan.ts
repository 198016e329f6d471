import { chooseSyntax } from '../../text/message.ts';
import { duplicatesIn, makeDocument } from '../document.ts';
import type { Document, Entry, Key, ScanOptions } from '../format.ts';
import { AndroidCollector } from './android.ts';
import { blocksOf, describeBlock, type EntryBlock, isUntranslatable } from './blocks.ts';
import { hasDirectText } from './content.ts';
import { type CollectOptions, type Collector, Findings } from './findings.ts';
import { foreignElements, identityOf, languageOf } from './language.ts';
import { JAVA, PairCollector, RESX } from './pairs.ts';
import { parseXml } from './parser.ts';
import { readVerbatimText, type ReadOptions } from './reading.ts';
import { StringsdictCollector } from './stringsdict.ts';
import { attributeOf, elementsOf, findAttribute, xmlFrameOf, type XmlElement, type XmlTree } from './tree.ts';

interface XmlDialect {
  readonly name: string;
  collector(tree: XmlTree, options: CollectOptions): Collector;
}

/** A dialect whose entries are a flat list below the root. */
interface FlatDialect extends XmlDialect {
  readonly root: string;
  recognizes(tree: XmlTree): boolean;
  /** Recognizes a document that {@link recognizes} rejects because its last entry was removed. */
  recognizesEmptied?(tree: XmlTree): boolean;
}

const hasPair = ({ root }: XmlTree, element: string, attribute: string): boolean =>
  elementsOf(root).some((child) => child.name === element && findAttribute(child, attribute));

/** Elements of a .resx file that are not entries. */
const RESX_FRAME: ReadonlySet<string> = new Set(['resheader', 'assembly', 'metadata', 'schema']);

const hasOnlyResxFrame = ({ root }: XmlTree): boolean => {
  const elements = elementsOf(root);
  return (
    elements.length > 0 && elements.every(({ name }) => RESX_FRAME.has(name.slice(name.indexOf(':') + 1)))
  );
};

/** Java requires the document type, but some files omit it. */
const hasJavaDoctype = ({ text, doctype }: XmlTree): boolean =>
  doctype !== undefined && /\/properties\.dtd["']/.test(text.slice(doctype.span.start, doctype.span.end));

const hasOnlyComment = ({ root }: XmlTree): boolean => {
  const [first, second] = elementsOf(root);
  return first?.name === 'comment' && first.attributes.length === 0 && second === undefined;
};

const FLAT_DIALECTS: readonly FlatDialect[] = [
  {
    name: 'Android',
    root: 'resources',
    recognizes: () => true,
    collector: (tree, options) => new AndroidCollector(tree, options),
  },
  {
    name: 'resx',
    root: 'root',
    recognizes: (tree) => hasPair(tree, 'data', 'name') || hasPair(tree, 'resheader', 'name'),
    recognizesEmptied: (tree) => !hasDirectText(tree, tree.root) && hasOnlyResxFrame(tree),
    collector: (tree, options) => new PairCollector(tree, options, RESX),
  },
  {
    name: 'Java properties XML',
    root: 'properties',
    recognizes: (tree) => hasJavaDoctype(tree) || hasPair(tree, 'entry', 'key'),
    recognizesEmptied: (tree) => tree.doctype === undefined && hasOnlyComment(tree),
    collector: (tree, options) => new PairCollector(tree, options, JAVA),
  },
  {
    name: 'stringsdict',
    root: 'plist',
    recognizes: () => true,
    collector: (tree, options) => new StringsdictCollector(tree, options),
  },
];

const GENERIC: XmlDialect = {
  name: 'XML',
  collector: (tree, options) => new GenericCollector(tree, options),
};

/** @param known the dialect of this document, or of the document that it translates */
function dialectOf(tree: XmlTree, known: string | undefined): XmlDialect {
  const candidates = FLAT_DIALECTS.filter(({ root }) => root === tree.root.name);
  return (
    candidates.find((dialect) => dialect.name === known || dialect.recognizes(tree)) ??
    candidates.find((dialect) => dialect.recognizesEmptied?.(tree) === true) ??
    GENERIC
  );
}

function collectFrom(tree: XmlTree, dialect: XmlDialect, options: CollectOptions): Findings {
  const collector = dialect.collector(tree, options);
  collector.collect();
  return collector.findings;
}

/** The structure that edits need in addition to slots. */
export interface Structure {
  readonly tree: XmlTree;
  readonly findings: Findings;
  readonly entries: readonly Entry[];
}

type Scanning = Omit<CollectOptions, 'wanted' | 'source'>;

export function scanXml(text: string, { locale, encodable, source }: ScanOptions = {}): Document<Structure> {
  const options = { locale, encodable };
  const tree = parseXml(text);
  const dialect = dialectOf(tree, source?.dialect);
  const { slots } = collectFrom(tree, dialect, { ...options, source, wanted: 'slots' });
  if (slots.some(({ syntax, value }) => syntax !== 'markup' && isComplex(value))) {
    for (const slot of slots)
      if (slot.syntax !== 'markup') slot.syntax = chooseSyntax(slot.value, 'icu', slot.syntax);
  }
  const language = languageOf(tree, tree.root) ?? attributeOf(tree, tree.root, 'tools:locale');
  return makeDocument(
    { text, slots, dialect: dialect.name, locale: language, warnings: duplicatesIn(slots) },
    structureReader(dialect.name, options),
  );
}

/** A separate function, so that the closure it returns does not keep the scan's tree alive. */
function structureReader(dialect: string, options: Scanning): (text: string) => Structure {
  return (text) => {
    const tree = parseXml(text);
    const findings = collectFrom(tree, dialectOf(tree, dialect), { ...options, wanted: 'structure' });
    return { tree, findings, entries: findings.entries };
  };
}

/** Whether the value has an ICU argument with branches, which means that an ICU formatter reads the whole file. */
function isComplex(value: string): boolean {
  return value.includes('{') && /\{\s*[\w.-]+\s*,\s*(?:plural|selectordinal|select)\s*,/.test(value);
}

/**
 * Any other XML: every element with its own text is a slot, including its descendants. Its key is the path below the
 * root, where an element is identified by its name and its `name`, `id` or `key`, otherwise by its position among
 * elements of that name: `item`, `item[2]`.
 */
class GenericCollector implements Collector {
  readonly #tree: XmlTree;
  readonly #options: CollectOptions;
  readonly #reading: ReadOptions;
  readonly findings: Findings;

  constructor(tree: XmlTree, options: CollectOptions) {
    this.#tree = tree;
    this.#options = options;
    this.#reading = { frame: xmlFrameOf(tree), encodable: options.encodable, needsText: true };
    this.findings = new Findings(() => 'plain', options);
  }

  collect(): void {
    const { root } = this.#tree;
    if (isUntranslatable(this.#tree, root)) return;
    if (hasDirectText(this.#tree, root)) this.#find([root.name], root, undefined);
    else this.#readChildren(root, [], this.findings.entries);
  }

  /** @param entries receives the children's entries */
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
    const reading = readVerbatimText(this.#tree, element, this.#reading);
    this.findings.add(key, element, reading, comment);
  }
}
