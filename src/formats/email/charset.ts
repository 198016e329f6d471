import { decodeUtf8 } from '../../base/utf8.ts';
import iconv from 'iconv-lite';
import libmime from 'libmime';

/** A text, and the charset that its bytes actually have. */
export interface DecodedText {
  readonly text: string;
  readonly charset: string;
}

/**
 * Decodes the bytes of a part. Without a charset, or with us-ascii for bytes that are not ASCII, UTF-8 is tried, as
 * mail programs do. Undefined if the charset is unknown or the bytes are invalid in it.
 */
export function decodeCharset(bytes: Buffer, declared: string | undefined): DecodedText | undefined {
  const charset = (declared ?? 'us-ascii').trim().toLowerCase();
  if (isAscii(charset) || isUtf8(charset)) {
    const text = decodeUtf8(bytes);
    if (text === undefined) return undefined;
    return { text, charset: isAscii(charset) && isAsciiText(text) ? 'us-ascii' : 'utf-8' };
  }
  const text = decodeLegacy(bytes, charset);
  return text === undefined || text.includes('\ufffd') ? undefined : { text, charset };
}

/** The bytes of `text` in a charset; undefined when the charset cannot hold it. */
export function encodeCharset(text: string, charset: string): Buffer | undefined {
  if (isAscii(charset)) return isAsciiText(text) ? Buffer.from(text, 'latin1') : undefined;
  if (isUtf8(charset)) return text.isWellFormed() ? Buffer.from(text, 'utf8') : undefined;
  if (!iconv.encodingExists(charset)) return undefined;
  const bytes = iconv.encode(text, charset);
  return iconv.decode(bytes, charset, { stripBOM: false }) === text ? bytes : undefined;
}

/** Whether the charset encodes ASCII as ASCII, in which case its lines need no transfer encoding. */
export function isLineSafe(charset: string): boolean {
  return !/^(?:utf-?(?:16|32|7)|ucs)/.test(charset);
}

function decodeLegacy(bytes: Buffer, charset: string): string | undefined {
  // The only charset of old mail that iconv-lite lacks.
  if (charset.startsWith('iso-2022-jp')) {
    return String(libmime.decodeWord(charset, 'B', bytes.toString('base64')));
  }
  return iconv.encodingExists(charset) ? iconv.decode(bytes, charset, { stripBOM: false }) : undefined;
}

function isAscii(charset: string): boolean {
  return charset === 'us-ascii' || charset === 'ascii';
}

function isUtf8(charset: string): boolean {
  return charset === 'utf-8' || charset === 'utf8';
}

function isAsciiText(text: string): boolean {
  return !/[^\u0000-\u007f]/.test(text);
}
