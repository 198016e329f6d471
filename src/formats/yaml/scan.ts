import { parseLocale } from '../../languages/locale.ts';
import type { Span } from '../../base/span.ts';
import { goPlurals, rubyPlurals } from '../../text/plural-keys.ts';
import type { Syntax } from '../../text/syntax.ts';
import { makeDocument } from '../document.ts';
import type { Key, PluralForm, ScanOptions, Slot } from '../format.ts';
import { isGoNote } from '../go-i18n.ts';
import { placeholderDialectOf, type PlaceholderDialect } from '../placeholder-dialect.ts';
import { markForms } from '../sibling-forms.ts';
import { encodeScalar, type YamlSurroundings } from './encode.ts';
import {
  booleanKeysOf,
  hasNoRoot,
  YamlStructure,
  type Mark,
  type YamlOutline,
  type YamlDocument,
  type YamlEntry,
} from './outline.ts';
import { findMessages, keyById, type FoundMessages } from './messages.ts';
import { readDocuments, syntaxError } from './parse.ts';
import type { ScalarPlace, ScalarStyle } from './quoting.ts';
import { isRootName, rootName } from './special-keys.ts';
import { readSimple, type YamlFindings } from './simple-reader.ts';
import type { FoundText } from './text-reader.ts';
import { YamlWalk, type WalkOptions } from './walk.ts';

class YamlSlot implements Slot, ScalarPlace {
  key: Key;
  readonly value: string;
  readonly span: Span;
  readonly style: ScalarStyle;
  readonly flow: boolean;
  readonly indent: number;
  /** Known only after all values are read. */
  syntax: Syntax = 'plain';
  plural: PluralForm | undefined;
  comment: string | undefined;
  readonly #around: YamlSurroundings;

  constructor({ key, value, place, comment }: FoundText, around: YamlSurroundings) {
    this.key = key;
    this.value = value;
    this.span = place.span;
    this.style = place.style;
    this.flow = place.flow;
    this.indent = place.indent;
    this.comment = comment;
    this.#around = around;
  }

  encode(value: string): string {
    return encodeScalar(this.#around, this, value);
  }
}

export function scan(text: string, options: ScanOptions = {}): YamlDocument {
  const around = { text, quote: 'single' as YamlSurroundings['quote'], encodable: options.encodable };
  const found: YamlSlot[] = [];
  const take = (one: FoundText): unknown => found.push(new YamlSlot(one, around));
  let reading: YamlFindings | undefined = readSimple(text, options, take);
  if (!reading) {
    found.length = 0;
    reading = walkThrough(text, options, 'texts', take);
  }
  const { root, booleanKeys, warnings, hasOnlyTexts } = reading;
  if (!root && reading.documents === 1) requireRoot(text, found, options);
  const { shape, messages: slots, ids } = findMessages(found, reading);
  around.quote = preferredQuote(found);
  const notation = options.messages ?? dialectOf(slots, root !== undefined);
  const forced = shape && shape !== 'go-i18n' ? (shape === 'Chrome' ? 'chrome' : 'icu') : undefined;
  for (const slot of slots) slot.syntax = forced ?? notation.syntaxOf(slot.value, slot.key);
  markForms(slots, shape === 'go-i18n' ? goPlurals : shape ? undefined : notation.plurals, options.locale);
  const locale = root && text.slice(...rootName(root, text));
  const readWhole = (): YamlOutline => readOutline(text, options, { shape, ids });
  const structure = new YamlStructure(root, booleanKeys, reading.aliases.length > 0, readWhole);
  const dialect = shape ?? notation.dialect;
  return makeDocument({ text, slots, dialect, locale, warnings, hasOnlyTexts }, () => structure);
}

/**
 * Programs that read translations from below a root key, as Rails does, never find texts elsewhere.
 *
 * @throws DragomanError `unreadable_input` for a translation with a text outside of its root, if its source has a root
 */
function requireRoot(text: string, slots: readonly YamlSlot[], { source, locale }: ScanOptions): void {
  if (locale === undefined || !(source?.tree instanceof YamlStructure) || !source.tree.root) return;
  const file = { locale, hasRootedSource: true };
  const astray = slots.find(({ key: [name = ''] }) => !isRootName(name, file));
  if (!astray) return;
  const [name = ''] = astray.key;
  const isLanguage = parseLocale(name) !== undefined;
  throw syntaxError(
    text,
    astray.span.start,
    `this text is outside of the root key "${locale}"${isLanguage ? `, in "${name}": files are read in one language` : ''}`,
    isLanguage
      ? `Move the texts of "${name}:" into another file.`
      : `Indent the file's texts below "${locale}:".`,
  );
}

type Shaped = Pick<FoundMessages<unknown>, 'shape' | 'ids'>;

function readOutline(text: string, options: ScanOptions, shaped: Shaped): YamlOutline {
  const walk = walkThrough(text, options, 'entries', () => undefined);
  const { anchors, aliases, keeps, documents, root } = walk;
  const top = documents > 1 ? undefined : (walk.top ?? { kind: 'empty' });
  const found = { anchors, aliases, keeps, documents, top, options, shape: shaped.shape };
  const [first] = walk.entries;
  if (root && first) return { ...found, entries: withoutNotes(first.children ?? [], shaped), root: first };
  return { ...found, entries: withoutNotes(walk.entries, shaped), root: undefined };
}

/** Entries with a single message have no insertable parts, and notes are inserted and removed with their entry. */
function withoutNotes(entries: readonly YamlEntry[], { shape, ids }: Shaped): readonly YamlEntry[] {
  if (!shape) return entries;
  if (shape !== 'go-i18n')
    return entries.map((entry) => ({ ...entry, key: keyById(entry.key, ids), children: undefined }));
  const named = ({ children, ...entry }: YamlEntry): YamlEntry => {
    const texts = children?.filter(({ key }) => key.length !== 2 || !isGoNote(key[1] ?? ''));
    return { ...entry, key: keyById(entry.key, ids), children: texts?.map(named) };
  };
  return entries.map(named);
}

function walkThrough(
  text: string,
  { locale, source, messages, isUpload }: ScanOptions,
  detail: WalkOptions['detail'],
  onText: WalkOptions['onText'],
): YamlWalk {
  const rootless = source !== undefined && hasNoRoot(source);
  const walk = new YamlWalk(text, {
    locale,
    rootless,
    hasRootedSource: source !== undefined && !rootless,
    messages,
    source: source && booleanKeysOf(source),
    detail,
    onText,
  });
  readDocuments(text, (tree, several) => walk.document(tree, several), isUpload);
  checkAliases(text, walk);
  return walk;
}

const id = ({ document, name }: Mark): string => `${document} ${name}`;

/** @throws DragomanError for an alias without a preceding anchor: no program can load such a file */
function checkAliases(text: string, { anchors, aliases }: Pick<YamlOutline, 'anchors' | 'aliases'>): void {
  const first = new Map<string, number>();
  for (const anchor of anchors) {
    if (!first.has(id(anchor))) first.set(id(anchor), anchor.span.start);
  }
  for (const alias of aliases) {
    if ((first.get(id(alias)) ?? Infinity) > alias.span.start) {
      throw syntaxError(text, alias.span.start, `the alias *${alias.name} has no anchor before it`);
    }
  }
}

function preferredQuote(places: readonly ScalarPlace[]): 'single' | 'double' {
  let balance = 0;
  for (const { style } of places) {
    if (style === 'double') balance++;
    else if (style === 'single') balance--;
  }
  return balance > 0 ? 'double' : 'single';
}

const RUBY = /%\{\w+\}|%<\w+>/;

/** Ruby's placeholders apply to a whole file; others are inferred as in JSON. */
function dialectOf(texts: readonly Pick<Slot, 'key' | 'value'>[], rails: boolean): PlaceholderDialect {
  if (!rails && !texts.some(({ value }) => RUBY.test(value))) return placeholderDialectOf(texts);
  return { dialect: rails ? 'Rails' : 'Ruby I18n', syntaxOf: () => 'ruby', plurals: rubyPlurals };
}
