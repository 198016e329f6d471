import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import type { DocumentWarning, Key, Slot } from '../format.ts';
import { notationOf } from '../notation.ts';
import { valueEncoder, type StringEncoder } from './escapes.ts';
import { isMetadata, memberText, messageMember, shapeOf, type Shape } from './shape.ts';
import { decodeString, type Node } from './tree.ts';

/** Keys repeat their parents' segments: without a bound, wide objects at the bottom of a deep file fill the memory. */
const MAX_KEY_SEGMENTS = 16_000_000;

/** The syntax is known only when all values are. */
type Message = Slot & { syntax: Slot['syntax'] };

export interface Content {
  readonly shape: Shape;
  readonly dialect: string;
  readonly slots: readonly Slot[];
  readonly warnings: readonly DocumentWarning[];
}

export function readContent(text: string, root: Node, encoder: StringEncoder): Content {
  const shape = shapeOf(root);
  const collector = new Collector(text, shape, encoder);
  const slots = collector.collect(root);
  const notation = notationOf(slots);
  const forced = shape === 'values' ? undefined : shape === 'Chrome' ? 'chrome' : 'icu';
  for (const slot of slots) slot.syntax = forced ?? notation.syntaxOf(slot.value);
  const dialect = shape === 'values' ? notation.dialect : shape;
  return { shape, dialect, slots, warnings: collector.warnings };
}

class Collector {
  private readonly text: string;
  private readonly shape: Shape;
  private readonly encoder: StringEncoder;
  private readonly messages: Message[] = [];
  readonly warnings: DocumentWarning[] = [];
  private readonly path: string[] = [];
  private segments = 0;

  constructor(text: string, shape: Shape, encoder: StringEncoder) {
    this.encoder = encoder;
    this.text = text;
    this.shape = shape;
  }

  collect(root: Node): readonly Message[] {
    const { shape } = this;
    if (shape === 'Chrome' || shape === 'FormatJS') this.visitEntries(root, messageMember(shape));
    else this.visit(root, undefined);
    return this.messages;
  }

  private visit(node: Node, comment: string | undefined): void {
    if (node.kind === 'string') {
      this.segments += this.path.length;
      if (this.segments > MAX_KEY_SEGMENTS) this.refuse(node);
      this.add(this.path.slice(), node, comment);
      return;
    }
    if (node.kind === 'object') this.warnOfDuplicates(node);
    const notes = this.shape === 'ARB' && this.path.length === 0 ? this.descriptions(node) : undefined;
    for (const child of node.children) {
      if (node.kind === 'object' && isMetadata(this.shape, child.name)) continue;
      this.path.push(child.name);
      this.visit(child, notes?.get(child.name));
      this.path.pop();
    }
  }

  private visitEntries(root: Node, message: string): void {
    if (root.kind === 'object') this.warnOfDuplicates(root);
    for (const entry of root.children) {
      this.path.push(entry.name);
      this.warnOfDuplicates(entry);
      const comment = memberText(this.text, entry, 'description') || undefined;
      for (const node of entry.children) {
        if (node.name !== message || node.kind !== 'string') continue;
        this.add([...this.path, message], node, comment);
      }
      this.path.pop();
    }
  }

  private add(key: Key, { start, end }: Node, comment: string | undefined): void {
    const { text, encoder } = this;
    const value = decodeString(text, start, end);
    const escaped = end - start - 2 !== value.length;
    const encode = escaped ? valueEncoder(encoder, text.slice(start, end)) : encoder;
    this.messages.push({ key, value, span: { start, end }, syntax: 'plain', comment, encode });
  }

  private descriptions(root: Node): ReadonlyMap<string, string> {
    const notes = new Map<string, string>();
    for (const entry of root.children) {
      if (entry.kind !== 'object' || !entry.name.startsWith('@')) continue;
      const note = memberText(this.text, entry, 'description');
      if (note) notes.set(entry.name.slice(1), note);
    }
    return notes;
  }

  private warnOfDuplicates(container: Node): void {
    if (container.children.length < 2) return;
    const names = new Set<string>();
    for (const { name, nameStart } of container.children) {
      if (names.has(name)) {
        this.warnings.push({ rule: 'duplicate-key', key: [...this.path, name], offset: nameStart });
      }
      names.add(name);
    }
  }

  private refuse(node: Node): never {
    throw new DragomanError('limit_exceeded', 'the document has too many deeply nested values', {
      at: positionAt(this.text, node.start),
    });
  }
}
