import { requireMerged } from '../base/merge-conflict.ts';
import { DragomanError } from '../base/errors.ts';
import {
  decodeUtf8,
  firstInvalidUtf8,
  invalidBytes,
  unsupportedEncoding,
  wideEncodingOf,
} from '../base/utf8.ts';
import {
  charsetOfLabel,
  declaredCharset as charsetOfHtml,
  decodeWindows1252,
  encodeWindows1252,
  isWindows1252,
} from './html/charset.ts';
import type { FormatDescription } from './description.ts';
import { BINARY_PROPERTY_LIST, binaryPropertyList } from './property-list.ts';
import { decodeStrayBytes, encodeStrayBytes, readStrayBytes } from './stray-bytes.ts';

/** How a file encodes its text. Its translation is written the same way. */
export interface Encoding {
  /** The IANA name in lower case: `utf-8`, `utf-16le`, `iso-8859-1`, `shift_jis`. */
  readonly charset: string;
  readonly bom: boolean;
}

export interface Decoded {
  /** The text without the byte order mark. */
  readonly text: string;
  readonly encoding: Encoding;
  /** Whether the encoding can represent a text; unpaired surrogates never can be. */
  encodable(text: string): boolean;
  /** Encodes a text that {@link encodable} accepts, with the byte order mark of the file. */
  encode(text: string): Uint8Array;
}

/**
 * Files of running text, without keys. Most subtitles cannot declare their encoding and HTML pages often declare a
 * wrong one, so the user may name it.
 */
export type ContentFormat = 'subtitles' | 'html';

/** A format's facts about the encoding of its files. */
type TextTraits = Pick<FormatDescription, 'charset' | 'keepsStrayBytes'>;

/**
 * Detects the encoding of a file and decodes it: by its byte order mark, then its declaration (PO header, XML
 * declaration), then as UTF-8. A page that declares ISO-8859-1 is windows-1252, as in browsers. Files of some formats
 * may contain bytes that are not UTF-8: see {@link decodeMixed}. `charset` is the user's choice, which only a byte
 * order mark overrides.
 *
 * Every byte survives: a file that does not encode back to the same bytes is refused.
 *
 * @throws DragomanError `unreadable_input` at the first invalid byte, and for UTF-32, UTF-16 without a byte order mark,
 * and binary files; the message names the kind
 */
export async function decode(
  bytes: Uint8Array,
  format: TextTraits | ContentFormat,
  charset?: string,
): Promise<Decoded> {
  const decoded = await decodeBytes(bytes, format, charset);
  requireMerged(decoded.text, 'unreadable_input');
  return decoded;
}

async function decodeBytes(
  bytes: Uint8Array,
  format: TextTraits | ContentFormat,
  charset: string | undefined,
): Promise<Decoded> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.toString('latin1', 0, BINARY_PROPERTY_LIST.length) === BINARY_PROPERTY_LIST) {
    throw binaryPropertyList();
  }
  const wide = wideEncodingOf(buffer);
  if (wide?.bom === true && wide.name === 'UTF-16LE') return decodeUtf16(buffer, 'utf-16le');
  if (wide?.bom === true && wide.name === 'UTF-16BE') return decodeUtf16(buffer, 'utf-16be');
  if (wide && (wide.bom || charset === undefined)) throw unsupportedEncoding(wide);
  const bom = buffer.length >= 3 && buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf;
  const label = charset ?? declaredCharset(buffer, format);
  const declared = bom ? 'utf-8' : format === 'html' ? charsetOfLabel(label) : normalise(label);
  if (declared === 'utf-8' || declared === 'us-ascii' || declared === 'ascii') {
    const content = bom ? buffer.subarray(3) : buffer;
    const text = decodeUtf8(content);
    if (text !== undefined) return utf8(text, bom);
    if (!isContent(format) && format.keepsStrayBytes === true) return decodeMixed(content, bom);
    const hint = isContent(format) ? CONTENT_HINT : FILE_HINT;
    throw invalidBytes(buffer, 'UTF-8', firstInvalidUtf8(buffer), { hint });
  }
  if (declared === 'iso-8859-1' || declared === 'latin1') return latin1(buffer);
  if (format === 'html' && declared === 'windows-1252') return windows1252(buffer);
  return decodeLegacy(buffer, declared);
}

function isContent(format: TextTraits | ContentFormat): format is ContentFormat {
  return format === 'subtitles' || format === 'html';
}

function declaredCharset(buffer: Buffer, format: TextTraits | ContentFormat): string {
  const charset =
    format === 'html'
      ? { within: 1024, find: charsetOfHtml }
      : isContent(format)
        ? undefined
        : format.charset;
  return charset?.find(buffer.toString('latin1', 0, charset.within)) ?? 'utf-8';
}

function normalise(charset: string): string {
  const name = charset.toLowerCase();
  return name === 'utf8' ? 'utf-8' : name;
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

/**
 * Decodes a .properties file that is not valid UTF-8. If it has at least as many UTF-8 characters as other bytes, it is
 * UTF-8 with stray bytes, which are kept and read as ISO-8859-1. Additions to it are ASCII, because Java reads such a
 * file as ISO-8859-1 throughout and other readers do not. Otherwise the file is ISO-8859-1.
 */
function decodeMixed(content: Buffer, bom: boolean): Decoded {
  const { text, isUtf8 } = readMixed(content, bom);
  const decoded = isUtf8 ? withStrayBytes(text, bom) : latin1(content);
  const encode = (value: string): Uint8Array => {
    const bytes = Buffer.from(decoded.encode(value));
    const back = readMixed(bom ? bytes.subarray(3) : bytes, bom);
    if (readStrayBytes(back.text) === readStrayBytes(value)) return bytes;
    throw new DragomanError(
      'unencodable_value',
      'the file is partly in UTF-8 and partly in ISO-8859-1, and would be read differently after this change',
      { hint: 'Convert the file to UTF-8.' },
    );
  };
  return { ...decoded, encode };
}

function readMixed(content: Buffer, bom: boolean): { readonly text: string; readonly isUtf8: boolean } {
  const { text, characters, strays } = decodeStrayBytes(content);
  const isUtf8 = bom || strays === 0 || (characters > 0 && characters >= strays);
  return { isUtf8, text: isUtf8 ? text : content.toString('latin1') };
}

function withStrayBytes(text: string, bom: boolean): Decoded {
  const mark = Buffer.from(bom ? '\ufeff' : '');
  return {
    text,
    encoding: { charset: 'utf-8', bom },
    encodable: (value) => !/[^\0-\x7f]/.test(value),
    encode: (value) => Buffer.concat([mark, encodeStrayBytes(value)]),
  };
}

function decodeUtf16(buffer: Buffer, charset: 'utf-16le' | 'utf-16be'): Decoded {
  if (buffer.length % 2 === 1) {
    throw invalidBytes(buffer, charset.toUpperCase(), buffer.length - 1, { hint: FILE_HINT });
  }
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
  const unknown = `unknown encoding ${charset}`;
  if (!iconv.encodingExists(charset)) {
    throw new DragomanError('unreadable_input', unknown, {
      at: { line: 1, column: 1 },
      hint: 'Declare the actual encoding of the file, or convert it to UTF-8.',
    });
  }
  const text = iconv.decode(buffer, charset, { stripBOM: false });
  const back = iconv.encode(text, charset);
  if (!back.equals(buffer)) {
    let at = 0;
    while (back[at] === buffer[at]) at++;
    throw invalidBytes(buffer, charset, at, { hint: FILE_HINT });
  }
  return {
    text,
    encoding: { charset, bom: false },
    encodable: (value) => iconv.decode(iconv.encode(value, charset), charset, { stripBOM: false }) === value,
    encode: (value) => iconv.encode(value, charset),
  };
}

const FILE_HINT = 'Convert the file to UTF-8, or declare its encoding if the format allows that.';
const CONTENT_HINT = 'Name its encoding with --encoding, such as --encoding windows-1252.';
