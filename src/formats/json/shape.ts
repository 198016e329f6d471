import { isMember, messageMember, type EntryShape } from '../entry-shape.ts';
import type { Syntax } from '../../text/syntax.ts';
import type { Node } from './tree.ts';

/**
 * What the structure of a document says about which strings are messages. `values`: every string is. The others name
 * the member of an entry that is one, and where the developer's note stands.
 */
export type Shape = 'values' | 'ARB' | EntryShape;

/** The syntax of all messages of a shape; undefined where each value says it. */
export function syntaxOfShape(shape: Shape): Syntax | undefined {
  return shape === 'values' ? undefined : shape === 'Chrome' ? 'chrome' : 'icu';
}

/** Only clear evidence counts: every entry of the document has the shape, or it is none. */
export function shapeOf(root: Node): Shape {
  if (root.kind === 'object' && isArb(root)) return 'ARB';
  if (root.children.length === 0) return 'values';
  if (root.kind === 'object' && root.children.every((entry) => isEntry(entry, 'Chrome'))) return 'Chrome';
  const formatjs = root.children.every(
    (entry) =>
      isEntry(entry, 'FormatJS') &&
      (root.kind === 'object' || entry.children.some((member) => member.name === 'id')),
  );
  return formatjs ? 'FormatJS' : 'values';
}

function isArb(root: Node): boolean {
  const metadata = root.children.filter(({ name }) => name.startsWith('@'));
  if (metadata.length === 0) return false;
  const messages = new Set(root.children.flatMap(({ kind, name }) => (kind === 'string' ? name : [])));
  return metadata.some(
    ({ kind, name }) =>
      (name === '@@locale' && kind === 'string') || (kind === 'object' && messages.has(name.slice(1))),
  );
}

function isEntry(entry: Node, shape: EntryShape): boolean {
  if (entry.kind !== 'object') return false;
  const message = messageMember(shape);
  return (
    entry.children.every(({ name }) => isMember(shape, name)) &&
    entry.children.some(({ name, kind }) => name === message && kind === 'string')
  );
}

/** The member of an entry with this name, such as its description, if it is a string. */
export function textMember(entry: Node, name: string): Node | undefined {
  return entry.children.find((child) => child.name === name && child.kind === 'string');
}

/** Names that never hold a message: `@@locale` and its like everywhere, ARB's `@key` metadata. */
export function isMetadata(shape: Shape, name: string): boolean {
  return name.startsWith('@@') || (shape === 'ARB' && name.startsWith('@'));
}
