import { DragomanError } from '../../base/errors.ts';
import { positionAt, type Span } from '../../base/span.ts';
import { readStrayBytes } from '../stray-bytes.ts';
import { isBlank, type Line } from './lines.ts';

export interface Pair {
  readonly line: Line;
  readonly key: string;
  readonly value: string;
  /** The value as written, continuations included. Empty behind the key where there is none. */
  readonly span: Span;
  /** What ends the key: `=` or `:`, white space alone, or nothing at all. */
  readonly separator: 'sign' | 'blank' | 'none';
}

/** @throws DragomanError `unreadable_input` for a `\u` without four hexadecimal digits. */
export function readPair(text: string, line: Line): Pair {
  const { pieces } = line;
  const [only] = pieces;
  const joined = readStrayBytes(
    only && pieces.length === 1
      ? text.slice(only.start, only.end)
      : pieces.map(({ start, end }) => text.slice(start, end)).join(''),
  );
  const keyEnd = endOfKey(joined);
  const { valueStart, separator } = findValue(joined, keyEnd);
  const raise = (offset: number): never => {
    throw new DragomanError('unreadable_input', '\\u needs four hexadecimal digits', {
      at: positionAt(text, placeOf(pieces, offset)),
      hint: 'A backslash in a text is written \\\\.',
    });
  };
  return {
    line,
    key: decode(joined, 0, keyEnd, raise),
    value: decode(joined, valueStart, joined.length, raise),
    span: { start: startOfValue(text, pieces, valueStart), end: line.end },
    separator,
  };
}

function endOfKey(joined: string): number {
  let at = 0;
  while (at < joined.length) {
    const c = joined.charCodeAt(at);
    if (c === 0x3d || c === 0x3a || isBlank(c)) return at;
    at += c === 0x5c ? 2 : 1;
  }
  return joined.length;
}

function findValue(joined: string, keyEnd: number): Pick<Pair, 'separator'> & { valueStart: number } {
  let at = keyEnd;
  while (isBlank(joined.charCodeAt(at))) at++;
  const c = joined.charCodeAt(at);
  const sign = c === 0x3d || c === 0x3a;
  if (sign) at++;
  while (isBlank(joined.charCodeAt(at))) at++;
  return { valueStart: at, separator: sign ? 'sign' : at > keyEnd ? 'blank' : 'none' };
}

/**
 * Where the value begins on a continued line, an edit leaves the lines before it alone. Not behind a bare CR: with an
 * empty value it would become one line end with the LF that follows.
 */
function startOfValue(text: string, pieces: readonly Span[], offset: number): number {
  let place = placeOf(pieces, offset);
  let index = pieces.findLastIndex(({ start }) => start <= place);
  for (; text.charCodeAt(place - 1) === 0x0d; index--) {
    const before = pieces[index - 1];
    if (!before) break;
    place = before.end;
    if (before.end > before.start) break;
  }
  return place;
}

/** The place in the file of an offset in the joined pieces; of two, the later line. */
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

/** So many code units become a string at once: they travel as arguments. */
const CHUNK = 4096;

/** A file of another script than Latin is nothing but `\u` escapes: they are read without a string for each. */
function decode(joined: string, start: number, end: number, raise: (offset: number) => never): string {
  const escape = joined.indexOf('\\', start);
  if (escape < 0 || escape >= end) return joined.slice(start, end);
  let decoded = joined.slice(start, escape);
  let units: number[] = [];
  for (let at = escape; at < end; at++) {
    let unit = joined.charCodeAt(at);
    if (unit === 0x5c) {
      // A backslash that ends the value is none of it.
      if (++at >= end) break;
      unit = joined.charCodeAt(at);
      if (unit === 0x75) {
        unit = at + 4 < end ? readHex(joined, at + 1) : -1;
        if (unit < 0) raise(at - 1);
        at += 4;
      } else unit = LETTERS.get(unit) ?? unit;
    }
    if (units.push(unit) === CHUNK) {
      decoded += String.fromCharCode(...units);
      units = [];
    }
  }
  return decoded + String.fromCharCode(...units);
}

/** The number that four hexadecimal digits write; negative for anything else. */
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
