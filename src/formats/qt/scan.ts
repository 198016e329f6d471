import { parseRareLocale } from '../../languages/locale.ts';
import { duplicatesIn, makeDocument } from '../document.ts';
import type { Document, Entry, Key, ScanOptions } from '../format.ts';
import { indentAt } from '../lines.ts';
import { nameForms, type FormNaming } from '../po/plural-categories.ts';
import type { EntryTree } from '../xml/insert.ts';
import { contentOf, textOf } from '../xml/content.ts';
import { parseXml } from '../xml/parser.ts';
import {
  attributeOf,
  decodeAttribute,
  findAttribute,
  wholeAttribute,
  xmlFrameOf,
  type XmlElement,
  type XmlTree,
} from '../xml/tree.ts';
import { countSigns, QtSlot, type MessageFields, type QtSlotContext } from './encode.ts';
import { contextsIn, messagesIn, type QtMessage } from './messages.ts';
import { numerusRule } from './numerus.ts';

export function scanQt(text: string, { locale, encodable }: ScanOptions = {}): Document<EntryTree> {
  const tree = parseXml(text);
  const slots = slotsIn(tree, locale, encodable);
  const own = attributeOf(tree, tree.root, 'language');
  return makeDocument(
    {
      text,
      slots,
      dialect: 'Qt',
      hasOnlyTexts: true,
      warnings: () => duplicatesIn(slots),
      locale: own === '' ? undefined : own,
      sourceLocale: attributeOf(tree, tree.root, 'sourcelanguage') || undefined,
    },
    readTree,
  );
}

/** The messages that lupdate no longer finds in the program. */
export function goneKeys(text: string): readonly Key[] {
  if (!/type\s*=\s*["'](?:obsolete|vanished)/.test(text)) return [];
  return messagesIn(parseXml(text)).flatMap(({ key, isObsolete }) => (isObsolete ? [key] : []));
}

/** See `Format.formsOf`. */
export function formsOf(locale: string): string {
  const count = numerusRule(locale)?.nplurals ?? 1;
  const naming = namingOf(locale);
  return Array.from({ length: count }, (_, index) => naming.categoryOf(index)).join(' ');
}

function namingOf(locale: string | undefined): FormNaming {
  const canonical = locale === undefined ? undefined : parseRareLocale(locale);
  return nameForms(canonical === undefined ? undefined : numerusRule(canonical), canonical);
}

/** A separate function, so that the closures of the document do not keep the tree alive. */
function slotsIn(
  tree: XmlTree,
  locale: string | undefined,
  encodable: ScanOptions['encodable'],
): readonly QtSlot[] {
  const context: QtSlotContext = { frame: xmlFrameOf(tree), encodable, bareSigns: new Map() };
  const naming = namingOf(locale ?? attributeOf(tree, tree.root, 'language'));
  return messagesIn(tree).flatMap((message) => slotsOf(tree, message, context, naming));
}

function slotsOf(
  tree: XmlTree,
  message: QtMessage,
  context: QtSlotContext,
  naming: FormNaming,
): readonly QtSlot[] {
  const { key, source, sourceText: text, translation, forms, note, isObsolete, isText } = message;
  // A message that only has an id has no source text to translate.
  if (isObsolete || !isText || text === '') return [];
  const hasMarkup = contentOf(tree, source).kind === 'markup';
  const type = findAttribute(translation, 'type');
  countSigns(tree.text.slice(source.openEnd, source.closeStart).replace(TAG, ''), context);
  const fields: MessageFields = {
    context,
    source: text,
    syntax: hasMarkup ? 'markup' : 'qt',
    comment: note,
    unfinished: type && decodeAttribute(tree, type) === 'unfinished' ? wholeAttribute(tree, type) : undefined,
    markAt: translation.start + 1 + translation.name.length,
    takenFrom: message.takenFrom,
  };
  const read = (element: XmlElement): string => textOf(tree, element, hasMarkup);
  if (!forms) return [new QtSlot(fields, translation, read(translation), key)];
  return forms.map((form, index) => {
    const category = naming.categoryOf(index);
    const plural = { group: key, category, sources: [text, text] } as const;
    return new QtSlot(fields, form, read(form), key.concat(category), plural);
  });
}

const TAG = /<[^<>]*>/g;

/**
 * lupdate indents the content of a context but not the context, so nesting depth alone does not show one level of
 * indentation.
 */
function indentUnitOf(tree: XmlTree): string | undefined {
  const [message] = messagesIn(tree);
  const outer = message && indentAt(tree.text, message.element.start);
  const inner = message && indentAt(tree.text, message.source.start);
  return outer !== undefined && inner?.startsWith(outer) ? inner.slice(outer.length) : undefined;
}

function readTree(text: string): EntryTree {
  const tree = parseXml(text);
  const elements = new Map<Entry, XmlElement>();
  const owners: XmlElement[] = [];
  const enter = (entry: Entry, element: XmlElement): Entry => {
    elements.set(entry, element);
    return entry;
  };
  const spanOf = ({ start, end }: XmlElement): Entry['span'] => ({ start, end });
  const entries = contextsIn(tree).map(({ name, element, messages }) => {
    const children = messages.flatMap((message) => {
      owners.push(message.source, ...(message.forms ?? [message.translation]));
      const { key } = message;
      return message.isObsolete ? [] : [enter({ key, span: spanOf(message.element) }, message.element)];
    });
    return enter({ key: [name], span: spanOf(element), children }, element);
  });
  return { tree, entries, findings: { elements, owners }, indentUnit: indentUnitOf(tree) };
}
