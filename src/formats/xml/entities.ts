import { DragomanError } from '../../base/errors.ts';
import type { Span } from '../../base/span.ts';
import { illegalCharacterIn, nameAt } from './characters.ts';

const MAX_EXPANSION = 64 * 1024;
const MAX_DEPTH = 16;

const PREDEFINED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

export interface EntityDeclaration {
  /** The replacement text with character references resolved; undefined for an external entity, which is never read. */
  readonly replacement: string | undefined;
  /** The declaration in the document. */
  readonly span: Span;
}

interface Measure {
  readonly length: number;
  readonly depth: number;
  /** The expansion holds a `<`. */
  readonly markup: boolean;
}

/** One `&…;` of a text. `character` is undefined when it names an entity that XML itself does not define. */
export interface EntityReference {
  readonly end: number;
  readonly name: string;
  readonly character: string | undefined;
}

/** Reads the reference whose `&` stands at `offset`; undefined when it is not well-formed. */
export function referenceAt(text: string, offset: number): EntityReference | undefined {
  if (text.charCodeAt(offset + 1) === 35) return characterReferenceAt(text, offset);
  const name = nameAt(text, offset + 1);
  const end = offset + 1 + name.length;
  if (name === '' || text.charCodeAt(end) !== 59) return undefined;
  return { end: end + 1, name, character: PREDEFINED.get(name) };
}

const CHARACTER_REFERENCE = /&#(?:x([\da-fA-F]{1,8})|(\d{1,8}));/y;

function characterReferenceAt(text: string, offset: number): EntityReference | undefined {
  CHARACTER_REFERENCE.lastIndex = offset;
  const match = CHARACTER_REFERENCE.exec(text);
  if (!match) return undefined;
  const code = match[1] === undefined ? Number(match[2]) : Number.parseInt(match[1], 16);
  if (code > 0x10ffff) return undefined;
  const character = String.fromCodePoint(code);
  if (illegalCharacterIn(character) >= 0) return undefined;
  return { end: offset + match[0].length, name: match[0].slice(1, -1), character };
}

/** Replaces predefined and character references; those to declared entities stay as written. */
export function decodeReferences(text: string): string {
  return replaceReferences(text, ({ character }, raw) => character ?? raw);
}

export function replaceReferences(
  text: string,
  replace: (reference: EntityReference, raw: string) => string,
): string {
  let at = 0;
  let result = '';
  for (let amp = text.indexOf('&'); amp >= 0; amp = text.indexOf('&', at)) {
    const reference = referenceAt(text, amp);
    const end = reference?.end ?? amp + 1;
    result += text.slice(at, amp) + (reference ? replace(reference, text.slice(amp, end)) : '&');
    at = end;
  }
  return result + text.slice(at);
}

/**
 * The general entities of a document. External ones are known by name and never opened; internal ones are expanded
 * within bounds, and only where their text is needed (attribute values).
 */
export class Entities {
  readonly #declared = new Map<string, EntityDeclaration>();
  readonly #measures = new Map<string, Measure>();
  readonly #checked = new Set<string>();
  /** A reference to an undeclared entity is no error: declarations may stand where they are not read. */
  openEnded = false;

  declare(name: string, declaration: EntityDeclaration): void {
    // The first declaration binds.
    if (!this.#declared.has(name)) this.#declared.set(name, declaration);
  }

  get count(): number {
    return this.#declared.size;
  }

  get(name: string): EntityDeclaration | undefined {
    return this.#declared.get(name);
  }

  /**
   * What the expansion of this entity is like, without expanding it.
   *
   * @throws DragomanError without a place: `limit_exceeded` beyond the bounds, `unreadable_input` when it contains itself
   */
  measure(name: string): Measure {
    return this.#measure(name, new Set());
  }

  /** Has a well-formedness check pass once for each entity; `check` throws where it does not. */
  checkOnce(name: string, check: (replacement: string) => void): void {
    const replacement = this.#declared.get(name)?.replacement;
    if (replacement === undefined || this.#checked.has(name)) return;
    check(replacement);
    this.#checked.add(name);
  }

  #measure(name: string, open: Set<string>): Measure {
    const known = this.#measures.get(name);
    if (known) return known;
    if (open.has(name)) throw new DragomanError('unreadable_input', `entity &${name}; contains itself`);
    if (open.size >= MAX_DEPTH) throw tooDeep(name);
    open.add(name);
    const replacement = this.#declared.get(name)?.replacement ?? '';
    let length = replacement.length;
    let depth = 1;
    let markup = replacement.includes('<');
    replaceReferences(replacement, (reference) => {
      if (reference.character !== undefined) return '';
      const inner = this.#measure(reference.name, open);
      length += inner.length;
      depth = Math.max(depth, inner.depth + 1);
      markup ||= inner.markup;
      return '';
    });
    if (depth > MAX_DEPTH) throw tooDeep(name);
    if (length > MAX_EXPANSION) throw tooLong(name);
    open.delete(name);
    const measure = { length, depth, markup };
    this.#measures.set(name, measure);
    return measure;
  }

  /** The text with every reference replaced. Its references have to be measured before. */
  expand(text: string): string {
    return replaceReferences(text, (reference, raw) => {
      if (reference.character !== undefined) return reference.character;
      const replacement = this.#declared.get(reference.name)?.replacement;
      return replacement === undefined ? raw : this.expand(replacement);
    });
  }
}

/** Bounds what all references of one value expand to together. */
export class ExpansionBudget {
  #left = MAX_EXPANSION;

  spend(name: string, length: number): void {
    this.#left -= length;
    if (this.#left < 0) throw tooLong(name);
  }
}

function tooLong(name: string): DragomanError {
  return new DragomanError('limit_exceeded', `entity &${name}; expands to more than 64 KiB`);
}

function tooDeep(name: string): DragomanError {
  return new DragomanError('limit_exceeded', `entity &${name}; is nested more than ${MAX_DEPTH} deep`);
}
