import { refuse } from '../refusal.ts';
import { skipGap } from '../json/layout.ts';
import type { Node } from '../json/tree.ts';
import { readLiteral } from './encode.ts';
import { MAX_DEPTH, PhpCode, tooDeep } from './lexer.ts';

const NONE: readonly Node[] = [];
const OPENING = /<\?php(?=\s|$)/i;
const WORD = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y;
const VARIABLE = /\$[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y;
/** A constant key: a number, or the name of a constant. */
const PLAIN_KEY = /-?\d+|[A-Za-z_\\][\w\\]*(?:::\w+)?/y;

/** A PHP file with its texts. */
export interface PhpFile {
  readonly code: PhpCode;
  /** The array that the file returns or assigns; otherwise its statements, some of which assign texts. */
  readonly root: Node;
}

/** @throws DragomanError `unreadable_input` or `limit_exceeded` with the place */
export function parsePhp(text: string): PhpFile {
  const opening = OPENING.exec(text);
  if (!opening) refuse(text, 0, 'there is no PHP in this file', 'PHP begins with <?php.');
  const code = new PhpCode(text);
  return { code, root: new PhpReader(code).readFile(opening.index + opening[0].length) };
}

/** The place of a value. */
interface Place {
  readonly name: string;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly start: number;
}

class PhpReader {
  readonly #code: PhpCode;
  readonly #text: string;

  constructor(code: PhpCode) {
    this.#code = code;
    this.#text = code.text;
  }

  readFile(from: number): Node {
    const text = this.#text;
    const assigned: Node[] = [];
    const members: Node[] = [];
    let at = skipGap(this.#code, from);
    while (at < text.length && !text.startsWith('?>', at)) {
      if (wordAt(text, at)?.toLowerCase() === 'return') {
        const array = this.#wholeArray(skipGap(this.#code, at + 'return'.length));
        if (array) return array;
      }
      const variable = match(VARIABLE, text, at);
      const member = variable === undefined ? undefined : this.#readAssignment(at, at + variable.length);
      const isNamed = member !== undefined && member.nameEnd > at + (variable?.length ?? 0);
      if (!isNamed && (member?.kind === 'object' || member?.kind === 'array')) assigned.push(member);
      const end = this.#endOfStatement(member?.end ?? at);
      if (isNamed) members.push(member);
      else
        members.push({
          kind: 'other',
          ...unnamed(at),
          end: text.charAt(end - 1) === ';' ? end - 1 : this.#endOfCode(at, end),
          children: NONE,
        });
      at = skipGap(this.#code, end);
    }
    const [only] = assigned;
    const hasNames = members.some(({ nameStart, nameEnd }) => nameEnd > nameStart);
    if (only && assigned.length === 1 && !hasNames) return only;
    return { kind: 'statements', ...unnamed(from - 1), end: at + 1, children: members };
  }

  /** `$x = …` or `$x['name'] = …`; undefined for other statements. */
  #readAssignment(start: number, variableEnd: number): Node | undefined {
    const code = this.#code;
    let at = skipGap(code, variableEnd);
    let [name, nameEnd] = ['', variableEnd];
    if (this.#text.charAt(at) === '[') {
      const key = this.#readKey(skipGap(code, at + 1));
      if (!key || this.#text.charAt(skipGap(code, key.end)) !== ']') return undefined;
      name = key.name;
      nameEnd = skipGap(code, key.end) + 1;
      at = skipGap(code, nameEnd);
    }
    if (this.#text.charAt(at) !== '=' || /[=>&]/.test(this.#text.charAt(at + 1))) return undefined;
    const value = skipGap(code, at + 1);
    return this.#readValue({ name, nameStart: start, nameEnd, start: value }, ';', 0);
  }

  /** An array that is the entire expression up to the semicolon. */
  #wholeArray(start: number): Node | undefined {
    const node = this.#readValue(unnamed(start), ';', 0);
    return node.kind === 'object' || node.kind === 'array' ? node : undefined;
  }

  /** The offset after the semicolon, or after the block that ends a statement. */
  #endOfStatement(from: number): number {
    const at = this.#code.skipTo(from, ';{', true);
    if (this.#text.charAt(at) === ';') return at + 1;
    if (this.#text.charAt(at) === '{') return this.#code.skipTo(at + 1, '}') + 1;
    if (at < this.#text.length) return at;
    return refuse(
      this.#text,
      from,
      'the last statement is not terminated',
      'A statement ends with a semicolon.',
    );
  }

  /** @param ends the characters that may follow the value */
  #readValue(place: Place, ends: string, depth: number): Node {
    const { start } = place;
    const text = this.#text;
    const end = this.#code.endOfString(start);
    if (end !== undefined) {
      const isText = this.#isFollowedBy(end, ends) && readLiteral(text.slice(start, end)) !== undefined;
      if (isText) return { kind: 'string', ...place, end, children: NONE };
    }
    const open = end === undefined ? this.#openingOfArray(start) : undefined;
    if (open !== undefined) {
      const array = this.#readArray({ ...place, start: open }, depth + 1);
      if (this.#isFollowedBy(array.end, ends)) return array;
      return this.#readCode(place, array.end, ends);
    }
    return this.#readCode(place, end ?? start, ends);
  }

  #readCode(place: Place, from: number, ends: string): Node {
    const stop = this.#code.skipTo(from, ends, ends === ';');
    return { kind: 'other', ...place, end: this.#endOfCode(from, stop), children: NONE };
  }

  /** The end of the code between the two offsets, without trailing blanks and comments. */
  #endOfCode(from: number, stop: number): number {
    let end = from;
    for (let at = skipGap(this.#code, from); at < stop; at = skipGap(this.#code, end)) {
      end = this.#code.endOfString(at) ?? at + 1;
    }
    return end;
  }

  #isFollowedBy(end: number, ends: string): boolean {
    const at = skipGap(this.#code, end);
    if (this.#text.startsWith('?>', at)) return ends === ';';
    return at < this.#text.length && ends.includes(this.#text.charAt(at));
  }

  /** The bracket that opens the array at `start`: `[`, or that of `array(`. */
  #openingOfArray(start: number): number | undefined {
    if (this.#text.charAt(start) === '[') return start;
    if (wordAt(this.#text, start)?.toLowerCase() !== 'array') return undefined;
    const at = skipGap(this.#code, start + 'array'.length);
    return this.#text.charAt(at) === '(' ? at : undefined;
  }

  #readArray(place: Place, depth: number): Node {
    const { start } = place;
    const text = this.#text;
    if (depth > MAX_DEPTH) throw tooDeep(text, start);
    const close = text.charAt(start) === '[' ? ']' : ')';
    const children: Node[] = [];
    const indexes = { next: 0, keyed: 0 };
    let at = skipGap(this.#code, start + 1);
    while (text.charAt(at) !== close) {
      if (at >= text.length) refuse(text, start, 'the array is not closed');
      // `[, $b]` destructures an array.
      if (text.charAt(at) !== ',') {
        const element = this.#readElement(at, `,${close}`, indexes, depth);
        children.push(element);
        at = skipGap(this.#code, element.end);
      }
      if (text.charAt(at) === ',') at = skipGap(this.#code, at + 1);
      else if (text.charAt(at) !== close) refuse(text, at, 'expected a comma or the end of the array');
    }
    const { keyed } = indexes;
    const isMixed = keyed > 0 && keyed < children.length;
    const kind = keyed === 0 && children.length > 0 ? 'array' : 'object';
    const traits = { ...(isMixed && { isWhole: true }), ...(children.length === 0 && { isOpen: true }) };
    return { kind, ...place, end: at + 1, children, ...traits };
  }

  #readElement(start: number, ends: string, indexes: { next: number; keyed: number }, depth: number): Node {
    const key = this.#readKey(start);
    const arrow = key && skipGap(this.#code, key.end);
    if (key && arrow !== undefined && this.#text.startsWith('=>', arrow)) {
      indexes.keyed++;
      if (/^(?:0|[1-9]\d{0,9})$/.test(key.name)) indexes.next = Math.max(indexes.next, Number(key.name) + 1);
      const place = { name: key.name, nameStart: start, nameEnd: key.end };
      return this.#readValue({ ...place, start: skipGap(this.#code, arrow + 2) }, ends, depth);
    }
    const place = { name: String(indexes.next++), nameStart: start, nameEnd: start, start };
    const value = this.#readValue(place, ends, depth);
    // A computed key cannot have a text, either.
    if (value.kind === 'other') indexes.keyed++;
    return value;
  }

  #readKey(start: number): { readonly name: string; readonly end: number } | undefined {
    const end = this.#code.endOfString(start);
    if (end !== undefined) {
      const name = readLiteral(this.#text.slice(start, end));
      return name === undefined ? undefined : { name, end };
    }
    const plain = match(PLAIN_KEY, this.#text, start);
    return plain === undefined ? undefined : { name: plain, end: start + plain.length };
  }
}

function unnamed(start: number): Place {
  return { name: '', nameStart: start, nameEnd: start, start };
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

const wordAt = (text: string, at: number): string | undefined => match(WORD, text, at);
