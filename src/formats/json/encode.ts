import { escapeUnits } from '../unicode-escapes.ts';

export type StringEncoder = (value: string) => string;

/** Optional escapes, such as those that HTML-safe writers and PHP use. */
const OPTIONAL: ReadonlyMap<string, string> = new Map([
  ['/', '\\/'],
  ['<', '\\u003c'],
  ['>', '\\u003e'],
  ['&', '\\u0026'],
  ["'", '\\u0027'],
  ['=', '\\u003d'],
]);

/**
 * The encoder for a document's strings, with quotes. A document that escapes all its non-ASCII letters stays ASCII;
 * characters outside the encoding are always escaped.
 */
export function stringEncoder(
  text: string,
  encodable: ((text: string) => boolean) | undefined,
): StringEncoder {
  const spell = letterSpeller(text, encodable);
  // JSON.stringify escapes lone surrogates; scripts that embed JSON need the two line separators escaped.
  return (value) => spell(JSON.stringify(value), /[\u2028\u2029]/g);
}

/**
 * Escapes the letters of an encoded string if the document or its encoding requires it.
 *
 * @param also further characters to escape
 */
export function letterSpeller(
  text: string,
  encodable?: (text: string) => boolean,
): (raw: string, also?: RegExp) => string {
  let style: { readonly ascii: boolean; readonly upper: boolean } | undefined;
  return (given, also) => {
    // Computed on first use: most scans never encode.
    style ??= escapeStyleOf(text);
    const { ascii, upper } = style;
    const escape = (unit: string): string => escapeUnits(unit, upper);
    const raw = also ? given.replace(also, escape) : given;
    if (ascii) return escape(raw);
    if (!encodable || encodable(raw)) return raw;
    return raw.replace(/[^\0-\x7f]/gu, (character) => (encodable(character) ? character : escape(character)));
  };
}

/** An encoded string with the optional escapes that the old string used. */
export function withOptionalEscapes(json: string, old: string): string {
  const wanted = new Map<string, string>();
  for (const [character, escape] of OPTIONAL) {
    const upper = escape.replace(/[c-e]$/, (digit) => digit.toUpperCase());
    if (old.includes(escape)) wanted.set(character, escape);
    else if (old.includes(upper)) wanted.set(character, upper);
  }
  if (wanted.size === 0) return json;
  return json.replace(/[/<>&'=]/g, (character) => wanted.get(character) ?? character);
}

/** Adapts encoded strings of other documents to this one: a document that escapes its letters stays ASCII. */
export function stringSpeller(text: string): (raw: string) => string {
  const { ascii, upper } = escapeStyleOf(text);
  return (raw) => (ascii ? escapeUnits(raw, upper) : raw);
}

function escapeStyleOf(text: string): { ascii: boolean; upper: boolean } {
  const ascii = !/[^\0-\x7f]/.test(text) && /\\u(?:00[89a-f]|0[1-9a-f]|[1-9a-f])/i.test(text);
  const letters = /\\u[0-9]{0,3}([a-fA-F])/.exec(text)?.[1];
  return { ascii, upper: letters !== undefined && letters < 'a' };
}
