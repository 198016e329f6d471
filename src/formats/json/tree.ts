import { DragomanError } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import { checkString, refuse, skipTrivia } from './characters.ts';

/** Deeper files are attacks or accidents; the bound keeps recursion over the tree safe. */
const MAX_DEPTH = 500;

/** A value and where it stands; a member of an object or an element of an array, unless it is the root. */
export interface Node {
  readonly kind: 'string' | 'object' | 'array' | 'statements' | 'other';
  /** The decoded member name, the index of an array's element, empty for the root. */
  readonly name: string;
  /** Start of the member: of its name in an object, else of the value. */
  readonly nameStart: number;
  /** End of the name's closing quote, or `nameStart` where there is no name. */
  readonly nameEnd: number;
  readonly start: number;
  readonly end: number;
  /** Its members have no place of their own in another document: they come and go together. */
  readonly isWhole?: boolean;
  /** Members or elements of a container; empty for all others. */
  readonly children: readonly Node[];
}

const NONE: readonly Node[] = [];

/** Takes the members of one object in the root as soon as each is read. */
export interface MemberTaking {
  /** The object's name; of several objects of that name the first one. */
  readonly of: string;
  /**
   * @param before the members of the root that stand before the object
   * @returns whether the member may be dropped
   */
  take(member: Node, before: readonly Node[]): boolean;
}

/**
 * Reads JSON with comments and trailing commas.
 *
 * @throws DragomanError `unreadable_input`, or `limit_exceeded` beyond 500 levels of nesting.
 */
export function parse(text: string, taking?: MemberTaking): Node {
  const start = skipTrivia(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  if (start >= text.length) refuse(text, 0, 'the file is empty', 'A JSON file holds at least {}.');
  const root = new JsonReader(text, taking).readValue('', start, start, start, 0);
  const rest = skipTrivia(text, root.end);
  if (rest < text.length) {
    refuse(text, rest, `unexpected ${found(text, rest)} behind the end of the document`);
  }
  return root;
}

/** The decoded string between two quotes. */
export function decodeString(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes('\\') ? String(JSON.parse(`"${inner}"`)) : inner;
}

class JsonReader {
  readonly #text: string;
  readonly #taking: MemberTaking | undefined;
  #root: readonly Node[] = NONE;

  constructor(text: string, taking: MemberTaking | undefined) {
    this.#text = text;
    this.#taking = taking;
  }

  readValue(name: string, nameStart: number, nameEnd: number, start: number, depth: number): Node {
    const c = this.#text.charCodeAt(start);
    if (c === 0x22) {
      const end = checkString(this.#text, start);
      return { kind: 'string', name, nameStart, nameEnd, start, end, children: NONE };
    }
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
    let at = skipTrivia(text, open + 1);
    for (;;) {
      if (text.charCodeAt(at) === 0x7d) return at + 1;
      if (text.charCodeAt(at) !== 0x22) this.#refuseMember(open, at);
      const nameEnd = checkString(text, at);
      const colon = skipTrivia(text, nameEnd);
      if (text.charCodeAt(colon) !== 0x3a) {
        refuse(text, colon, `expected a colon behind the name, not ${found(text, colon)}`);
      }
      const name = decodeString(text, at, nameEnd);
      const member = this.readValue(name, at, nameEnd, skipTrivia(text, colon + 1), depth + 1);
      if (!taking?.take(member, this.#root)) children.push(member);
      at = this.#endOfItem(open, member.end, 0x7d, 'object');
    }
  }

  #readElements(children: Node[], open: number, depth: number): number {
    const text = this.#text;
    let at = skipTrivia(text, open + 1);
    for (;;) {
      if (text.charCodeAt(at) === 0x5d) return at + 1;
      if (at >= text.length) this.#refuseUnclosed(open, 'array');
      const element = this.readValue(String(children.length), at, at, at, depth + 1);
      children.push(element);
      at = this.#endOfItem(open, element.end, 0x5d, 'array');
    }
  }

  /** Behind the comma, or at the closing bracket. */
  #endOfItem(open: number, end: number, close: number, container: string): number {
    const at = skipTrivia(this.#text, end);
    const c = this.#text.charCodeAt(at);
    if (c === 0x2c) return skipTrivia(this.#text, at + 1);
    if (c === close) return at;
    if (at >= this.#text.length) this.#refuseUnclosed(open, container);
    return refuse(
      this.#text,
      at,
      `expected a comma or the end of the ${container}, not ${found(this.#text, at)}`,
      c === 0x22 ? 'Is a comma missing behind the previous value?' : undefined,
    );
  }

  #endOfLiteral(start: number): number {
    LITERAL.lastIndex = start;
    const literal = LITERAL.exec(this.#text);
    if (literal) return start + literal[0].length;
    const text = this.#text;
    if (start >= text.length) refuse(text, start, 'the document ends where a value is expected');
    const quoted = text.charAt(start) === "'" ? 'JSON strings have double quotes.' : undefined;
    return refuse(text, start, `expected a value, not ${found(text, start)}`, quoted);
  }

  #refuseMember(open: number, at: number): never {
    if (at >= this.#text.length) this.#refuseUnclosed(open, 'object');
    const message = `expected a member name in double quotes, not ${found(this.#text, at)}`;
    return refuse(this.#text, at, message);
  }

  #refuseUnclosed(open: number, container: string): never {
    const { line, column } = positionAt(this.#text, open);
    const message = `the document ends inside the ${container} that line ${line}, column ${column} opens`;
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
