import { chooseSyntax } from '../../text/message.ts';
import { duplicatesIn, makeDocument } from '../document.ts';
import type { Document, Entry, Key, ScanOptions } from '../format.ts';
import { placeholderDialectOf } from '../placeholder-dialect.ts';
import { isBlank } from '../xml/characters.ts';
import type { EntryTree } from '../xml/insert.ts';
import { parseXml } from '../xml/parser.ts';
import type { MessageRules } from '../message-rules.ts';
import { attributeOf, findAttribute, xmlFrameOf, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { textsOf, XliffSlot, type SlotContext } from './encode.ts';
import { filesOf, stateOf, versionOf, visitUnits, type UnitVisitor } from './units.ts';

export function scanXliff(text: string, { encodable, messages }: ScanOptions = {}): Document<EntryTree> {
  const tree = parseXml(text);
  const slots = slotsIn(tree, encodable, messages);
  const version = versionOf(tree);
  const { locale, sourceLocale } = languagesOf(tree, version);
  return makeDocument(
    {
      text,
      slots,
      locale,
      sourceLocale,
      hasOnlyTexts: true,
      dialect: `XLIFF ${version === 1 ? '1.2' : '2'}`,
      warnings: () => duplicatesIn(slots),
    },
    (whole) => readTree(whole, messages?.unitsByName),
  );
}

/** A separate function, so that the closures of the document do not keep the tree alive. */
function slotsIn(
  tree: XmlTree,
  encodable: ScanOptions['encodable'],
  messages: MessageRules | undefined,
): readonly XliffSlot[] {
  const slots: XliffSlot[] = [];
  const plain: XliffSlot[] = [];
  const byName = messages?.unitsByName;
  const context: SlotContext = {
    frame: xmlFrameOf(tree),
    version: versionOf(tree),
    encodable,
    hasStates: false,
  };
  const visitor: UnitVisitor = {
    unit(unit) {
      const texts = textsOf(tree, unit);
      const { kind, source, value } = texts;
      if (isBlank(source)) return;
      context.hasStates ||= unit.stated !== undefined && findAttribute(unit.stated, 'state') !== undefined;
      const slot = new XliffSlot(tree, unit, texts, stateOf(tree, unit, value, source), context);
      slots.push(slot);
      if (kind !== 'markup') plain.push(slot);
    },
  };
  visitUnits(tree, visitor, byName);
  const syntaxOf = syntaxIn(tree, plain, messages);
  // In Symfony, the source may be a key: `list.results` for `1 result|%count% results`.
  const notated = ({ source, value }: XliffSlot): string =>
    byName && value !== '' && !/\s/.test(source) ? value : source;
  for (const slot of plain) slot.syntax = syntaxOf(notated(slot), slot.key);
  return slots;
}

const ANGULAR = /^ng2?\.template$|^ngi18n$/;

/** The syntax of the texts: Apple's for files from Xcode, whose texts come from .strings, otherwise inferred. */
function syntaxIn(
  tree: XmlTree,
  slots: readonly XliffSlot[],
  messages: MessageRules | undefined,
): MessageRules['syntaxOf'] {
  if (/\stool-id\s*=\s*["']com\.apple\./.test(tree.text.slice(0, 4096))) return () => 'apple';
  if (messages) return messages.syntaxOf;
  if (slots.every(({ key }) => ANGULAR.test(key[0] ?? ''))) return () => 'angular';
  const notation = placeholderDialectOf(slots.map(({ key, source }) => ({ key, value: source })));
  // Symfony's `one|many` has the branches of Laravel's, which are translated separately.
  return (source, key) =>
    source.includes('|') ? chooseSyntax(source, 'laravel', 'icu') : notation.syntaxOf(source, key);
}

interface Languages {
  readonly locale: string | undefined;
  readonly sourceLocale: string | undefined;
}

function languagesOf(tree: XmlTree, version: 1 | 2): Languages {
  const holder = version === 2 ? tree.root : filesOf(tree)[0];
  const read = (name: string): string | undefined =>
    (holder && attributeOf(tree, holder, name)?.trim()) || undefined;
  const [locale, sourceLocale] = languageAttributes(version).map(read);
  return { locale, sourceLocale };
}

/** The attributes with the languages of target and source. */
export function languageAttributes(version: 1 | 2): readonly [target: string, source: string] {
  return version === 2 ? ['trgLang', 'srcLang'] : ['target-language', 'source-language'];
}

function readTree(text: string, byName: boolean | undefined): EntryTree {
  const tree = parseXml(text);
  const collector = new EntryCollector();
  visitUnits(tree, collector, byName);
  return { tree, entries: collector.entries, findings: collector };
}

/** Collects files, groups and units as insertable and removable entries. */
class EntryCollector implements UnitVisitor {
  readonly entries: Entry[] = [];
  readonly elements = new Map<Entry, XmlElement>();
  readonly owners: XmlElement[] = [];
  readonly #open: Entry[][] = [this.entries];

  enter(element: XmlElement, key: Key): void {
    const children: Entry[] = [];
    const span = { start: element.start, end: element.end };
    // A unit is inserted and removed as a whole.
    const entry = isUnit(element) ? { key, span } : { key, span, children };
    this.#open.at(-1)?.push(entry);
    this.elements.set(entry, element);
    this.#open.push(children);
  }

  leave(): void {
    this.#open.pop();
  }

  unit({ source, target }: { readonly source: XmlElement; readonly target: XmlElement | undefined }): void {
    this.owners.push(source, ...(target ? [target] : []));
  }
}

function isUnit({ name }: XmlElement): boolean {
  return name.endsWith('unit');
}
