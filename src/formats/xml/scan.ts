import type { Document, DocumentWarning, ScanOptions, Slot } from '../format.ts';
import type { Syntax } from '../../text/syntax.ts';
import { collectAndroid } from './android.ts';
import type { CollectOptions, Finding, Findings } from './findings.ts';
import { collectGeneric } from './generic.ts';
import { languageOf } from './language.ts';
import { collectJavaProperties, collectResx } from './pairs.ts';
import { parseXml } from './parser.ts';
import { attributeOf, elementsOf, findAttribute, type XmlTree } from './tree.ts';

interface Dialect {
  readonly name: string;
  recognizes(tree: XmlTree): boolean;
  collect(tree: XmlTree, options: CollectOptions): Findings;
  syntaxOf(value: string): Syntax;
}

const hasPair = ({ root }: XmlTree, element: string, attribute: string): boolean =>
  elementsOf(root).some((child) => child.name === element && findAttribute(child, attribute));

const DIALECTS: readonly Dialect[] = [
  {
    name: 'Android',
    recognizes: ({ root }) => root.name === 'resources',
    collect: collectAndroid,
    syntaxOf: () => 'android',
  },
  {
    name: 'resx',
    recognizes: (tree) =>
      tree.root.name === 'root' && (hasPair(tree, 'data', 'name') || hasPair(tree, 'resheader', 'name')),
    collect: collectResx,
    syntaxOf: () => 'plain',
  },
  {
    name: 'Java properties XML',
    recognizes: (tree) => tree.root.name === 'properties' && hasPair(tree, 'entry', 'key'),
    collect: collectJavaProperties,
    syntaxOf: (value) => (/\{\d/.test(value) ? 'java' : 'plain'),
  },
];

const GENERIC: Dialect = {
  name: 'XML',
  recognizes: () => true,
  collect: collectGeneric,
  syntaxOf: () => 'plain',
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
  const icu = findings.found.some(({ reading }) => !reading.markup && isComplex(reading.value));
  const slots = findings.found.map((finding) => slotOf(finding, dialect, icu));
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

/** Whether the value has an ICU argument with branches: then the whole file is read by an ICU formatter. */
function isComplex(value: string): boolean {
  return value.includes('{') && /\{\s*[\w.-]+\s*,\s*(?:plural|selectordinal|select)\s*,/.test(value);
}

function slotOf({ key, reading, comment, plural }: Finding, dialect: Dialect, icu: boolean): Slot {
  const { value, span } = reading;
  const syntax = reading.markup ? 'markup' : icu ? 'icu' : dialect.syntaxOf(value);
  return { key, value, span, syntax, comment, plural, encode: (text) => reading.encode(text) };
}

function duplicatesIn(slots: readonly Slot[]): DocumentWarning[] {
  const seen = new Set<string>();
  const warnings: DocumentWarning[] = [];
  for (const { key, span } of slots) {
    const id = JSON.stringify(key);
    if (seen.has(id)) warnings.push({ rule: 'duplicate-key', key, offset: span.start });
    seen.add(id);
  }
  return warnings;
}
