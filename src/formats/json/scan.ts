import { DragomanError } from '../../base/errors.ts';
import { type Span, positionAt } from '../../base/span.ts';
import type { Syntax } from '../../text/syntax.ts';
import { makeDocument } from '../document.ts';
import { messageMember } from '../entry-shape.ts';
import type { DocumentWarning, Key, Slot, Document, ReadValue, ScanOptions } from '../format.ts';
import { notationOf } from '../notation.ts';
import { withOptionalEscapes, type StringEncoder, stringEncoder } from './encode.ts';
import { readOutline, type Outline } from './outline.ts';
import { memberText, shapeOf, type Shape, isMetadata } from './shape.ts';
import { decodeString, type Node, parse } from './tree.ts';

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

  object(path: Key, { children }: Node): void {
    if (children.length < 2) return;
    const names = new Set<string>();
    for (const { name, nameStart } of children) {
      if (names.has(name)) {
        this.warnings.push({ rule: 'duplicate-key', key: [...path, name], offset: nameStart });
      }
      names.add(name);
    }
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

/** Keys repeat their parents' segments: without a bound, wide objects at the bottom of a deep file fill the memory. */
const MAX_KEY_SEGMENTS = 16_000_000;

interface MessageVisitor {
  /**
   * Gets a string that is a message.
   *
   * @param path the array is reused for the next message
   * @param entry the message's entry, in the shapes that have them
   */
  message(path: Key, node: Node, entry: Node | undefined): void;
  /** Gets every object that holds messages, before these. */
  object?(path: Key, node: Node): void;
}

/** Visits the messages of a document in file order. */
function visitMessages(text: string, root: Node, shape: Shape, visitor: MessageVisitor): void {
  const walk = new Walk(text, shape, visitor);
  if (shape === 'Chrome' || shape === 'FormatJS') walk.visitEntries(root, messageMember(shape));
  else walk.visit(root);
}

class Walk {
  readonly #text: string;
  readonly #shape: Shape;
  readonly #visitor: MessageVisitor;
  readonly #path: string[] = [];
  #segments = 0;

  constructor(text: string, shape: Shape, visitor: MessageVisitor) {
    this.#text = text;
    this.#shape = shape;
    this.#visitor = visitor;
  }

  visit(node: Node): void {
    const path = this.#path;
    if (node.kind === 'string') {
      this.#segments += path.length;
      if (this.#segments > MAX_KEY_SEGMENTS) this.#refuse(node);
      this.#visitor.message(path, node, undefined);
      return;
    }
    if (node.kind === 'object') this.#visitor.object?.(path, node);
    for (const child of node.children) {
      if (node.kind === 'object' && isMetadata(this.#shape, child.name)) continue;
      path.push(child.name);
      this.visit(child);
      path.pop();
    }
  }

  visitEntries(root: Node, message: string): void {
    const path = this.#path;
    if (root.kind === 'object') this.#visitor.object?.(path, root);
    for (const entry of root.children) {
      path.push(entry.name);
      this.#visitor.object?.(path, entry);
      path.push(message);
      for (const node of entry.children) {
        if (node.name === message && node.kind === 'string') this.#visitor.message(path, node, entry);
      }
      path.length -= 2;
    }
  }

  #refuse(node: Node): never {
    throw new DragomanError('limit_exceeded', 'the document has too many deeply nested values', {
      at: positionAt(this.#text, node.start),
    });
  }
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
