import { DragomanError, type ErrorCode } from './errors.ts';
import { positionAt } from './span.ts';

/** An encoding with two or four bytes per code unit. */
export interface WideEncoding {
  /** iconv's name: `UTF-16LE`, `UTF-32BE`. */
  readonly name: string;
  readonly bom: boolean;
}

/** UTF-32 comes first, because its byte order mark begins with that of UTF-16. */
const BYTE_ORDER_MARKS: readonly (readonly [name: string, bytes: readonly number[]])[] = [
  ['UTF-32LE', [0xff, 0xfe, 0, 0]],
  ['UTF-32BE', [0, 0, 0xfe, 0xff]],
  ['UTF-16LE', [0xff, 0xfe]],
  ['UTF-16BE', [0xfe, 0xff]],
];

/** The pattern of zeros in the first four bytes of a text that begins with two ASCII characters. */
const ZEROS: Readonly<Record<string, string>> = {
  '.000': 'UTF-32LE',
  '000.': 'UTF-32BE',
  '.0.0': 'UTF-16LE',
  '0.0.': 'UTF-16BE',
};

/** Detects UTF-16 and UTF-32 by byte order marks, or by the zeros of the first two characters. */
export function wideEncodingOf(bytes: Uint8Array): WideEncoding | undefined {
  for (const [name, mark] of BYTE_ORDER_MARKS)
    if (mark.every((byte, i) => bytes[i] === byte)) return { name, bom: true };
  const zeros = Array.from(bytes.subarray(0, 4), (byte) => (byte === 0 ? '0' : '.')).join('');
  const name = ZEROS[zeros];
  return name === undefined ? undefined : { name, bom: false };
}

/** The error for a text in an unsupported encoding; the reader adds the file's name. */
export function unsupportedEncoding(
  { name, bom }: WideEncoding,
  code: ErrorCode = 'unreadable_input',
): DragomanError {
  const what = `the text is in ${name}${bom ? '' : ' without a byte order mark'}, which is not supported here`;
  // If the encoding's name has no byte order, iconv uses the byte order mark and drops it.
  const from = bom ? name.slice(0, -2) : name;
  return new DragomanError(code, what, {
    at: { line: 1, column: 1 },
    hint: `Convert it to UTF-8: iconv -f ${from} -t UTF-8 FILE > NEW`,
  });
}

/** Undefined for bytes that are not UTF-8. Keeps a byte order mark in the text. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The text of a file that must be UTF-8, including a byte order mark.
 *
 * @throws DragomanError with the place of the first byte that is not UTF-8; the reader adds the file's name
 */
export function requireUtf8(bytes: Uint8Array, code: ErrorCode = 'unreadable_input'): string {
  const wide = wideEncodingOf(bytes);
  if (wide) throw unsupportedEncoding(wide, code);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw invalidBytes(bytes, 'UTF-8', firstInvalidUtf8(bytes), { code });
  return text;
}

export interface InvalidBytes {
  readonly code?: ErrorCode;
  readonly hint?: string;
}

/** The error for bytes that are invalid in the encoding. @param offset of the first one */
export function invalidBytes(
  bytes: Uint8Array,
  charset: string,
  offset: number,
  { code = 'unreadable_input', hint = 'Convert it to UTF-8.' }: InvalidBytes,
): DragomanError {
  const byte = bytes[offset];
  const what = byte === undefined ? 'ends too early' : `has the byte 0x${byte.toString(16).padStart(2, '0')}`;
  const before = Buffer.from(bytes.buffer, bytes.byteOffset, offset).toString('latin1');
  return new DragomanError(code, `the text is not valid ${charset}: it ${what} here`, {
    at: positionAt(before, offset),
    hint,
  });
}

/** Offset of the first byte that is invalid in UTF-8; the length if all are valid. */
export function firstInvalidUtf8(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = utf8LengthAt(bytes, at);
    if (length === 0) break;
    at += length;
  }
  return at;
}

/** The length of the character at this byte; 0 if the bytes are invalid. */
export function utf8LengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0xff;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  const second = bytes[at + 1] ?? 0;
  // No overlong forms, no surrogates, nothing above U+10FFFF.
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (length === 0 || second < least || second > most) return 0;
  for (let i = 2; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}
