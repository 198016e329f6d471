import type { MessageNode } from '../text/node.ts';
import { parseValue } from '../text/parse.ts';
import type { Syntax } from '../text/syntax.ts';
import { pairTags } from '../text/tag.ts';

/** A part of a value: words, or a placeholder or tag that translators move as a whole. */
export type ValuePiece = string | InlineCode;

export interface InlineCode {
  /** Both ends of a pair have the same id. */
  readonly id: number;
  readonly end: 'both' | 'open' | 'close';
  /** The code in the notation of the value. */
  readonly raw: string;
}

/**
 * Splits a source and its translation into pieces, whose concatenation gives both values. Equal codes have the same id
 * in both; ids of codes that only the translation has follow those of the source.
 */
export function codedPieces(
  source: string,
  translation: string,
  syntax: Syntax,
): { readonly source: readonly ValuePiece[]; readonly translation: readonly ValuePiece[] } {
  const from = new CodeNumbers();
  const pieces = piecesOf(source, syntax, (code) => from.add(code));
  return { source: pieces, translation: piecesOf(translation, syntax, (code) => from.take(code)) };
}

type NumberCode = (code: string) => number;

function piecesOf(value: string, syntax: Syntax, numberOf: NumberCode): readonly ValuePiece[] {
  const [part, ...others] = parseValue(value, syntax).parts;
  // Translators edit the titles of links as text, and also branches, because languages need different branches.
  if (!part || others.length > 0 || part.separator !== '' || part.nodes.some(isNested)) return [value];
  const pairs = pairTags(part.nodes);
  const ids = new Map<number, number>();
  const pieces: ValuePiece[] = [];
  for (const [at, node] of part.nodes.entries()) {
    if (node.type === 'complex') continue;
    const { raw } = node;
    const partner = pairs.get(at);
    if (!isCode(node)) {
      const last = pieces.at(-1);
      if (typeof last === 'string') pieces[pieces.length - 1] = last + raw;
      else pieces.push(raw);
    } else if (partner === undefined) pieces.push({ id: numberOf(raw), end: 'both', raw });
    else if (partner > at) {
      const other = part.nodes[partner];
      const id = numberOf(`${raw}\0${other && 'raw' in other ? other.raw : ''}`);
      ids.set(at, id);
      pieces.push({ id, end: 'open', raw });
    } else pieces.push({ id: ids.get(partner) ?? 0, end: 'close', raw });
  }
  return pieces;
}

function isNested(node: MessageNode): boolean {
  return node.type === 'complex' || (node.type === 'close' && node.aside !== undefined);
}

/** Excludes escapes, entities and links, which change with the words, so that translators write them. */
const PROTECTED: ReadonlySet<string> = new Set(['argument', 'printf', 'pound', 'tag']);

function isCode(node: MessageNode): boolean {
  return node.type === 'open' || node.type === 'close' || (node.type === 'code' && PROTECTED.has(node.kind));
}

class CodeNumbers {
  readonly #free = new Map<string, number[]>();
  #last = 0;

  add(code: string): number {
    const id = ++this.#last;
    const free = this.#free.get(code) ?? [];
    this.#free.set(code, free);
    free.push(id);
    return id;
  }

  take(code: string): number {
    return this.#free.get(code)?.shift() ?? ++this.#last;
  }
}
