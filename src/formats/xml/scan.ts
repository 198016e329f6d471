import { chooseSyntax } from '../../text/message.ts';
import type { Document, DocumentWarning, ReadValue, ScanOptions, Slot } from '../format.ts';
import { collectAndroid } from './android.ts';
import type { CollectOptions, Findings } from './findings.ts';
import { collectGeneric } from './generic.ts';
import { languageOf } from './language.ts';
import { collectJavaProperties, collectResx } from './pairs.ts';
import { parseXml } from './parser.ts';
import { attributeOf, elementsOf, findAttribute, type XmlElement, type XmlTree } from './tree.ts';

interface Dialect {
  readonly name: string;
  recognizes(tree: XmlTree): boolean;
  collect(tree: XmlTree, options: CollectOptions): Findings;
}

const hasPair = ({ root }: XmlTree, element: string, attribute: string): boolean =>
  elementsOf(root).some((child) => child.name === element && findAttribute(child, attribute));

/** All that is left of Java properties whose last entry was removed. */
const hasOnlyComment = ({ root }: XmlTree): boolean => {
  const [first, second] = elementsOf(root);
  return first?.name === 'comment' && first.attributes.length === 0 && second === undefined;
};

const DIALECTS: readonly Dialect[] = [
  {
    name: 'Android',
    recognizes: ({ root }) => root.name === 'resources',
    collect: collectAndroid,
  },
  {
    name: 'resx',
    recognizes: (tree) =>
      tree.root.name === 'root' && (hasPair(tree, 'data', 'name') || hasPair(tree, 'resheader', 'name')),
    collect: collectResx,
  },
  {
    name: 'Java properties XML',
    recognizes: (tree) =>
      tree.root.name === 'properties' && (hasPair(tree, 'entry', 'key') || hasOnlyComment(tree)),
    collect: collectJavaProperties,
  },
];

const GENERIC: Dialect = {
  name: 'XML',
  recognizes: () => true,
  collect: collectGeneric,
};

/** What a scan knows beyond its slots, for editing the document's structure. */
export interface Structure {
  readonly tree: XmlTree;
  readonly findings: Findings;
}

/** How a document was scanned. Its structure is made again when it is asked for, and kept: most documents never are. */
const scanned = new WeakMap<Document, CollectOptions>();
const structures = new WeakMap<Document, Structure>();

export function scanXml(text: string, { locale, encodable }: ScanOptions = {}): Document {
  const options = { locale, encodable };
  const tree = parseXml(text);
  const dialect = dialectOf(tree);
  const { slots } = dialect.collect(tree, options);
  if (slots.some(({ syntax, value }) => syntax !== 'markup' && isComplex(value))) {
    for (const slot of slots)
      if (slot.syntax !== 'markup') slot.syntax = chooseSyntax(slot.value, 'icu', slot.syntax);
  }
  const language = languageOf(tree, tree.root) ?? attributeOf(tree, tree.root, 'tools:locale');
  const document = documentOf(text, slots, dialect.name, language);
  scanned.set(document, options);
  return document;
}

/** A function of its own: its getter must not hold the tree. */
function documentOf(
  text: string,
  slots: readonly Slot[],
  dialect: string,
  locale: string | undefined,
): Document {
  const document: Document = {
    text,
    slots,
    get entries() {
      return structureOf(document).findings.entries;
    },
    dialect,
    locale,
    warnings: duplicatesIn(slots),
  };
  return document;
}

export function readXml(text: string, visit: ReadValue, { locale }: ScanOptions = {}): void {
  const tree = parseXml(text);
  dialectOf(tree).collect(tree, { locale, encodable: undefined, visit });
}

function dialectOf(tree: XmlTree): Dialect {
  return DIALECTS.find((candidate) => candidate.recognizes(tree)) ?? GENERIC;
}

export function structureOf(document: Document): Structure {
  const known = structures.get(document);
  if (known) return known;
  const tree = parseXml(document.text);
  const options = scanned.get(document) ?? { locale: undefined, encodable: undefined };
  const structure = { tree, findings: dialectOf(tree).collect(tree, options) };
  structures.set(document, structure);
  return structure;
}

/** The elements of the document's slots. */
export function ownersIn(document: Document, tree: XmlTree): readonly XmlElement[] {
  const options = scanned.get(document) ?? { locale: undefined, encodable: undefined };
  return dialectOf(tree).collect(tree, options).owners;
}

/** Whether the value has an ICU argument with branches: then an ICU formatter reads what it can of the whole file. */
function isComplex(value: string): boolean {
  return value.includes('{') && /\{\s*[\w.-]+\s*,\s*(?:plural|selectordinal|select)\s*,/.test(value);
}

function duplicatesIn(slots: readonly Slot[]): DocumentWarning[] {
  const seen = new Set<string>();
  const warnings: DocumentWarning[] = [];
  for (const { key, span } of slots) {
    // XML has no NUL.
    const id = key.join('\0');
    if (seen.has(id)) warnings.push({ rule: 'duplicate-key', key, offset: span.start });
    seen.add(id);
  }
  return warnings;
}
