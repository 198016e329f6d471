import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import { type FindPluralKeys, goPlurals } from '../../text/plural-keys.ts';
import type { Syntax } from '../../text/syntax.ts';
import { type EntryShape, isMember, messageMember } from '../entry-shape.ts';
import { isGoNote, isGoSign, isGoText } from '../go-i18n.ts';
import type { PlaceholderDialect } from '../placeholder-dialect.ts';
import { checkString, skipTrivia } from './characters.ts';
import { startOfText } from '../lines.ts';
import { refuse } from '../refusal.ts';

/** Limits the recursion over the tree. Real files never nest this deep. */
const MAX_DEPTH = 500;

/** A value and its place: a member of an object, an element of an array, or the root. */
export interface Node {
  readonly kind: 'string' | 'object' | 'array' | 'statements' | 'other';
  /** The decoded member name, or the index of an array element; empty for the root. */
  readonly name: string;
  /** Start of the member: of its name in an object, otherwise of the value. */
  readonly nameStart: number;
  /** End of the name's closing quote; `nameStart` without a name. */
  readonly nameEnd: number;
  readonly start: number;
  readonly end: number;
  /** Its members are inserted and removed only together, because they have no place in another document. */
  readonly isWhole?: boolean;
  /**
   * Whether this is an empty container of a language that writes lists and maps in the same way: it may become a list
   * or a map.
   */
  readonly isOpen?: boolean;
  /** Members or elements of a container; empty for other values. */
  readonly children: readonly Node[];
}

const NONE: readonly Node[] = [];

/** The tokens of a notation's objects and arrays. All functions throw `unreadable_input` for malformed tokens. */
export interface Tokens {
  /** The offset after the white space and comments at `at`. */
  skipTrivia(text: string, at: number): number;
  /** The offset after the string at `at`; undefined if no string begins there. */
  endOfString(text: string, at: number): number | undefined;
  /** The offset after the member name at `at`; undefined if no name begins there. */
  endOfName(text: string, at: number): number | undefined;
  /** The offset after the number or word at `at`; undefined if neither begins there. */
  endOfLiteral(text: string, at: number): number | undefined;
  /** The value of a string or name. */
  decode(text: string, start: number, end: number): string;
  /** The expected kind of name, for error messages. */
  readonly nameOfNames: string;
}

const endOfString = (text: string, at: number): number | undefined =>
  text.charCodeAt(at) === 0x22 ? checkString(text, at) : undefined;

const JSON_TOKENS: Tokens = {
  skipTrivia,
  endOfString,
  endOfName: endOfString,
  endOfLiteral: (text, at) => {
    LITERAL.lastIndex = at;
    if (LITERAL.test(text)) return LITERAL.lastIndex;
    if (text.charAt(at) !== "'") return undefined;
    return refuse(text, at, `expected a value, not ${found(text, at)}`, 'JSON strings have double quotes.');
  },
  decode: decodeString,
  nameOfNames: 'a member name in double quotes',
};

/** Receives the members of one object in the root as soon as each is parsed. */
interface MemberTaking {
  /** The object's name; if several objects have it, the first one is used. */
  readonly of: string;
  /**
   * @param before the members of the root before the object
   * @returns whether the member may be dropped
   */
  take(member: Node, before: readonly Node[]): boolean;
}

interface JsonParseOptions {
  /** Default: JSON's tokens. */
  readonly tokens?: Tokens;
  readonly taking?: MemberTaking | undefined;
}

/**
 * Parses JSON with comments and trailing commas, or a notation that differs only in its tokens.
 *
 * @throws DragomanError `unreadable_input`, or `limit_exceeded` beyond 500 levels of nesting
 */
export function parse(text: string, { tokens = JSON_TOKENS, taking }: JsonParseOptions = {}): Node {
  const start = tokens.skipTrivia(text, startOfText(text));
  if (start >= text.length) refuse(text, 0, 'the file is empty', 'Write at least {}, or remove the file.');
  const root = new JsonReader(text, tokens, taking).readValue('', start, start, start, 0);
  const rest = tokens.skipTrivia(text, root.end);
  if (rest < text.length) {
    refuse(text, rest, `unexpected ${found(text, rest)} after the end of the document`);
  }
  return root;
}

/** Parses the member of an object at `start`, in JSON that was parsed before. */
export function parseMember(text: string, start: number): Node {
  const nameEnd = checkString(text, start);
  const value = skipTrivia(text, skipTrivia(text, nameEnd) + 1);
  const name = decodeString(text, start, nameEnd);
  return new JsonReader(text, JSON_TOKENS, undefined).readValue(name, start, nameEnd, value, 1);
}

/** The decoded string between two quotes. */
export function decodeString(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes('\\') ? String(JSON.parse(`"${inner}"`)) : inner;
}

class JsonReader {
  readonly #text: string;
  readonly #tokens: Tokens;
  readonly #taking: MemberTaking | undefined;
  #root: readonly Node[] = NONE;

  constructor(text: string, tokens: Tokens, taking: MemberTaking | undefined) {
    this.#text = text;
    this.#tokens = tokens;
    this.#taking = taking;
  }

  readValue(name: string, nameStart: number, nameEnd: number, start: number, depth: number): Node {
    const c = this.#text.charCodeAt(start);
    const behindString = this.#tokens.endOfString(this.#text, start);
    if (behindString !== undefined)
      return { kind: 'string', name, nameStart, nameEnd, start, end: behindString, children: NONE };
    if (c !== 0x7b && c !== 0x5b) {
      const end = this.#endOfLiteral(start);
      return { kind: 'other', name, nameStart, nameEnd, start, end, children: NONE };
    }
    if (depth >= MAX_DEPTH) {
      throw new DragomanError('limit_exceeded', `the document is nested deeper than ${MAX_DEPTH} levels`, {
        at: positionAt(this.#text, start),
      });
    }
    const children: Node[] = [];
    if (depth === 0) this.#root = children;
    const isObject = c === 0x7b;
    const end = isObject
      ? this.#readMembers(children, start, depth, depth === 1 ? this.#takingOf(name) : undefined)
      : this.#readElements(children, start, depth);
    return { kind: isObject ? 'object' : 'array', name, nameStart, nameEnd, start, end, children };
  }

  #takingOf(name: string): MemberTaking | undefined {
    const isFirst = name === this.#taking?.of && this.#root.every((member) => member.name !== name);
    return isFirst ? this.#taking : undefined;
  }

  #readMembers(children: Node[], open: number, depth: number, taking: MemberTaking | undefined): number {
    const text = this.#text;
    const tokens = this.#tokens;
    let at = tokens.skipTrivia(text, open + 1);
    for (;;) {
      if (text.charCodeAt(at) === 0x7d) return at + 1;
      const nameEnd = tokens.endOfName(text, at) ?? this.#refuseMember(open, at);
      const colon = tokens.skipTrivia(text, nameEnd);
      if (text.charCodeAt(colon) !== 0x3a) {
        refuse(text, colon, `expected a colon after the name, not ${found(text, colon)}`);
      }
      const name = tokens.decode(text, at, nameEnd);
      const member = this.readValue(name, at, nameEnd, tokens.skipTrivia(text, colon + 1), depth + 1);
      if (!taking?.take(member, this.#root)) children.push(member);
      at = this.#endOfItem(open, member.end, 0x7d, 'object');
    }
  }

  #readElements(children: Node[], open: number, depth: number): number {
    const text = this.#text;
    let at = this.#tokens.skipTrivia(text, open + 1);
    for (;;) {
      if (text.charCodeAt(at) === 0x5d) return at + 1;
      if (at >= text.length) this.#refuseUnclosed(open, 'array');
      const element = this.readValue(String(children.length), at, at, at, depth + 1);
      children.push(element);
      at = this.#endOfItem(open, element.end, 0x5d, 'array');
    }
  }

  /** The offset after the comma, or of the closing bracket. */
  #endOfItem(open: number, end: number, close: number, container: string): number {
    const at = this.#tokens.skipTrivia(this.#text, end);
    const c = this.#text.charCodeAt(at);
    if (c === 0x2c) return this.#tokens.skipTrivia(this.#text, at + 1);
    if (c === close) return at;
    if (at >= this.#text.length) this.#refuseUnclosed(open, container);
    return refuse(
      this.#text,
      at,
      `expected a comma or the end of the ${container}, not ${found(this.#text, at)}`,
      c === 0x22 ? 'Is a comma missing after the previous value?' : undefined,
    );
  }

  #endOfLiteral(start: number): number {
    const text = this.#text;
    const end = this.#tokens.endOfLiteral(text, start);
    if (end !== undefined) return end;
    if (start >= text.length) refuse(text, start, 'the document ends where a value is expected');
    return refuse(text, start, `expected a value, not ${found(text, start)}`);
  }

  #refuseMember(open: number, at: number): never {
    if (at >= this.#text.length) this.#refuseUnclosed(open, 'object');
    const message = `expected ${this.#tokens.nameOfNames}, not ${found(this.#text, at)}`;
    return refuse(this.#text, at, message);
  }

  #refuseUnclosed(open: number, container: string): never {
    const { line, column } = positionAt(this.#text, open);
    const message = `the document ends inside the ${container} opened at line ${line}, column ${column}`;
    return refuse(this.#text, this.#text.length, message);
  }
}

const LITERAL =
  /(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![0-9A-Za-z_.$+-])/y;

function found(text: string, at: number): string {
  if (at >= text.length) return 'the end of the file';
  const word = /^[\w.+-]+/.exec(text.slice(at, at + 24))?.[0];
  return JSON.stringify(word ?? String.fromCodePoint(text.codePointAt(at) ?? 0));
}

/**
 * The shape of a document determines which strings are messages. `values`: all of them. Other shapes name the members
 * of an entry that hold the message and the developer's note.
 */
export type Shape = 'values' | 'ARB' | 'VS Code' | 'go-i18n' | EntryShape;

/** The syntax of all messages of a shape; undefined if it depends on each value. */
export function syntaxOfShape(shape: Shape): Syntax | undefined {
  if (shape === 'values' || shape === 'VS Code' || shape === 'go-i18n') return undefined;
  return shape === 'Chrome' ? 'chrome' : 'icu';
}

/** Finds the plural forms among the messages of a shape. */
export function pluralsOf(
  shape: Shape,
  { plurals }: Pick<PlaceholderDialect, 'plurals'>,
): FindPluralKeys | undefined {
  if (shape === 'values') return plurals;
  return shape === 'go-i18n' ? goPlurals : undefined;
}

/** Whether each member of the root, with its metadata, is inserted and removed only as a whole. */
export function hasEntries(shape: Shape): boolean {
  return shape === 'Chrome' || shape === 'FormatJS' || shape === 'VS Code';
}

/** The text of a string node. */
export type TextOf = (node: Node) => string | undefined;

/** Returns a function that decodes a document's strings. */
export function textIn(text: string, decode: Tokens['decode']): TextOf {
  return ({ kind, start, end }) => (kind === 'string' ? decode(text, start, end) : undefined);
}

/**
 * A document with its shape. Elements of a list of entries are named by their ids, because a translation may order them
 * differently.
 */
export function withShape(root: Node, textOf: TextOf): { readonly root: Node; readonly shape: Shape } {
  const shape = shapeOf(root, textOf);
  if (shape === 'values' || root.kind !== 'array') return { root, shape };
  const children = root.children.map((entry) => ({ ...entry, name: idOf(entry, textOf) ?? entry.name }));
  return { root: { ...root, children }, shape };
}

function idOf({ children }: Node, textOf: TextOf): string | undefined {
  const id = children.find(({ name }) => name === 'id');
  return id && textOf(id);
}

/** A shape needs clear evidence: every entry of the document must match it. */
function shapeOf(root: Node, textOf: TextOf): Shape {
  if (root.kind === 'object' && isArb(root)) return 'ARB';
  if (root.children.length === 0) return 'values';
  if (root.kind === 'object' && root.children.every((entry) => isEntry(entry, 'Chrome'))) return 'Chrome';
  if (root.kind === 'object' && isVsCode(root)) return 'VS Code';
  const hasIds = root.kind === 'object' || root.children.every((entry) => idOf(entry, textOf) !== undefined);
  if (!hasIds) return 'values';
  if (root.children.every((entry) => isEntry(entry, 'FormatJS'))) return 'FormatJS';
  return isGoI18n(root, textOf) ? 'go-i18n' : 'values';
}

/**
 * Recognizes lists of entries with an id, and maps of texts and entries. A group of texts may have names such as
 * `other` and `description`, so a map needs several matching entries, or content that only go-i18n writes.
 */
function isGoI18n(root: Node, textOf: TextOf): boolean {
  const entries = root.children.filter(({ kind }) => kind !== 'string');
  if (entries.length === 0 || !entries.every(isGoEntry)) return false;
  if (root.kind === 'array') return true;
  const notes = entries.some(({ children }) => children.some(({ name }) => isGoNote(name)));
  const isSure = (node: Node): boolean =>
    node.kind === 'string' ? isGoSign(node.name, textOf(node) ?? '') : node.children.some(isSure);
  return notes && (entries.length > 1 || isSure(root));
}

function isGoEntry({ kind, children }: Node): boolean {
  const texts = children.filter(({ name }) => isGoText(name));
  return (
    kind === 'object' &&
    texts.length > 0 &&
    texts.every(
      (node) =>
        node.kind === 'string' || (node.name === 'translation' && node.kind === 'object' && isGoEntry(node)),
    ) &&
    children.every((node) => isGoText(node.name) || (isGoNote(node.name) && node.kind === 'string'))
  );
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

/**
 * Recognizes texts, and entries with a message and a comment. A group of texts may have two of these names, so one
 * entry needs a comment list or a name in VS Code's style.
 */
function isVsCode(root: Node): boolean {
  const entries = root.children.filter(({ kind }) => kind !== 'string');
  const isSure = ({ name, children }: Node): boolean =>
    children.some(
      (member) => member.name === 'comment' && (member.kind === 'array' || VSCODE_NAME.test(name)),
    );
  return (
    entries.every(
      (entry) =>
        entry.kind === 'object' &&
        entry.children.every(({ name }) => name === 'message' || name === 'comment') &&
        entry.children.some(({ name, kind }) => name === 'message' && kind === 'string'),
    ) && entries.some(isSure)
  );
}

/**
 * Names in VS Code's style: of settings and commands in `package.nls.json`, and of texts with their comments in
 * `bundle.l10n.json`.
 */
const VSCODE_NAME = /[./]|^(?:displayName|description)$/;

function isEntry(entry: Node, shape: EntryShape): boolean {
  if (entry.kind !== 'object') return false;
  const message = messageMember(shape);
  return (
    entry.children.every(({ name, kind }) => isMember(shape, name) || kind === 'other') &&
    entry.children.some(({ name, kind }) => name === message && kind === 'string')
  );
}

/** Whether a member is a comment: JSON has no others, so the name may occur several times. */
export function isComment({ name, kind }: Node): boolean {
  return kind === 'string' && /^(?:_{1,2}|\$)comment(?:_?\d+)?$/.test(name);
}

/** Whether a member is not a message: comments and `@@locale` everywhere, and `@key` for ARB's metadata. */
export function isMetadata(shape: Shape, node: Node): boolean {
  return node.name.startsWith('@@') || (shape === 'ARB' && node.name.startsWith('@')) || isComment(node);
}
