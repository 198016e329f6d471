import { AndroidReader, escapeUnit } from './android-escapes.ts';
import { illegalCharacterIn, normalizeLineEnds } from './characters.ts';
import { replaceUnencodable, requireEncodable, type Encodable } from './encode.ts';
import { referenceAt, replaceReferences } from './entities.ts';
import { type FragmentPiece, piecesOf } from './fragment.ts';
import type { Span } from '../../base/span.ts';
import type { XmlElement, XmlTree } from './tree.ts';

export interface AndroidMarkup {
  /** XML source: tags and references as written, resource escapes decoded. */
  readonly value: string;
  /** The text is enclosed in one pair of double quotes that no style tag interrupts. */
  readonly quoted: boolean;
}

const isStyle = ({ type, name }: FragmentPiece): boolean => type === 'tag' && !name.includes(':');

/** Decodes the part of an element's content within `span`. */
export function decodeAndroidMarkup(tree: XmlTree, element: XmlElement, span: Span): AndroidMarkup {
  const reader = new AndroidReader(showDecoded);
  const pieces = piecesOf(element);
  for (const piece of pieces) {
    const source = tree.text.slice(
      Math.max(piece.span.start, span.start),
      Math.min(piece.span.end, span.end),
    );
    if (piece.type === 'text') pushText(reader, normalizeLineEnds(source));
    else if (piece.type === 'tag') reader.copy(normalizeLineEnds(source), isStyle(piece));
    else reader.copyText(normalizeLineEnds(source));
  }
  reader.flush();
  const raw = tree.text.slice(span.start, span.end);
  const quoted =
    reader.quotes.length === 2 && raw.startsWith('"') && raw.endsWith('"') && !pieces.some(isStyle);
  return { value: reader.value, quoted };
}

function pushText(reader: AndroidReader, source: string): void {
  let at = 0;
  for (let amp = source.indexOf('&'); amp >= 0; amp = source.indexOf('&', at)) {
    reader.pushText(source.slice(at, amp));
    const reference = referenceAt(source, amp);
    at = reference?.end ?? amp + 1;
    const raw = source.slice(amp, at);
    if (reference?.character === undefined) reader.copyText(raw);
    else reader.push(reference.character, raw);
  }
  reader.pushText(source.slice(at));
  reader.flush();
}

/** A decoded `\u003C` is text, which is escaped in XML source. Characters that XML cannot represent stay escapes. */
function showDecoded(character: string): string {
  if (character === '&') return '&amp;';
  if (character === '<') return '&lt;';
  if (character === '>') return '&gt;';
  return /[\ud800-\udfff]/.test(character) || illegalCharacterIn(character) < 0
    ? character
    : escapeUnit(character);
}

/** The inverse of {@link decodeAndroidMarkup}, for a fragment whose root contains the new value. */
export function encodeAndroidMarkup(
  fragment: XmlTree,
  quoted: boolean,
  lineEnd: string,
  encodable: Encodable | undefined,
): string {
  const pieces = piecesOf(fragment.root);
  const quotes = quoted && !pieces.some(isStyle);
  const writer = new TextWriter(fragment.root.openEnd, fragment.root.closeStart, quotes);
  let result = '';
  for (const piece of pieces) {
    const source = fragment.text.slice(piece.span.start, piece.span.end);
    if (piece.type === 'text') {
      result += replaceUnencodable(writer.write(source, piece.span), encodable, escapeUnit);
      continue;
    }
    requireEncodable(source, encodable, 'markup');
    result += lineEnd === '\n' ? source : source.replace(/\n/g, lineEnd);
    if (piece.type === 'other' || isStyle(piece)) writer.space = false;
  }
  return quotes ? `"${result}"` : result;
}

/**
 * Escapes the text between tags. A space that would be collapsed is written as `\u0020`, because quotes do not extend
 * across tags.
 */
class TextWriter {
  /** The text so far ends in a bare space, which would merge with a following one. */
  space = false;
  readonly #start: number;
  readonly #end: number;
  readonly #quotes: boolean;

  constructor(start: number, end: number, quotes: boolean) {
    this.#start = start;
    this.#end = end;
    this.#quotes = quotes;
  }

  write(source: string, span: Span): string {
    const escaped = replaceReferences(
      source.replace(/[\\"'\n\t\r]/g, (c) => this.#escape(c)),
      (reference, raw) =>
        reference.character !== undefined && /[\\"']/.test(reference.character) ? `\\${raw}` : raw,
    );
    const text = span.start === this.#start ? escapeStart(escaped) : escaped;
    const spaced = text.replace(/ +/g, (run, offset: number) => {
      const first = offset > 0 ? ' ' : this.space || span.start === this.#start ? '\\u0020' : ' ';
      const last = offset + run.length === text.length && span.end === this.#end;
      if (run.length === 1) return last ? '\\u0020' : first;
      return first + '\\u0020'.repeat(run.length - 1);
    });
    this.space = spaced.endsWith(' ');
    return spaced;
  }

  #escape(c: string): string {
    if (c === '\n') return '\\n';
    if (c === '\t') return '\\t';
    if (c === '\r') return escapeUnit(c);
    return c === "'" && this.#quotes ? c : `\\${c}`;
  }
}

/** A value that starts with `@` or `?` would be read as a resource reference. */
function escapeStart(text: string): string {
  const first = text.startsWith('&') ? referenceAt(text, 0)?.character : text.charAt(0);
  return first === '@' || first === '?' ? `\\${text}` : text;
}
