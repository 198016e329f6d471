import type { Edit } from '../../base/span.ts';
import { insertAt } from '../lines.ts';
import {
  behindAttribute,
  findAttribute,
  decodeAttribute,
  type XmlAttribute,
  type XmlElement,
  type XmlTree,
} from './tree.ts';

/** The attribute with the element's own language. */
export function languageAttribute(element: XmlElement): XmlAttribute | undefined {
  return findAttribute(element, 'xml:lang') ?? findAttribute(element, 'lang');
}

export function languageOf(tree: XmlTree, element: XmlElement): string | undefined {
  const attribute = languageAttribute(element);
  return attribute && decodeAttribute(tree, attribute).trim();
}

/**
 * Edits that write a language into an attribute of this name.
 *
 * @param beside a new attribute follows the one of this name, if the element has it
 * @param isNew whether the language replaces another
 */
export function nameLanguage(
  element: Pick<XmlElement, 'start' | 'name' | 'attributes'>,
  [name, beside]: readonly [name: string, beside: string],
  language: string,
  isNew: boolean,
): readonly Edit[] {
  const own = findAttribute(element, name);
  if (own && !isNew) return [];
  if (own) return [{ span: { start: own.start, end: own.end }, text: language }];
  const at = behindAttribute(element, findAttribute(element, beside));
  return [insertAt(at, ` ${name}="${language}"`)];
}

const normalize = (code: string): string => code.toLowerCase().replaceAll('_', '-');
const primary = (code: string): string => normalize(code).split('-', 1)[0] ?? '';

export function isSameLocale(a: string, b: string): boolean {
  return normalize(a) === normalize(b);
}

/** The value that distinguishes the element from others of its name. */
export function identityOf(tree: XmlTree, element: XmlElement): string | undefined {
  for (const name of ['name', 'id', 'key']) {
    const attribute = findAttribute(element, name);
    const value = attribute && decodeAttribute(tree, attribute).trim();
    if (value) return value;
  }
  return undefined;
}

/** A key that is equal for siblings with the same text in several languages. */
export function groupOf(tree: XmlTree, element: XmlElement): string {
  return `${element.name} ${identityOf(tree, element) ?? ''}`;
}

/**
 * The sibling elements that are in a language other than `wanted`. Without a wanted language, each group of
 * translations is read in English, or in its first language.
 */
export function foreignElements(
  tree: XmlTree,
  siblings: readonly XmlElement[],
  locale: string | undefined,
): ReadonlySet<XmlElement> {
  const groups = new Map<string, Map<XmlElement, string>>();
  for (const element of siblings) {
    const language = languageOf(tree, element);
    if (!language) continue;
    const group = groupOf(tree, element);
    const members = groups.get(group) ?? new Map<XmlElement, string>();
    groups.set(group, members.set(element, language));
  }
  const foreign = new Set<XmlElement>();
  for (const members of groups.values()) {
    const languages = [...new Set(members.values())];
    const wanted = choose(languages, locale ?? 'en') ?? (locale === undefined ? languages[0] : undefined);
    for (const [element, language] of members) if (language !== wanted) foreign.add(element);
  }
  return foreign;
}

function choose(languages: readonly string[], locale: string): string | undefined {
  return (
    languages.find((language) => isSameLocale(language, locale)) ??
    languages.find((language) => primary(language) === primary(locale))
  );
}
