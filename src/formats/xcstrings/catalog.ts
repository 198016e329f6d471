import type { Span } from '../../base/span.ts';
import { parseRareLocale } from '../../languages/locale.ts';
import { isPluralCategory } from '../../text/plural.ts';
import type { Document, Entry, FileLanguages, Key, PluralForm } from '../format.ts';
import { checkString } from '../json/characters.ts';
import { refuse } from '../refusal.ts';
import { decodeString, parse, parseMember, type Node } from '../json/tree.ts';

/** A String Catalog with the places of its JSON. */
export interface StringCatalog {
  readonly text: string;
  readonly root: Node;
  /** The source language as spelled in the file; Xcode assumes English if a catalogue names none. */
  readonly sourceLanguage: string;
  readonly strings: readonly CatalogString[];
}

/**
 * A key with its localizations. Details are read from the text on demand: together they would take ten times its
 * memory.
 */
export interface CatalogString {
  readonly key: string;
  /** The place of its name, with the quotes. */
  readonly name: Span;
  readonly node: Node;
  readonly comment: string | undefined;
  /** The object with a member for each language, if it exists. */
  readonly localizations: Node | undefined;
  /** @param locale canonical */
  localization(locale: string): Node | undefined;
}

/** The entries of one language. Edits read the rest again: keeping it would take ten times the memory of the text. */
export interface CatalogTree {
  readonly entries: readonly Entry[];
}

/** The catalogue, and the canonical language in which a document reads it. */
export function viewOf({ text, locale }: Document): { catalog: StringCatalog; locale: string } {
  const catalog = readCatalog(text);
  return { catalog, locale: localeOf(locale ?? catalog.sourceLanguage) };
}

/** One text of a localization. */
export interface CatalogText {
  readonly key: Key;
  readonly value: Node;
  /** The string with the translation state, if the text has one. */
  readonly state: Node | undefined;
  readonly plural: PluralForm | undefined;
  /** The objects that contain the text, from the localization inwards. */
  readonly holders: readonly Node[];
}

/** @throws DragomanError `unreadable_input` or `limit_exceeded` with the place */
export function readCatalog(text: string): StringCatalog {
  const strings: CatalogString[] = [];
  return { ...readStrings(text, (string) => void strings.push(string)), strings };
}

/**
 * Visits the strings of a catalogue in file order.
 *
 * @returns the catalogue with its first strings
 */
export function readStrings(
  text: string,
  visit: (string: CatalogString, sourceLanguage: string) => void,
): Omit<StringCatalog, 'strings'> {
  const index = indexOf(text);
  for (let i = 0; i < index.keys.length; i++) visit(new IndexedString(index, i), index.sourceLanguage);
  return index;
}

/**
 * The places of a catalogue's strings and localizations. A file can have fifty languages, which are read one by one.
 */
export interface CatalogIndex extends Omit<StringCatalog, 'strings'> {
  readonly keys: readonly string[];
  readonly comments: readonly (string | undefined)[];
  /** The offset of each string. */
  readonly starts: readonly number[];
  /** The offset of each localization, by canonical code and string. */
  readonly localizations: ReadonlyMap<string, readonly (number | undefined)[]>;
  /** The languages as spelled in the file. */
  readonly languages: ReadonlySet<string>;
}

let last: WeakRef<CatalogIndex> | undefined;

/** Caches the index of the last text, as long as a document uses it. */
export function indexOf(text: string): CatalogIndex {
  const known = last?.deref();
  if (known?.text === text) return known;
  const index = readIndex(text);
  last = new WeakRef(index);
  return index;
}

/** This many strings are enough to show the style of a catalogue. */
const SAMPLE = 16;

function readIndex(text: string): CatalogIndex {
  const keys: string[] = [];
  const comments: (string | undefined)[] = [];
  const starts: number[] = [];
  const localizations = new Map<string, (number | undefined)[]>();
  const languages = new Set<string>();
  const add = (node: Node): void => {
    if (node.kind !== 'object' || isNoText(text, node)) return;
    const place = keys.push(node.name) - 1;
    comments.push(textIn(text, node, 'comment') || undefined);
    starts.push(node.nameStart);
    for (const { kind, name, nameStart } of objectIn(node, 'localizations')?.children ?? []) {
      languages.add(name);
      const locale = localeOf(name);
      const places = localizations.get(locale) ?? [];
      if (places.length === 0) localizations.set(locale, places);
      if (kind === 'object') places[place] ??= nameStart;
    }
  };
  let visited = 0;
  const take = (node: Node): boolean => {
    add(node);
    return ++visited > SAMPLE;
  };
  const root = parse(text, { taking: { of: 'strings', take } });
  if (!objectIn(root, 'strings'))
    refuse(text, root.start, 'the String Catalog has no "strings"', 'Open it in Xcode, which writes them.');
  const sourceLanguage = textIn(text, root, 'sourceLanguage') ?? 'en';
  return { text, root, sourceLanguage, keys, comments, starts, localizations, languages };
}

/** Whether the key is not for translation or no longer in the program, and therefore has no texts. */
function isNoText(text: string, node: Node): boolean {
  const flag = memberOf(node, 'shouldTranslate');
  if (flag && text.slice(flag.start, flag.end) === 'false') return true;
  return textIn(text, node, 'extractionState') === 'stale';
}

class IndexedString implements CatalogString {
  readonly #index: CatalogIndex;
  readonly #place: number;
  #node: Node | undefined;

  constructor(index: CatalogIndex, place: number) {
    this.#index = index;
    this.#place = place;
  }

  get #start(): number {
    return this.#index.starts[this.#place] ?? 0;
  }

  get key(): string {
    return this.#index.keys[this.#place] ?? '';
  }

  get name(): Span {
    return { start: this.#start, end: checkString(this.#index.text, this.#start) };
  }

  get comment(): string | undefined {
    return this.#index.comments[this.#place];
  }

  get node(): Node {
    return (this.#node ??= parseMember(this.#index.text, this.#start));
  }

  get localizations(): Node | undefined {
    return objectIn(this.node, 'localizations');
  }

  localization(locale: string): Node | undefined {
    // The parts of a known string are shared by all callers.
    if (this.#node)
      return this.localizations?.children.find(
        ({ kind, name }) => kind === 'object' && localeOf(name) === locale,
      );
    const at = this.#index.localizations.get(locale)?.[this.#place];
    return at === undefined ? undefined : parseMember(this.#index.text, at);
  }
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

/** The canonical code of a language name in a catalogue; for a name that is not a code, the name itself. */
export function localeOf(name: string): string {
  let locale = canonical.get(name);
  if (locale === undefined) {
    locale = parseRareLocale(name) ?? name;
    if (canonical.size < 1_000) canonical.set(name, locale);
  }
  return locale;
}

/** Whether the keys themselves may be the texts of this language. */
export function isSourceLanguage(sourceLanguage: string, locale: string): boolean {
  return localeOf(sourceLanguage) === locale;
}

export function languagesOf(text: string): FileLanguages {
  const { sourceLanguage, languages } = indexOf(text);
  return { source: sourceLanguage, all: [...languages] };
}

/** The substitutions that a text uses: `%#@files@`, `%1$#@files@`. */
export function substitutionsIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/%(?:\d{1,3}\$)?#@([^@\s]{1,200})@/g)].map(([, name = '']) => name));
}

/** Xcode nests devices in substitutions and plurals in devices, never deeper. */
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
