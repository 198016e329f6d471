import { DragomanError } from '../../base/errors.ts';

/** How a part's bytes are encoded (RFC 2045). */
export type TransferEncoding = '7bit' | '8bit' | 'binary' | 'quoted-printable' | 'base64';

/** The encoding that a Content-Transfer-Encoding field names; undefined for an unsupported one. */
export function transferEncodingOf(value: string): TransferEncoding | undefined {
  switch (value) {
    case '':
    case '7bit':
      return '7bit';
    case '8bit':
    case 'binary':
    case 'quoted-printable':
    case 'base64':
      return value;
    default:
      return undefined;
  }
}

/** A defect in base64 text, with its position. */
export class TransferError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/**
 * Decodes `written`; one character is one byte. Invalid quoted-printable escapes are kept literally, as mail programs
 * do.
 *
 * @throws TransferError for truncated base64 and for invalid characters in it
 */
export function decodeTransfer(written: string, encoding: TransferEncoding): Transferred {
  if (encoding === 'base64') return decodeBase64(written);
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(written);
  const bytes = Buffer.from(written, 'latin1');
  return { bytes, lineStarts: () => startsAfter(bytes, (offset) => offset) };
}

/** Encodes bytes in the style of `original`: its line width, line breaks and ending. */
export function encodeTransfer(bytes: Buffer, encoding: TransferEncoding, original: string): string {
  if (encoding === 'base64') return encodeBase64(bytes, original);
  if (encoding !== 'quoted-printable') return bytes.toString('latin1');
  return encodeQuotedPrintable(bytes, original.includes('\r\n') ? '\r\n' : '\n');
}

function decodeBase64(written: string): Transferred {
  const wrong = /[^A-Za-z0-9+/=\s]|=(?=\s*[^=\s])/.exec(written);
  if (wrong) throw new TransferError('this is not base64', wrong.index);
  const data = written.replace(/\s+/g, '');
  if (data.length % 4 !== 0 || /={3,}$/.test(data)) {
    throw new TransferError('the base64 text is cut off', written.trimEnd().length);
  }
  const bytes = Buffer.from(data, 'base64');
  const lineStarts = (): readonly number[] => {
    let at = 0;
    let characters = 0;
    return startsAfter(bytes, (offset) => {
      const wanted = Math.floor((offset * 4) / 3);
      while (at < written.length && (characters < wanted || isSpace(written.charCodeAt(at)))) {
        if (!isSpace(written.charCodeAt(at))) characters++;
        at++;
      }
      return at;
    });
  };
  return { bytes, lineStarts };
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function encodeBase64(bytes: Buffer, original: string): string {
  const start = original.length - original.trimStart().length;
  const body = original.trim();
  const first = /^\S*/.exec(body)?.[0].length ?? 0;
  const width = body.length > first && first >= 4 && first % 4 === 0 ? Math.min(first, 996) : 76;
  const lineBreak = original.includes('\r\n') || !original.includes('\n') ? '\r\n' : '\n';
  const data = bytes.toString('base64');
  const lines: string[] = [];
  for (let at = 0; at < data.length; at += width) lines.push(data.slice(at, at + width));
  return original.slice(0, start) + lines.join(lineBreak) + original.slice(start + body.length);
}

/** Line starts of `bytes`, mapped to the written form. `locate` is called with ascending offsets. */
function startsAfter(bytes: Buffer, locate: (offset: number) => number): readonly number[] {
  const starts = [locate(0)];
  for (let feed = bytes.indexOf(0x0a); feed !== -1; feed = bytes.indexOf(0x0a, feed + 1)) {
    starts.push(locate(feed + 1));
  }
  return starts;
}

/** The error for the user, with the position in the message. */
export function transferFailure(
  error: TransferError,
  at: { readonly line: number; readonly column: number },
): DragomanError {
  return new DragomanError('unreadable_input', `${error.message} (a text part of the message)`, {
    at,
    hint: 'The message is damaged or cut off: export it again from the mail program.',
    cause: error,
  });
}

/** The decoded bytes of a part. */
interface Transferred {
  readonly bytes: Buffer;
  /** Offsets of the decoded lines in the written form, for reports. */
  lineStarts(): readonly number[];
}

/** RFC 2045: the maximum line length, including the `=` of a soft line break. */
const WIDTH = 76;

const HEX = '0123456789ABCDEF';

/** Decodes as mail programs do: an `=` that does not start an escape is kept literally. */
function decodeQuotedPrintable(written: string): Transferred {
  const bytes = Buffer.alloc(written.length);
  const starts = [0];
  let size = 0;
  for (let at = 0; at < written.length; at++) {
    const code = written.charCodeAt(at);
    if (code === 0x3d) {
      const soft = /=[ \t]*(?:\r?\n|$)/y;
      soft.lastIndex = at;
      const value = hexAt(written, at + 1);
      if (value >= 0) {
        bytes[size++] = value;
        at += 2;
        if (value === 0x0a) starts.push(at + 1);
        continue;
      }
      if (soft.test(written)) {
        at = soft.lastIndex - 1;
        continue;
      }
    }
    bytes[size++] = code;
    if (code === 0x0a) starts.push(at + 1);
  }
  return { bytes: bytes.subarray(0, size), lineStarts: () => starts };
}

function hexAt(text: string, offset: number): number {
  const high = HEX.indexOf(text.charAt(offset).toUpperCase() || ' ');
  const low = HEX.indexOf(text.charAt(offset + 1).toUpperCase() || ' ');
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/**
 * Writes bytes as quoted-printable. Keeps `lineBreak`, and escapes any other CR or LF. Also escapes lines that begin
 * with two dashes, so that they cannot be mistaken for a boundary.
 */
function encodeQuotedPrintable(bytes: Uint8Array, lineBreak: '\r\n' | '\n'): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text
    .split(lineBreak)
    .map((line) => encodeLine(line, lineBreak))
    .join(lineBreak);
}

function encodeLine(line: string, lineBreak: string): string {
  const lines: string[] = [];
  let current = '';
  for (let at = 0; at < line.length; at++) {
    const last = at === line.length - 1;
    const dashes = current === '' && line.startsWith('--', at);
    let unit = dashes ? '=2D' : written(line.charCodeAt(at), last);
    if (current.length + unit.length > (last ? WIDTH : WIDTH - 1)) {
      lines.push(`${current}=`);
      current = '';
      if (line.startsWith('--', at)) unit = '=2D';
    }
    current += unit;
  }
  lines.push(current);
  return lines.join(lineBreak);
}

function written(code: number, last: boolean): string {
  const blank = code === 0x20 || code === 0x09;
  if ((blank && !last) || (code > 0x20 && code < 0x7f && code !== 0x3d)) return String.fromCharCode(code);
  return `=${HEX.charAt(code >> 4)}${HEX.charAt(code & 15)}`;
}
