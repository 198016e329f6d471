/** The bytes that a part's written form stands for. */
export interface Transferred {
  readonly bytes: Buffer;
  /** Offsets in the written form where the lines of the decoded bytes begin; for reports. */
  lineStarts(): readonly number[];
}

/** RFC 2045: no line longer than this, the soft line break's `=` included. */
const WIDTH = 76;

const HEX = '0123456789ABCDEF';

/** Decodes as mail programs do: an `=` that begins no escape stands for itself. */
export function decodeQuotedPrintable(written: string): Transferred {
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
 * Writes bytes as quoted-printable. `lineBreak` stands as it is, every other CR or LF is escaped. Lines that begin with
 * two dashes are escaped as well: they can never be taken for a boundary.
 */
export function encodeQuotedPrintable(bytes: Uint8Array, lineBreak: '\r\n' | '\n'): string {
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
