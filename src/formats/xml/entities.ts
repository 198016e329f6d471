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
  /** The place of its declaration. */
  readonly span: Span;
}

interface Measure {
  readonly length: number;
  readonly depth: number;
  /** Whether the expansion contains a `<`. */
  readonly markup: boolean;
}

/** A `&…;` in a text. `character` is undefined for an entity that XML does not predefine. */
export interface EntityReference {
  readonly end: number;
  readonly name: string;
  readonly character: string | undefined;
}

/** Reads the reference whose `&` is at `offset`; undefined if it is malformed. */
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

/** Decodes predefined and character references; keeps references to declared entities. */
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
 * within limits, and only in attribute values.
 */
export class Entities {
  readonly #declared = new Map<string, EntityDeclaration>();
  readonly #measures = new Map<string, Measure>();
  readonly #checked = new Set<string>();
  /** Whether references to undeclared entities are allowed: the declarations may be in a part that is not read. */
  openEnded = false;

  declare(name: string, declaration: EntityDeclaration): void {
    // The first declaration takes precedence.
    if (!this.#declared.has(name)) this.#declared.set(name, declaration);
  }

  get count(): number {
    return this.#declared.size;
  }

  get(name: string): EntityDeclaration | undefined {
    return this.#declared.get(name);
  }

  /**
   * The size of the expansion of this entity, computed without expanding it.
   *
   * @throws DragomanError without a place: `limit_exceeded` beyond the limits, `unreadable_input` if it contains itself
   */
  measure(name: string): Measure {
    return this.#measure(name, new Set());
  }

  /** Runs a well-formedness check once for each entity; `check` throws if it fails. */
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

  /** The text with every reference expanded. Measure its references first. */
  expand(text: string): string {
    return replaceReferences(text, (reference, raw) => {
      if (reference.character !== undefined) return reference.character;
      const replacement = this.#declared.get(reference.name)?.replacement;
      return replacement === undefined ? raw : this.expand(replacement);
    });
  }
}

/** Limits the total expansion of one value's references. */
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
