import { decodeHTML } from 'entities';
import type { BlockPlace } from './block.ts';

/** A character reference, or text that looks like one: the parser decides. */
export const REFERENCE = /&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]{0,63});?/g;

/** A character reference in a source. */
export interface Reference {
  /** The decoded text: one character, rarely two. */
  readonly text: string;
  /** The reference as written: `&copy;`, or `&copy` if the source omits the semicolon. */
  readonly spelling: string;
  /** Text that {@link REFERENCE} matched by mistake: the `right` of `&copyright`. */
  readonly rest: string;
}

/**
 * The reference at the start of `raw`, a match of {@link REFERENCE}; undefined if the parser reads it as text. In
 * attributes, a name without its semicolon is literal before `=`, a letter or a digit: addresses have such parameters
 * (`?a=b&copy=1`).
 *
 * @param next the character after it
 */
export function readReference(
  raw: string,
  place: BlockPlace,
  next: string | undefined,
): Reference | undefined {
  const decoded = decodeHTML(raw);
  if (decoded === raw) return undefined;
  const rest = raw.startsWith('&#') ? '' : commonEnd(raw, decoded);
  if (isAttribute(place) && !raw.startsWith('&#')) {
    const isCut = rest !== '' || (!raw.endsWith(';') && next !== undefined && /[=A-Za-z0-9]/.test(next));
    if (isCut) return undefined;
  }
  return {
    text: decoded.slice(0, decoded.length - rest.length),
    spelling: raw.slice(0, raw.length - rest.length),
    rest,
  };
}

/** Text as displayed. */
export function decodeText(raw: string): string {
  return raw.includes('&') ? decodeHTML(raw) : raw;
}

/** Whether a text is displayed as white space only. */
export function isBlank(raw: string): boolean {
  const text = raw.trim();
  return text === '' || (text.startsWith('&') && decodeText(text).trim() === '');
}

/** Whether a text has letters to translate. */
export function hasLetters(raw: string): boolean {
  // Most texts have a letter before their first reference.
  return /^[^&]*\p{L}/u.test(raw) || (raw.includes('&') && /\p{L}/u.test(decodeText(raw)));
}

function isAttribute(place: BlockPlace): boolean {
  return place !== 'text' && place !== 'preserved';
}

/** Names without a semicolon never decode to a letter or digit, so a common suffix is not part of the name. */
function commonEnd(raw: string, decoded: string): string {
  let length = 0;
  while (length < decoded.length && raw.at(-1 - length) === decoded.at(-1 - length)) length++;
  return raw.slice(raw.length - length);
}
