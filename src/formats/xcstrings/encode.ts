import type { Edit } from '../../base/span.ts';
import { stringEncoder, type StringEncoder } from '../json/encode.ts';
import { lineIndent } from '../json/layout.ts';
import { indentAt } from '../lines.ts';
import { styleOf, type JsonStyle } from '../json/style.ts';
import { decodeString, type Node } from '../json/tree.ts';

/** The states of texts that are untranslated, translated, and in need of review. */
export const UNTRANSLATED = 'new';
export const TRANSLATED = 'translated';
export const NEEDS_REVIEW = 'needs_review';

/** A value to write: a text, an object, a list, or a copy of the file's text. */
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

/** Inserts members into the objects of a catalogue in its own spelling: Xcode's `"key" : value`, or a script's. */
export class MemberWriter {
  readonly #text: string;
  readonly #style: JsonStyle;
  readonly #encode: StringEncoder;
  /** Functions that create the values: all values at once would take more memory than the file. */
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

  /** The edits for members added since the last call. */
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
    const ownLine = indentAt(text, first.nameStart);
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

  /** Fills an object that contains only white space and comments. */
  #fill(parent: Node, members: ReadonlyMap<string, () => CatalogValue>, names: readonly string[]): Edit {
    const text = this.#text;
    const close = parent.end - 1;
    let start = close;
    while (/\s/.test(text.charAt(start - 1))) start--;
    const outer = lineIndent(text, parent.start);
    const value = { members: new Map(names.map((name) => [name, members.get(name)?.() ?? ''] as const)) };
    // The opening brace and any comments stay in place before the new members.
    const inner = this.#print(value, outer).slice(1);
    return { span: { start, end: parent.end }, text: inner };
  }

  #member(name: string, value: CatalogValue, indent: string): string {
    return [this.#encode(name), this.#style.colon, this.#print(value, indent)].join('');
  }

  /**
   * Joined at once, because V8 keeps every part of a concatenated string: an edit would take six times the memory of
   * its text.
   */
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
    // Xcode writes a blank line in an empty object.
    if (parts.length === 0) return open + lineEnd + lineEnd + indent + close;
    return [open, lineEnd, inner, parts.join(`,${lineEnd}${inner}`), lineEnd, indent, close].join('');
  }

  /** An empty object, as Xcode writes it. */
  empty(node: Node): string {
    return this.#print({ members: new Map() }, lineIndent(this.#text, node.start));
  }
}
