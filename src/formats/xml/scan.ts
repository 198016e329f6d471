import { chooseSyntax } from '../../text/message.ts';
import type { Document, DocumentWarning, ScanOptions, Slot } from '../format.ts';
import { collectAndroid } from './android.ts';
import type { CollectOptions, Findings } from './findings.ts';
import { collectGeneric } from './generic.ts';
import { languageOf } from './language.ts';
import { collectJavaProperties, collectResx } from './pairs.ts';
import { parseXml } from './parser.ts';
import { attributeOf, elementsOf, findAttribute, type XmlTree } from './tree.ts';

interface Dialect {
  readonly name: string;
  recognizes(tree: XmlTree): boolean;
  collect(tree: XmlTree, options: CollectOptions): Findings;
}

const hasPair = ({ root }: XmlTree, element: string, attribute: string): boolean =>
  elementsOf(root).some((child) => child.name === element && findAttribute(child, attribute));

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
    recognizes: (tree) => tree.root.name === 'properties' && hasPair(tree, 'entry', 'key'),
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

const structures = new WeakMap<Document, Structure>();

export function scanXml(text: string, { locale, encodable }: ScanOptions = {}): Document {
  const tree = parseXml(text);
  const dialect = DIALECTS.find((candidate) => candidate.recognizes(tree)) ?? GENERIC;
  const findings = dialect.collect(tree, { locale, encodable });
  const icu = findings.slots.some(({ syntax, value }) => syntax !== 'markup' && isComplex(value));
  const slots = icu ? findings.slots.map(withIcu) : findings.slots;
  const document: Document = {
    text,
    slots,
    entries: findings.entries,
    dialect: dialect.name,
    locale: languageOf(tree, tree.root) ?? attributeOf(tree, tree.root, 'tools:locale'),
    warnings: duplicatesIn(slots),
  };
  structures.set(document, { tree, findings });
  return document;
}

export function structureOf(document: Document): Structure {
  const structure = structures.get(document) ?? structures.get(scanXml(document.text));
  if (!structure) throw new RangeError('a scan without its structure');
  return structure;
}

/** Whether the value has an ICU argument with branches: then an ICU formatter reads what it can of the whole file. */
function isComplex(value: string): boolean {
  return value.includes('{') && /\{\s*[\w.-]+\s*,\s*(?:plural|selectordinal|select)\s*,/.test(value);
}

function withIcu(slot: Slot): Slot {
  return slot.syntax === 'markup' ? slot : { ...slot, syntax: chooseSyntax(slot.value, 'icu', slot.syntax) };
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
