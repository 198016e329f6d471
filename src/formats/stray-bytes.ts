import { utf8LengthAt } from '../base/utf8.ts';

/**
 * Represents a byte that is not UTF-8, in a file that is UTF-8 otherwise: a lone surrogate, U+DC00 plus the byte, which
 * cannot occur in UTF-8 text and is written back as the same byte.
 */
const BASE = 0xdc00;
/** The second half of a surrogate pair is not a stray byte. */
const STRAY = /(?<![\ud800-\udbff])[\udc80-\udcff]/g;

export interface StrayDecoding {
  readonly text: string;
  /** The number of UTF-8 characters beyond ASCII. */
  readonly characters: number;
  /** The number of bytes that are not part of a character. */
  readonly strays: number;
}

export function decodeStrayBytes(bytes: Buffer): StrayDecoding {
  const parts: string[] = [];
  let characters = 0;
  let strays = 0;
  let start = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = utf8LengthAt(bytes, at);
    if (length > 1) characters++;
    if (length === 0) {
      strays++;
      parts.push(bytes.toString('utf8', start, at), String.fromCharCode(BASE + (bytes[at] ?? 0)));
      start = at + 1;
    }
    at += Math.max(length, 1);
  }
  parts.push(bytes.toString('utf8', start));
  return { text: parts.join(''), characters, strays };
}

export function encodeStrayBytes(text: string): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const { index, byte } of findStrayBytes(text)) {
    parts.push(Buffer.from(text.slice(at, index)), Buffer.of(byte));
    at = index + 1;
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(at))]);
}

export interface StrayByte {
  readonly index: number;
  readonly byte: number;
}

/** The stray bytes of a text, in order. */
export function findStrayBytes(text: string): readonly StrayByte[] {
  if (text.isWellFormed()) return [];
  return Array.from(text.matchAll(STRAY), ({ index }) => ({ index, byte: text.charCodeAt(index) - BASE }));
}

/** The text with its stray bytes decoded as ISO-8859-1, of the same length. */
export function readStrayBytes(text: string): string {
  if (text.isWellFormed()) return text;
  return text.replace(STRAY, (unit) => String.fromCharCode(unit.charCodeAt(0) - BASE));
}
