import { parseRareLocale } from '../../languages/locale.ts';
import { isPluralCategory } from '../../text/plural.ts';
import type { Document, Entry, FileLanguages, Key, PluralForm } from '../format.ts';
import { refuse } from '../json/characters.ts';
import { decodeString, parse, type Node } from '../json/tree.ts';

/** A String Catalog as its JSON stands. */
export interface StringCatalog {
  readonly text: string;
  readonly root: Node;
  /** As the file spells it; Xcode takes English for the language of a catalogue that names none. */
  readonly sourceLanguage: string;
  readonly strings: readonly CatalogString[];
}

/** One key with its localizations. */
export interface CatalogString {
  readonly key: string;
  readonly node: Node;
  readonly comment: string | undefined;
  /** The object with a member for each language, if there is one. */
  readonly localizations: Node | undefined;
}

/** The entries of one language. What else edits need they read again: keeping it would weigh ten times the text. */
export interface CatalogTree {
  readonly entries: readonly Entry[];
}

/** A catalogue, and the language in which a document is read from it, canonical. */
export function viewOf({ text, locale }: Document): { catalog: StringCatalog; locale: string } {
  const catalog = readCatalog(text);
  return { catalog, locale: localeOf(locale ?? catalog.sourceLanguage) };
}

/** One text of a localization. */
export interface CatalogText {
  readonly key: Key;
  readonly value: Node;
  /** The string that says how far the translation is, where there is one. */
  readonly state: Node | undefined;
  readonly plural: PluralForm | undefined;
  /** The objects that hold the text, from the localization itself inwards. */
  readonly holders: readonly Node[];
}

/** @throws DragomanError `unreadable_input` or `limit_exceeded` with the place */
export function readCatalog(text: string): StringCatalog {
  return catalogOf(text, parse(text));
}

function catalogOf(text: string, root: Node): StringCatalog {
  const strings = objectIn(root, 'strings');
  if (!strings)
    refuse(text, root.start, 'the String Catalog has no "strings"', 'Open it in Xcode, which writes them.');
  return {
    text,
    root,
    sourceLanguage: textIn(text, root, 'sourceLanguage') ?? 'en',
    strings: strings.children.flatMap((node) => readString(text, node)),
  };
}

/** As many strings show how a catalogue is written. */
const SAMPLE = 16;

/**
 * Visits the strings of a catalogue while it is read, in file order. Each is dropped when it was visited: all of them
 * weigh ten texts. Where the source language stands behind the strings, which is not usual, they wait for it.
 *
 * @returns the catalogue with its first strings
 */
export function readStrings(
  text: string,
  visit: (string: CatalogString, sourceLanguage: string) => void,
): StringCatalog {
  let visited = 0;
  const root = parse(text, {
    taking: {
      of: 'strings',
      take(node, before) {
        const sourceLanguage = before.find(({ name }) => name === 'sourceLanguage');
        if (sourceLanguage?.kind !== 'string') return false;
        const language = decodeString(text, sourceLanguage.start, sourceLanguage.end);
        for (const string of readString(text, node)) visit(string, language);
        return ++visited > SAMPLE;
      },
    },
  });
  const catalog = catalogOf(text, root);
  if (visited === 0) for (const string of catalog.strings) visit(string, catalog.sourceLanguage);
  return catalog;
}

/** Keys that are not for translation, or that the program does not have any more, hold no texts. */
function readString(text: string, node: Node): readonly CatalogString[] {
  if (node.kind !== 'object') return [];
  const flag = memberOf(node, 'shouldTranslate');
  if (flag && text.slice(flag.start, flag.end) === 'false') return [];
  if (textIn(text, node, 'extractionState') === 'stale') return [];
  const comment = textIn(text, node, 'comment') || undefined;
  return [{ key: node.name, node, comment, localizations: objectIn(node, 'localizations') }];
}

export function memberOf(node: Node, name: string): Node | undefined {
  return node.children.find((child) => child.name === name);
}

export function objectIn(node: Node, name: string): Node | undefined {
  const member = memberOf(node, name);
  return member?.kind === 'object' ? member : undefined;
}

export function textIn(text: string, node: Node, name: string): string | undefined {
  const member = memberOf(node, name);
  return member?.kind === 'string' ? decodeString(text, member.start, member.end) : undefined;
}

const canonical = new Map<string, string>();

/** The canonical code of a language's name in a catalogue; the name itself where it is no code. */
export function localeOf(name: string): string {
  let locale = canonical.get(name);
  if (locale === undefined) {
    locale = parseRareLocale(name) ?? name;
    if (canonical.size < 1_000) canonical.set(name, locale);
  }
  return locale;
}

/** @param locale canonical */
export function localizationIn({ localizations }: CatalogString, locale: string): Node | undefined {
  return localizations?.children.find(({ kind, name }) => kind === 'object' && localeOf(name) === locale);
}

/** Whether the texts of this language may be the keys themselves. */
export function isSourceLanguage(sourceLanguage: string, locale: string): boolean {
  return localeOf(sourceLanguage) === locale;
}

export function languagesOf(text: string): FileLanguages {
  const names = new Set<string>();
  const { sourceLanguage } = readStrings(text, ({ localizations }) => {
    for (const { name } of localizations?.children ?? []) names.add(name);
  });
  return { source: sourceLanguage, all: [...names] };
}

/** The substitutions that a text refers to: `%#@files@`, `%1$#@files@`. */
export function substitutionsIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/%(?:\d{1,3}\$)?#@([^@\s]{1,200})@/g)].map(([, name = '']) => name));
}

/** Xcode nests devices in substitutions and plurals in devices: no deeper. */
const MAX_VARIATIONS = 8;

/** The texts of one localization, in file order. */
export function textsOf(localization: Node, key: string): readonly CatalogText[] {
  const found: CatalogText[] = [];
  collect(localization, [key], [localization], undefined, found);
  return found.sort((a, b) => a.value.start - b.value.start);
}

function collect(
  node: Node,
  key: Key,
  holders: readonly Node[],
  plural: PluralForm | undefined,
  found: CatalogText[],
): void {
  if (key.length > MAX_VARIATIONS) return;
  const each = (
    container: Node | undefined,
    above: readonly Node[],
    visit: (child: Node, inside: readonly Node[]) => void,
  ): void => {
    for (const child of container?.children ?? [])
      if (container && child.kind === 'object') visit(child, [...above, container, child]);
  };
  const unit = objectIn(node, 'stringUnit');
  const value = unit && memberOf(unit, 'value');
  if (unit && value?.kind === 'string')
    found.push({ key, value, state: stateOf(unit), plural, holders: [...holders, unit] });
  const set = objectIn(node, 'stringSet');
  const values = set && memberOf(set, 'values');
  if (set && values?.kind === 'array') {
    const inside = [...holders, set];
    for (const child of values.children) {
      if (child.kind !== 'string') continue;
      const text = { key: key.concat('values', child.name), value: child, state: stateOf(set) };
      found.push({ ...text, plural: undefined, holders: inside });
    }
  }
  const variations = objectIn(node, 'variations');
  if (variations) {
    const above = [...holders, variations];
    each(objectIn(variations, 'plural'), above, (child, inside) => {
      if (!isPluralCategory(child.name)) return;
      const form = { group: key, category: child.name };
      collect(child, key.concat(child.name), inside, form, found);
    });
    each(objectIn(variations, 'device'), above, (child, inside) =>
      collect(child, key.concat('device', child.name), inside, undefined, found),
    );
  }
  each(objectIn(node, 'substitutions'), holders, (child, inside) =>
    collect(child, key.concat('substitutions', child.name), inside, undefined, found),
  );
}

function stateOf(unit: Node): Node | undefined {
  const state = memberOf(unit, 'state');
  return state?.kind === 'string' ? state : undefined;
}
