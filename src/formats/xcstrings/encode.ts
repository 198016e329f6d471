import type { Edit } from '../../base/span.ts';
import { stringEncoder, type StringEncoder } from '../json/encode.ts';
import { indentBefore, lineIndent } from '../json/layout.ts';
import { styleOf, type JsonStyle } from '../json/style.ts';
import { decodeString, type Node } from '../json/tree.ts';

/** The states of a text that was never translated, of one that is, and of one that somebody has to look at. */
export const UNTRANSLATED = 'new';
export const TRANSLATED = 'translated';
export const NEEDS_REVIEW = 'needs_review';

/** A value to be written: a text, an object by its members, a list, or what stands in the file as it stands. */
export type CatalogValue =
  | string
  | { readonly raw: string }
  | { readonly list: readonly CatalogValue[] }
  | { readonly members: ReadonlyMap<string, CatalogValue> };

/** A node of the file as a value. */
export function valueOf(text: string, node: Node): CatalogValue {
  const { kind, start, end, children } = node;
  if (kind === 'string') return decodeString(text, start, end);
  if (kind === 'other') return { raw: text.slice(start, end) };
  if (kind === 'array') return { list: children.map((child) => valueOf(text, child)) };
  return { members: new Map(children.map((child) => [child.name, valueOf(text, child)])) };
}

/** Puts members into the objects of a catalogue, in its own spelling: Xcode's `"key" : value`, or what a script wrote. */
export class MemberWriter {
  readonly #text: string;
  readonly #style: JsonStyle;
  readonly #encode: StringEncoder;
  /** What makes the values: all of them at once would weigh more than the file. */
  readonly #added = new Map<Node, Map<string, () => CatalogValue>>();

  constructor(text: string, root: Node, encodable?: (text: string) => boolean) {
    this.#text = text;
    this.#style = styleOf(text, root);
    this.#encode = stringEncoder(text, encodable);
  }

  /** @param parent an object without a member of this name */
  add(parent: Node, name: string, value: () => CatalogValue): void {
    const members = this.#added.get(parent) ?? new Map<string, () => CatalogValue>();
    this.#added.set(parent, members.set(name, value));
  }

  /** The edits for what was added since this was last called. */
  edits(): readonly Edit[] {
    const edits = [...this.#added].flatMap(([parent, members]) => this.#editsOf(parent, members));
    this.#added.clear();
    return edits;
  }

  #editsOf(parent: Node, members: ReadonlyMap<string, () => CatalogValue>): readonly Edit[] {
    const { children } = parent;
    const names = [...members.keys()].sort();
    const [first] = children;
    if (!first) return [this.#fill(parent, members, names)];
    const text = this.#text;
    const ownLine = indentBefore(text, first.nameStart);
    const blank = this.#style.colon.endsWith(' ') ? ' ' : '';
    const separator = ownLine === undefined ? blank : this.#style.lineEnd + ownLine;
    const indent = ownLine ?? lineIndent(text, parent.start);
    const isSorted = children.every(({ name }, i) => i === 0 || (children[i - 1]?.name ?? '') <= name);
    const behind = new Map<number, string>();
    for (const name of names) {
      const at = isSorted ? children.findIndex((child) => child.name > name) : -1;
      const index = at < 0 ? children.length : at;
      const member = this.#member(name, members.get(name)?.() ?? '', indent);
      const before = behind.get(index) ?? '';
      behind.set(index, index === 0 ? `${before}${member},${separator}` : `${before},${separator}${member}`);
    }
    return [...behind].map(([index, added]) => {
      const at = index === 0 ? first.nameStart : (children[index - 1]?.end ?? parent.end);
      return { span: { start: at, end: at }, text: added };
    });
  }

  /** Into an object that has nothing but white space and comments. */
  #fill(parent: Node, members: ReadonlyMap<string, () => CatalogValue>, names: readonly string[]): Edit {
    const text = this.#text;
    const close = parent.end - 1;
    let start = close;
    while (/\s/.test(text.charAt(start - 1))) start--;
    const outer = lineIndent(text, parent.start);
    const value = { members: new Map(names.map((name) => [name, members.get(name)?.() ?? ''] as const)) };
    // Behind a comment the braces stay where they are, and so does the comment.
    const inner = this.#print(value, outer).slice(1);
    return { span: { start, end: parent.end }, text: inner };
  }

  #member(name: string, value: CatalogValue, indent: string): string {
    return [this.#encode(name), this.#style.colon, this.#print(value, indent)].join('');
  }

  /** Joined, for V8 keeps every part of a text that is put together otherwise: an edit would weigh six times its text. */
  #print(value: CatalogValue, indent: string): string {
    if (typeof value === 'string') return this.#encode(value);
    if ('raw' in value) return value.raw;
    const { spread, lineEnd, unit, colon } = this.#style;
    const inner = indent + unit;
    const parts =
      'list' in value
        ? value.list.map((item) => this.#print(item, inner))
        : [...value.members].map(([name, member]) => this.#member(name, member, inner));
    const [open, close] = 'list' in value ? '[]' : '{}';
    if (!spread) return open + parts.join(colon.endsWith(' ') ? ', ' : ',') + close;
    // Xcode leaves a blank line in what is empty.
    if (parts.length === 0) return open + lineEnd + lineEnd + indent + close;
    return [open, lineEnd, inner, parts.join(`,${lineEnd}${inner}`), lineEnd, indent, close].join('');
  }

  /** An object with nothing in it, as Xcode writes it. */
  empty(node: Node): string {
    return this.#print({ members: new Map() }, lineIndent(this.#text, node.start));
  }
}
