import { DragomanError } from '../base/errors.ts';
import { positionAt } from '../base/span.ts';
import type { FormatId } from './format.ts';
import { charsetOfLabel, declaredCharset as charsetOfHtml } from './html/charset.ts';
import { decodeWindows1252, encodeWindows1252, isWindows1252 } from './html/windows-1252.ts';
import { declaredCharset as charsetOfPo } from './po/charset.ts';
import { declaredCharset as charsetOfXml } from './xml/charset.ts';

/** How a file's text lies in bytes. Belongs to the file: a translation of it is written the same way. */
export interface Encoding {
  /** Lower-case IANA name: `utf-8`, `utf-16le`, `iso-8859-1`, `shift_jis`. */
  readonly charset: string;
  readonly bom: boolean;
}

export interface Decoded {
  /** Without the byte order mark. */
  readonly text: string;
  readonly encoding: Encoding;
  /** Whether the encoding can hold a text; unpaired surrogates never can be. */
  encodable(text: string): boolean;
  /** Bytes of a text that {@link encodable} accepts, with the byte order mark the file had. */
  encode(text: string): Uint8Array;
}

const UTF16_BOMS = [
  { bytes: [0xff, 0xfe], charset: 'utf-16le' },
  { bytes: [0xfe, 0xff], charset: 'utf-16be' },
] as const;

/** Files that hold running text, not keys. Subtitles cannot declare their encoding and pages often lie: the user may say it. */
export type ContentFormat = 'srt' | 'vtt' | 'html';

/**
 * Finds the encoding of a file and decodes it: a byte order mark first, then what the file declares (PO header, XML
 * declaration), then UTF-8; a .properties file that is not UTF-8 is ISO-8859-1, as Java reads it, and a page that says
 * ISO-8859-1 is windows-1252, as browsers read it.
 * `charset` is what the user says that the file is in; a byte order mark knows better.
 *
 * Every byte survives: what does not encode back to the same bytes is refused.
 *
 * @throws DragomanError `unreadable_input` at the first byte that does not belong to the encoding.
 */
export async function decode(
  bytes: Uint8Array,
  format: FormatId | ContentFormat,
  charset?: string,
): Promise<Decoded> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const utf16 = UTF16_BOMS.find((bom) => buffer[0] === bom.bytes[0] && buffer[1] === bom.bytes[1]);
  if (utf16) return decodeUtf16(buffer, utf16.charset);
  const bom = buffer.length >= 3 && buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf;
  const label = charset ?? declaredCharset(buffer, format);
  const declared = bom ? 'utf-8' : format === 'html' ? charsetOfLabel(label) : normalise(label);
  if (declared === 'utf-8' || declared === 'us-ascii' || declared === 'ascii') {
    const text = decodeUtf8(bom ? buffer.subarray(3) : buffer);
    if (text !== undefined) return utf8(text, bom);
    if (format === 'properties') return latin1(buffer);
    const hint = format === 'srt' || format === 'vtt' || format === 'html' ? CONTENT_HINT : FILE_HINT;
    throw invalid(buffer, 'UTF-8', firstInvalidUtf8(buffer), hint);
  }
  if (declared === 'iso-8859-1' || declared === 'latin1') return latin1(buffer);
  if (format === 'html' && declared === 'windows-1252') return windows1252(buffer);
  return decodeLegacy(buffer, declared);
}

function declaredCharset(buffer: Buffer, format: FormatId | ContentFormat): string {
  if (format === 'po') return charsetOfPo(buffer.toString('latin1', 0, 65_536)) ?? 'utf-8';
  if (format === 'xml') return charsetOfXml(buffer.toString('latin1', 0, 1024)) ?? 'utf-8';
  if (format === 'html') return charsetOfHtml(buffer.toString('latin1', 0, 1024)) ?? 'utf-8';
  return 'utf-8';
}

function normalise(charset: string): string {
  const name = charset.toLowerCase();
  return name === 'utf8' ? 'utf-8' : name;
}

function decodeUtf8(buffer: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(buffer);
  } catch {
    return undefined;
  }
}

function utf8(text: string, bom: boolean): Decoded {
  return {
    text,
    encoding: { charset: 'utf-8', bom },
    encodable: (value) => value.isWellFormed(),
    encode: (value) => Buffer.from(bom ? `\ufeff${value}` : value, 'utf8'),
  };
}

function latin1(buffer: Buffer): Decoded {
  return {
    text: buffer.toString('latin1'),
    encoding: { charset: 'iso-8859-1', bom: false },
    encodable: (value) => !/[^\u0000-\u00ff]/.test(value),
    encode: (value) => Buffer.from(value, 'latin1'),
  };
}

function windows1252(buffer: Buffer): Decoded {
  return {
    text: decodeWindows1252(buffer),
    encoding: { charset: 'windows-1252', bom: false },
    encodable: isWindows1252,
    encode: encodeWindows1252,
  };
}

function decodeUtf16(buffer: Buffer, charset: 'utf-16le' | 'utf-16be'): Decoded {
  if (buffer.length % 2 === 1) throw invalid(buffer, charset.toUpperCase(), buffer.length - 1);
  const swap = (pairs: Buffer): Buffer => (charset === 'utf-16be' ? Buffer.from(pairs).swap16() : pairs);
  return {
    text: swap(buffer).toString('utf16le', 2),
    encoding: { charset, bom: true },
    encodable: (value) => value.isWellFormed(),
    encode: (value) => swap(Buffer.from(`\ufeff${value}`, 'utf16le')),
  };
}

async function decodeLegacy(buffer: Buffer, charset: string): Promise<Decoded> {
  const { default: iconv } = await import('iconv-lite');
  const unknown = `the encoding ${charset} is not known`;
  if (!iconv.encodingExists(charset)) {
    throw new DragomanError('unreadable_input', unknown, {
      at: { line: 1, column: 1 },
      hint: 'Declare the encoding that the file really has, or convert it to UTF-8.',
    });
  }
  const text = iconv.decode(buffer, charset, { stripBOM: false });
  const back = iconv.encode(text, charset);
  if (!back.equals(buffer)) {
    let at = 0;
    while (back[at] === buffer[at]) at++;
    throw invalid(buffer, charset, at);
  }
  return {
    text,
    encoding: { charset, bom: false },
    encodable: (value) => iconv.decode(iconv.encode(value, charset), charset, { stripBOM: false }) === value,
    encode: (value) => iconv.encode(value, charset),
  };
}

const FILE_HINT = 'Convert the file to UTF-8, or declare its encoding where the format can.';
const CONTENT_HINT = 'Name its encoding with --encoding, such as --encoding windows-1252.';

function invalid(buffer: Buffer, charset: string, offset: number, hint = FILE_HINT): DragomanError {
  const byte = buffer[offset];
  const what = byte === undefined ? 'ends too early' : `has the byte 0x${byte.toString(16).padStart(2, '0')}`;
  return new DragomanError('unreadable_input', `the file is not valid ${charset}: it ${what} here`, {
    at: positionAt(buffer.toString('latin1', 0, offset), offset),
    hint,
  });
}

/** Offset of the first byte that no UTF-8 text can have there. */
function firstInvalidUtf8(buffer: Buffer): number {
  let low = 0;
  let high = buffer.length;
  // A streaming decoder accepts a prefix that ends inside a character, so validity of prefixes is monotonous.
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, middle), { stream: true });
      low = middle;
    } catch {
      high = middle - 1;
    }
  }
  return startOfCharacter(buffer, low);
}

/** The lead byte of the character that is cut off at `end`; `end` itself when none is. */
function startOfCharacter(buffer: Buffer, end: number): number {
  for (let back = 1; back <= 3; back++) {
    const byte = buffer[end - back] ?? 0;
    if (byte < 0x80) return end;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (byte >= 0xc0) return length > back ? end - back : end;
  }
  return end;
}
