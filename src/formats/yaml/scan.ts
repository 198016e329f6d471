import type { Span } from '../../base/span.ts';
import type { Syntax } from '../../text/syntax.ts';
import { makeDocument } from '../document.ts';
import { messageMember, NOTE_MEMBER, type EntryShape } from '../entry-shape.ts';
import type { Key, ReadValue, ScanOptions, Slot } from '../format.ts';
import { notationOf, type Notation } from '../notation.ts';
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
import { readDocuments, syntaxError } from './parse.ts';
import type { ScalarPlace, ScalarStyle } from './quoting.ts';
import { rootName } from './special-keys.ts';
import { readSimple, type YamlFindings } from './simple-reader.ts';
import type { FoundText } from './text-reader.ts';
import { YamlWalk, type WalkOptions } from './walk.ts';

class YamlSlot implements Slot, ScalarPlace {
  readonly key: Key;
  readonly value: string;
  readonly span: Span;
  readonly style: ScalarStyle;
  readonly flow: boolean;
  readonly indent: number;
  /** Known only when all values are. */
  syntax: Syntax = 'plain';
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
  let reading: YamlFindings | undefined = readSimple(text, options, 'texts', take);
  if (!reading) {
    found.length = 0;
    reading = walkThrough(text, options, 'texts', take);
  }
  const { root, booleanKeys, evidence, warnings } = reading;
  const { shape } = evidence;
  const slots = shape ? messagesOf(found, shape) : found;
  around.quote = preferredQuote(found);
  const notation = dialectOf(slots, root !== undefined);
  const forced = shape && (shape === 'Chrome' ? 'chrome' : 'icu');
  for (const slot of slots) slot.syntax = forced ?? notation.syntaxOf(slot.value);
  const locale = root && text.slice(...rootName(root, text));
  const structure = new YamlStructure(root, booleanKeys, () => readOutline(text, options));
  return makeDocument({ text, slots, dialect: shape ?? notation.dialect, locale, warnings }, () => structure);
}

/** The keys and values that a scan finds. */
export function read(text: string, visit: ReadValue, options: ScanOptions = {}): void {
  const all: FoundText[] = [];
  const simple = readSimple(text, options, 'values', (one) => all.push(one));
  if (simple) {
    const { shape } = simple.evidence;
    for (const { key, value } of shape ? messagesOf(all, shape) : all) visit(key, value);
    return;
  }
  // Which texts are messages is known when the last entry has the shape of the others, or the first one has none.
  let held: FoundText[] | undefined = [];
  const walk = walkThrough(text, options, 'values', (one, settled) => {
    if (held && !settled) {
      held.push(one);
      return;
    }
    for (const { key, value } of held ?? []) visit(key, value);
    held = undefined;
    visit(one.key, one.value);
  });
  const { shape } = walk.evidence;
  const left = held ?? [];
  for (const { key, value } of shape ? messagesOf(left, shape) : left) visit(key, value);
}

function readOutline(text: string, options: ScanOptions): YamlOutline {
  const walk = walkThrough(text, options, 'entries', () => undefined);
  const { anchors, aliases, keeps, documents, root, evidence } = walk;
  const top = documents > 1 ? undefined : (walk.top ?? { kind: 'empty' });
  const found = { anchors, aliases, keeps, documents, top, options, shape: evidence.shape };
  const [first] = walk.entries;
  if (root && first) return { ...found, entries: whole(first.children ?? [], found.shape), root: first };
  return { ...found, entries: whole(walk.entries, found.shape), root: undefined };
}

/** Entries with a message in them have no parts that could be inserted or removed. */
function whole(entries: readonly YamlEntry[], shape: EntryShape | undefined): readonly YamlEntry[] {
  return shape ? entries.map((entry) => ({ ...entry, children: undefined })) : entries;
}

function walkThrough(
  text: string,
  { locale, source }: ScanOptions,
  detail: WalkOptions['detail'],
  onText: WalkOptions['onText'],
): YamlWalk {
  const rootless = source !== undefined && hasNoRoot(source);
  const walk = new YamlWalk(text, {
    locale,
    rootless,
    source: source && booleanKeysOf(source),
    detail,
    onText,
  });
  readDocuments(text, walk);
  checkAliases(text, walk);
  return walk;
}

/** The messages of entries, with their notes as comments. */
function messagesOf<Text extends Pick<FoundText, 'key' | 'value'> & { comment?: string | undefined }>(
  texts: readonly Text[],
  shape: EntryShape,
): readonly Text[] {
  const name = messageMember(shape);
  const notes = new Map<string | undefined, string>();
  for (const { key, value } of texts)
    if (key[1] === NOTE_MEMBER && key.length === 2) notes.set(key[0], value);
  const messages = texts.filter(({ key }) => key.length === 2 && key[1] === name);
  for (const message of messages) {
    const note = notes.get(message.key[0]);
    if (note !== undefined && note !== '')
      message.comment = message.comment === undefined ? note : `${note}\n${message.comment}`;
  }
  return messages;
}

const id = ({ document, name }: Mark): string => `${document} ${name}`;

/** @throws DragomanError when an alias has no anchor before it: no program can load such a file. */
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

/** Ruby's placeholders are those of a whole file, the others are told apart as in JSON. */
function dialectOf(texts: readonly Pick<Slot, 'key' | 'value'>[], rails: boolean): Notation {
  if (!rails && !texts.some(({ value }) => RUBY.test(value))) return notationOf(texts);
  return { dialect: rails ? 'Rails' : 'Ruby I18n', syntaxOf: () => 'ruby' };
}
