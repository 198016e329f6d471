import { DragomanError } from '../../base/errors.ts';
import { positionAt, type Span } from '../../base/span.ts';
import { isBlank, type LogicalLine } from './lines.ts';

export interface Pair {
  readonly line: LogicalLine;
  readonly key: string;
  readonly value: string;
  /** The value as written, including continuations. For an empty value, the empty span after the key. */
  readonly span: Span;
  /** The separator after the key: `=` or `:`, white space only, or nothing. */
  readonly separator: 'sign' | 'blank' | 'none';
}

/**
 * @param text the file, with its stray bytes decoded
 * @throws DragomanError `unreadable_input` for a `\u` without four hexadecimal digits
 */
export function readPair(text: string, line: LogicalLine): Pair {
  const { pieces } = line;
  const [only] = pieces;
  if (only && pieces.length === 1) return readWritten(text, text, line, only);
  const joined = pieces.map(({ start, end }) => text.slice(start, end)).join('');
  return readWritten(text, joined, line, { start: 0, end: joined.length });
}

/** @param written contains the pair at `at`: the file itself, or the joined pieces of one line */
function readWritten(text: string, written: string, line: LogicalLine, at: Span): Pair {
  const { start, end } = at;
  const keyEnd = endOfKey(written, start, end);
  let valueStart = skipBlanks(written, keyEnd, end);
  const sign = valueStart < end && isSign(written.charCodeAt(valueStart));
  if (sign) valueStart = skipBlanks(written, valueStart + 1, end);
  const key = written.slice(start, keyEnd);
  const value = written.slice(valueStart, end);
  const offset = valueStart - start;
  return {
    line,
    key: key.includes('\\') ? decode(key, refuseEscape(text, line, 0)) : key,
    value: value.includes('\\') ? decode(value, refuseEscape(text, line, offset)) : value,
    span: { start: startOfValue(text, line.pieces, offset), end: line.end },
    separator: sign ? 'sign' : valueStart > keyEnd ? 'blank' : 'none',
  };
}

/** @param before length of the line before the decoded part */
function refuseEscape(text: string, { pieces }: LogicalLine, before: number): (offset: number) => never {
  return (offset) => {
    throw new DragomanError('unreadable_input', '\\u needs four hexadecimal digits', {
      at: positionAt(text, placeOf(pieces, before + offset)),
      hint: 'A backslash in a text is written \\\\.',
    });
  };
}

function endOfKey(written: string, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const c = written.charCodeAt(at);
    if (isSign(c) || isBlank(c)) return at;
    at += c === 0x5c ? 2 : 1;
  }
  return end;
}

const isSign = (c: number): boolean => c === 0x3d || c === 0x3a;

function skipBlanks(written: string, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(written.charCodeAt(at))) at++;
  return at;
}

/**
 * If the value begins on a continued line, an edit leaves earlier lines unchanged. This does not apply after a bare CR,
 * which would merge with the following LF if the value became empty.
 */
function startOfValue(text: string, pieces: readonly Span[], offset: number): number {
  let place = placeOf(pieces, offset);
  if (pieces.length === 1) return place;
  let index = pieces.findLastIndex(({ start }) => start <= place);
  for (; text.charCodeAt(place - 1) === 0x0d; index--) {
    const before = pieces[index - 1];
    if (!before) break;
    place = before.end;
    if (before.end > before.start) break;
  }
  return place;
}

/** Converts an offset in the joined pieces to the file; at a boundary, to the later line. */
function placeOf(pieces: readonly Span[], offset: number): number {
  let rest = offset;
  let place = 0;
  for (const { start, end } of pieces) {
    if (rest < 0) break;
    place = start + Math.min(rest, end - start);
    rest -= end - start;
  }
  return place;
}

const LETTERS: ReadonlyMap<number, number> = new Map([
  [0x74, 0x09],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x66, 0x0c],
]);

/** Decoded code units, two bytes each. Longer values get a separate buffer. */
const UNITS = Buffer.alloc(8192);

/**
 * In non-Latin scripts a file can consist of `\u` escapes: they are decoded without a string for each.
 *
 * @param raise receives the place of an invalid escape
 */
function decode(written: string, raise: (offset: number) => never): string {
  const units = 2 * written.length <= UNITS.length ? UNITS : Buffer.allocUnsafe(2 * written.length);
  let count = 0;
  let all = 0;
  for (let at = 0; at < written.length; at++) {
    let unit = written.charCodeAt(at);
    if (unit === 0x5c) {
      // A final backslash is not part of the value.
      if (++at >= written.length) break;
      unit = written.charCodeAt(at);
      if (unit === 0x75) {
        unit = at + 4 < written.length ? readHex(written, at + 1) : -1;
        if (unit < 0) raise(at - 1);
        at += 4;
      } else unit = LETTERS.get(unit) ?? unit;
    }
    all |= unit;
    units[2 * count] = unit & 0xff;
    units[2 * count + 1] = unit >> 8;
    count++;
  }
  if (all > 0xff) return units.toString('utf16le', 0, 2 * count);
  for (let i = 1; i < count; i++) units[i] = units[2 * i] ?? 0;
  return units.toString('latin1', 0, count);
}

/** The value of four hexadecimal digits; negative for anything else. */
function readHex(text: string, at: number): number {
  let number = 0;
  for (let i = at; i < at + 4; i++) {
    const c = text.charCodeAt(i);
    const digit =
      c >= 0x30 && c <= 0x39 ? c - 0x30 : (c | 0x20) >= 0x61 && (c | 0x20) <= 0x66 ? (c | 0x20) - 0x57 : -1;
    if (digit < 0) return -1;
    number = number * 16 + digit;
  }
  return number;
}
