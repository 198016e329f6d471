import type { Edit } from '../../base/span.ts';
import { everydayCategories, pluralCategories } from '../../text/plural.ts';
import type { Document, RetargetOptions } from '../format.ts';
import { indentationStart, removeSpan } from '../lines.ts';
import { breaksIn, commentsAround, isUntranslatable, blocksOf } from './blocks.ts';
import { groupOf, isSameLocale, languageAttribute, languageOf } from './language.ts';
import { isSharedResource } from './pairs.ts';
import { parseXml, parseXmlHead } from './parser.ts';
import { adaptForms, type XmlForm } from './plural-forms.ts';
import type { Structure } from './scan.ts';
import { retargetStringsdict } from './stringsdict.ts';
import {
  decodeAttribute,
  elementsOf,
  findAttribute,
  type XmlAttribute,
  type XmlElement,
  type XmlNode,
  type XmlTree,
} from './tree.ts';

export function retargetXml(document: Document<Structure>, options: RetargetOptions): readonly Edit[] {
  const { text, dialect } = document;
  if (dialect === 'stringsdict') return retargetStringsdict(text, options);
  const head = parseXmlHead(text);
  const resources =
    dialect === 'Android' && !isUntranslatable(head, head.root) ? retargetResources(text, options) : [];
  const shared = dialect === 'resx' && options.role === 'new' ? removeShared(text) : [];
  const languages = options.role === 'new' ? retargetLanguages(document, head, options.locale) : [];
  return [...resources, ...shared, ...languages];
}

function retargetResources(text: string, options: RetargetOptions): readonly Edit[] {
  const tree = parseXml(text);
  const plurals = elementsOf(tree.root)
    .filter((element) => element.name === 'plurals' && !isUntranslatable(tree, element))
    .flatMap((element) => retargetPlurals(tree, element, options));
  // Android allows untranslatable resources only in the default directory.
  return options.role === 'new'
    ? [...new Removal(tree, isUntranslatable, ABOUT_TRANSLATION).edits(), ...plurals]
    : plurals;
}

/** Files of other languages contain only texts: .NET takes everything else from the default file. */
function removeShared(text: string): readonly Edit[] {
  return new Removal(parseXml(text), isSharedResource, /^/).edits();
}

/**
 * XML uses BCP 47 codes, regardless of the project's spelling. Keeps an element next to its version in the target
 * language, which a scan for the target reads.
 */
function retargetLanguages(document: Document<Structure>, head: XmlTree, locale: string): Edit[] {
  const edits = new Map<number, Edit>();
  const change = (attribute: XmlAttribute | undefined): void => {
    if (!attribute || isSameLocale(decodeAttribute(head, attribute), locale)) return;
    const { start, end } = attribute;
    edits.set(start, { span: { start, end }, text: locale });
  };
  change(languageAttribute(head.root));
  change(findAttribute(head.root, 'tools:locale'));
  // Most files name no language below their root.
  if (!/lang\s*=/.test(head.text.slice(head.root.openEnd))) return [...edits.values()];
  const { tree, findings } = document.tree;
  const translated = new Map<XmlElement, ReadonlySet<string>>();
  for (const element of findings.owners) {
    let declaring = element;
    while (declaring.parent && !languageAttribute(declaring)) declaring = declaring.parent;
    if (!declaring.parent) continue;
    const done = translated.get(declaring.parent) ?? identitiesIn(tree, declaring.parent, locale);
    translated.set(declaring.parent, done);
    const attribute = languageAttribute(declaring);
    if (!done.has(groupOf(tree, declaring))) change(attribute);
    // This edit changes nothing, but causes the skeleton to be scanned again: its slots are those of the other version.
    else if (attribute) edits.set(attribute.start, unchanged(tree, attribute));
  }
  return [...edits.values()];
}

function unchanged({ text }: XmlTree, { start, end }: XmlAttribute): Edit {
  return { span: { start, end }, text: text.slice(start, end) };
}

/** The identities of the element's children in this language. */
function identitiesIn(tree: XmlTree, parent: XmlElement, locale: string): ReadonlySet<string> {
  const local = elementsOf(parent).filter((child) => isSameLocale(languageOf(tree, child) ?? '', locale));
  return new Set(local.map((child) => groupOf(tree, child)));
}

/** A comment such as "Do not translate" only concerns the string below it. */
const ABOUT_TRANSLATION = /translat/i;

/**
 * Removes the root's elements that do not belong in another language's file, with the comment after each and a comment
 * directly above that concerns it alone. Other comments may head the following elements, so they are kept; if the next
 * comment would follow directly, a blank line separates the two.
 */
class Removal {
  readonly #tree: XmlTree;
  readonly #isRemoved: (tree: XmlTree, element: XmlElement) => boolean;
  readonly #ownComment: RegExp;
  /** Whether a remaining comment would be read as the note of the next element. */
  #open = false;

  /** @param ownComment whether comments directly above are removed, too */
  constructor(tree: XmlTree, isRemoved: (tree: XmlTree, element: XmlElement) => boolean, ownComment: RegExp) {
    this.#tree = tree;
    this.#isRemoved = isRemoved;
    this.#ownComment = ownComment;
  }

  edits(): readonly Edit[] {
    const nodes = this.#tree.root.children;
    return nodes.flatMap((node, index) =>
      node.type === 'element' ? (this.#editFor(nodes, index, node) ?? []) : [],
    );
  }

  #editFor(nodes: readonly XmlNode[], index: number, node: XmlElement): Edit | undefined {
    const tree = this.#tree;
    const { above, behind } = commentsAround(tree, nodes, index);
    const removed = this.#isRemoved(tree, node);
    const nearest = above.at(-1);
    const own = removed && nearest && this.#ownComment.test(textOf(tree, nearest)) ? nearest : undefined;
    if (above.length > 0) this.#open = removed && above.length > (own ? 1 : 0);
    else this.#open &&= removed && breaksIn(tree, nodes[index - 1]) <= 1;
    if (!removed) return undefined;
    const span = { start: (own ?? node).start, end: (behind ?? node).end };
    const next = index + 1 + (behind ? nodes.indexOf(behind, index) - index : 0);
    const meetsComment = breaksIn(tree, nodes[next]) === 1 && nodes[next + 1]?.type === 'comment';
    const lineStart = indentationStart(tree.text, span.start);
    const leavesLine = this.#open && meetsComment && lineStart !== undefined;
    return leavesLine ? { span: { ...span, start: lineStart }, text: '' } : removeSpan(tree.text, span);
  }
}

function textOf({ text }: XmlTree, { start, end }: XmlNode): string {
  return text.slice(start, end);
}

/**
 * Gives a `<plurals>` the categories of the target language. Missing ones start as copies of `other`. A new file loses
 * the categories that the language lacks. An existing file keeps them, and only needs the categories of whole numbers:
 * Android never selects others.
 */
function retargetPlurals(tree: XmlTree, plurals: XmlElement, options: RetargetOptions): readonly Edit[] {
  const forms = blocksOf(tree, plurals).flatMap(({ element, span }): XmlForm[] => {
    const quantity = findAttribute(element, 'quantity');
    if (!quantity) return [];
    const category = decodeAttribute(tree, quantity);
    return [{ category, name: quantity, span, copied: element, isFixed: false }];
  });
  if (options.role === 'existing') return adaptForms(tree, forms, forms, everydayCategories(options.locale));
  const wanted = pluralCategories(options.locale);
  return adaptForms(
    tree,
    forms,
    forms.filter(({ category }) => wanted.includes(category)),
    wanted,
  );
}
