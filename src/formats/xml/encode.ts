import { DragomanError } from '../../base/errors.ts';
import { illegalCharacterIn } from './characters.ts';

export type Encodable = (text: string) => boolean;

export interface TextStyle {
  /** Whether `>` is written as `&gt;`, as in the old value. */
  readonly escapeGreater: boolean;
  /** Characters that the old value wrote as references, and their spelling: `&#8217;`. */
  readonly references: ReadonlyMap<string, string>;
  readonly lineEnd: string;
  readonly encodable: Encodable | undefined;
}

/** @throws DragomanError `unencodable_value` for characters that XML 1.0 cannot represent */
function requireLegal(value: string): void {
  const at = illegalCharacterIn(value);
  if (at < 0) return;
  const code = value.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  throw new DragomanError('unencodable_value', `XML 1.0 cannot hold the character U+${code}`);
}

/** The value as text between tags. */
export function encodeText(value: string, style: TextStyle): string {
  requireLegal(value);
  const { references } = style;
  if (references.size === 0) return escapeText(value, style);
  let written = '';
  let at = 0;
  for (const { 0: character, index } of value.matchAll(/[^]/gu)) {
    const reference = references.get(character);
    if (reference === undefined) continue;
    written += escapeText(value.slice(at, index), style) + reference;
    at = index + character.length;
  }
  return written + escapeText(value.slice(at), style);
}

function escapeText(value: string, { escapeGreater, lineEnd, encodable }: TextStyle): string {
  let text = value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/\r/g, '&#13;');
  text = escapeGreater ? text.replace(/>/g, '&gt;') : text.replace(/\]\]>/g, ']]&gt;');
  if (lineEnd !== '\n') text = text.replace(/\n/g, lineEnd);
  return replaceUnencodable(text, encodable, (c) => `&#${c.codePointAt(0)};`);
}

/**
 * Writes the value as one CDATA section, or several if it contains `]]>`.
 *
 * @throws DragomanError `unencodable_value` for characters outside the encoding: a CDATA section has no escapes
 */
export function encodeCdata(value: string, { lineEnd, encodable }: TextStyle): string {
  requireLegal(value);
  if (value.includes('\r')) {
    throw new DragomanError('unencodable_value', 'a CDATA section cannot hold a carriage return');
  }
  requireEncodable(value, encodable, 'a CDATA section');
  const text = lineEnd === '\n' ? value : value.replace(/\n/g, lineEnd);
  return `<![CDATA[${text.replace(/\]\]>/g, ']]]]><![CDATA[>')}]]>`;
}

/** @throws DragomanError `unencodable_value` if the file's encoding lacks a character of the value */
export function requireEncodable(value: string, encodable: Encodable | undefined, place: string): void {
  if (!encodable || encodable(value)) return;
  for (const c of value) {
    if (encodable(c)) continue;
    const code = (c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    throw new DragomanError(
      'unencodable_value',
      `the file's encoding lacks U+${code}, and ${place} cannot escape it`,
    );
  }
}

export function replaceUnencodable(
  text: string,
  encodable: Encodable | undefined,
  escape: (character: string) => string,
): string {
  if (!encodable || encodable(text)) return text;
  let result = '';
  for (const c of text) result += encodable(c) ? c : escape(c);
  return result;
}
