import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import { messageMember } from '../entry-shape.ts';
import { isGoNote } from '../go-i18n.ts';
import type { DocumentWarning, Key } from '../format.ts';
import { isComment, isMetadata, type Node, type Shape } from './tree.ts';

/** Keys repeat their parents' segments: without a limit, a wide object deep in a file would exhaust memory. */
const MAX_KEY_SEGMENTS = 16_000_000;

export interface MessageVisitor {
  /**
   * Receives a string that is a message.
   *
   * @param path the array is reused for the next message
   * @param entry the message's entry, in shapes with entries
   */
  message(path: Key, node: Node, entry: Node | undefined): void;
  /** Receives every object with messages, before its messages. */
  object?(path: Key, node: Node): void;
}

/** Visits the messages of a document in file order. */
export function visitMessages(text: string, root: Node, shape: Shape, visitor: MessageVisitor): void {
  const walk = new JsonWalk(text, shape, visitor);
  if (shape === 'Chrome' || shape === 'FormatJS') walk.visitEntries(root, messageMember(shape));
  else if (shape === 'VS Code') walk.visitCommented(root);
  else if (shape === 'go-i18n') walk.visitForms(root);
  else walk.visit(root);
}

class JsonWalk {
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

  visit(node: Node, entry?: Node): void {
    const path = this.#path;
    if (node.kind === 'string') {
      this.#segments += path.length;
      if (this.#segments > MAX_KEY_SEGMENTS) this.#refuse(node);
      this.#visitor.message(path, node, entry);
      return;
    }
    if (node.kind !== 'array') this.#visitor.object?.(path, node);
    for (const child of node.children) {
      if (node.kind === 'object' && isMetadata(this.#shape, child)) continue;
      path.push(child.name);
      this.visit(child, entry);
      path.pop();
    }
  }

  /** The texts of each entry, without its notes. */
  visitForms(root: Node): void {
    const path = this.#path;
    if (root.kind === 'object') this.#visitor.object?.(path, root);
    for (const entry of root.children) {
      if (isComment(entry)) continue;
      path.push(entry.name);
      const isText = entry.kind === 'string';
      const texts = entry.children.filter(({ name }) => !isGoNote(name));
      this.visit(isText ? entry : { ...entry, children: texts }, isText ? undefined : entry);
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

  /** The key of a message does not depend on whether its entry is a plain text or has a comment. */
  visitCommented(root: Node): void {
    this.#visitor.object?.([], root);
    for (const entry of root.children) {
      if (isComment(entry)) continue;
      const path = [entry.name];
      if (entry.kind === 'string') this.#visitor.message(path, entry, undefined);
      else this.#visitor.object?.(path, entry);
      for (const node of entry.children)
        if (node.name === 'message' && node.kind === 'string') this.#visitor.message(path, node, entry);
    }
  }

  #refuse(node: Node): never {
    throw new DragomanError('limit_exceeded', 'the document has too many deeply nested values', {
      at: positionAt(this.#text, node.start),
    });
  }
}

/** Warns of members that have the name of an earlier one. */
export function warnOfDuplicates(path: Key, { children }: Node, warnings: DocumentWarning[]): void {
  if (children.length < 2) return;
  const names = new Set<string>();
  for (const child of children) {
    const { name, nameStart, nameEnd } = child;
    if (nameEnd === nameStart || isComment(child)) continue;
    if (names.has(name)) warnings.push({ rule: 'duplicate-key', key: [...path, name], offset: nameStart });
    names.add(name);
  }
}
