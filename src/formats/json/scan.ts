import type { Span } from '../../base/span.ts';
import type { Syntax } from '../../text/syntax.ts';
import { makeDocument } from '../document.ts';
import type { DocumentWarning, Key, Slot, Document, ReadValue, ScanOptions } from '../format.ts';
import { notationOf } from '../notation.ts';
import { withOptionalEscapes, type StringEncoder, stringEncoder } from './encode.ts';
import { readOutline, type Outline } from './outline.ts';
import { memberText, shapeOf, type Shape } from './shape.ts';
import { decodeString, type Node, parse } from './tree.ts';
import { duplicatesIn, type MessageVisitor, visitMessages } from './walk.ts';

interface Content {
  readonly shape: Shape;
  readonly dialect: string;
  readonly slots: readonly Slot[];
  readonly warnings: readonly DocumentWarning[];
}

function readContent(text: string, root: Node, encoder: StringEncoder): Content {
  const shape = shapeOf(root);
  const collector = new Collector(text, root, shape, encoder);
  visitMessages(text, root, shape, collector);
  const { slots, warnings } = collector;
  const notation = notationOf(slots);
  const forced = shape === 'values' ? undefined : shape === 'Chrome' ? 'chrome' : 'icu';
  for (const slot of slots) slot.syntax = forced ?? notation.syntaxOf(slot.value);
  const dialect = shape === 'values' ? notation.dialect : shape;
  return { shape, dialect, slots, warnings };
}

/** What the strings of a document share. */
interface ValuePlace {
  readonly text: string;
  readonly encoder: StringEncoder;
}

class JsonSlot implements Slot {
  readonly key: Key;
  readonly value: string;
  readonly span: Span;
  /** Known only when all values are. */
  syntax: Syntax = 'plain';
  readonly comment: string | undefined;
  readonly #place: ValuePlace;

  constructor(place: ValuePlace, key: Key, { start, end }: Span, comment: string | undefined) {
    this.key = key;
    this.value = decodeString(place.text, start, end);
    this.span = { start, end };
    this.comment = comment;
    this.#place = place;
  }

  encode(value: string): string {
    const { text, encoder } = this.#place;
    const { start, end } = this.span;
    const escaped = end - start - 2 !== this.value.length;
    return escaped ? withOptionalEscapes(encoder(value), text.slice(start, end)) : encoder(value);
  }
}

class Collector implements MessageVisitor {
  readonly slots: JsonSlot[] = [];
  readonly warnings: DocumentWarning[] = [];
  readonly #place: ValuePlace;
  /** ARB's descriptions, by key. */
  readonly #notes: ReadonlyMap<string, string> | undefined;

  constructor(text: string, root: Node, shape: Shape, encoder: StringEncoder) {
    this.#place = { text, encoder };
    this.#notes = shape === 'ARB' ? descriptionsOf(text, root) : undefined;
  }

  message(path: Key, node: Node, entry: Node | undefined): void {
    const comment = entry
      ? memberText(this.#place.text, entry, 'description') || undefined
      : path.length === 1
        ? this.#notes?.get(path[0] ?? '')
        : undefined;
    this.slots.push(new JsonSlot(this.#place, path.slice(), node, comment));
  }

  object(path: Key, node: Node): void {
    this.warnings.push(...duplicatesIn(path, node));
  }
}

function descriptionsOf(text: string, root: Node): ReadonlyMap<string, string> {
  const notes = new Map<string, string>();
  for (const entry of root.children) {
    if (entry.kind !== 'object' || !entry.name.startsWith('@')) continue;
    const note = memberText(text, entry, 'description');
    if (note) notes.set(entry.name.slice(1), note);
  }
  return notes;
}

const LOCALE = '@@locale';

export function scan(text: string, options: ScanOptions = {}): Document<Outline> {
  const root = parse(text);
  const content = readContent(text, root, stringEncoder(text, options.encodable));
  const member = content.shape === 'ARB' ? localeMember(root) : undefined;
  const locale = member && decodeString(text, member.start, member.end);
  const { dialect, slots, warnings } = content;
  return makeDocument({ text, slots, dialect, locale, warnings }, readOutline);
}

export function read(text: string, visit: ReadValue): void {
  const root = parse(text);
  visitMessages(text, root, shapeOf(root), {
    message: (path, { start, end }) => visit(path, decodeString(text, start, end)),
  });
}

export function localeMember(root: Node): Node | undefined {
  return root.children.find(({ name, kind }) => name === LOCALE && kind === 'string');
}
