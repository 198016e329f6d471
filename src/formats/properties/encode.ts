import type { Pair } from './pairs.ts';

/** The place a value is written to. */
interface LinePlace {
  readonly habits: Habits;
  /** What ends the key before it: see `Pair.separator`. */
  readonly separator: 'sign' | 'blank' | 'none';
  /** The value stands on a later line than its key, where leading white space is skipped and separates nothing. */
  readonly continued: boolean;
  /** The indentation of the lines after a `\n`, where the old value breaks its line behind each. */
  readonly broken: string | undefined;
  readonly encodable: ((text: string) => boolean) | undefined;
}

const LETTERS: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\f': '\\f',
};

/** A value as text for its place, with the separator where the key had none. */
export function encodeValue(value: string, place: LinePlace): string {
  const { habits, separator, broken } = place;
  // White space that begins a line is skipped by the reader, only the first needs to be kept from that.
  const write = (line: string): string => escapeAll(line, place).replace(/^ /, '\\ ');
  const written =
    broken === undefined
      ? write(value)
      : value
          .split(/(?<=\n)(?!$)/)
          .map(write)
          .join(`\\${habits.lineEnd}${broken}`);
  if (separator === 'none') {
    const added = place.continued && habits.separator.trim() === '' ? '=' : habits.separator;
    return value === '' ? '' : added + guard(written, added);
  }
  return separator === 'blank' ? guard(written, ' ') : written;
}

/** Behind a separator of white space alone, the value's own first sign would be taken for the separator. */
function guard(written: string, separator: string): string {
  return /[=:]/.test(separator) ? written : written.replace(/^[=:]/, '\\$&');
}

const SPECIAL =
  /[\\\t\n\r\f\0-\x1f\x7f-\x9f\u2028\u2029\ufeff:=#!]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function escapeAll(line: string, { habits, encodable }: LinePlace): string {
  const { ascii, upper, escaped } = habits;
  const written = line.replace(SPECIAL, (character) => {
    if (':=#!'.includes(character)) return escaped.has(character) ? `\\${character}` : character;
    return LETTERS[character] ?? escapeUnits(character, upper, 0);
  });
  if (ascii) return escapeUnits(written, upper);
  if (!encodable || encodable(written)) return written;
  return written.replace(/[^\0-\x7f]/gu, (character) =>
    encodable(character) ? character : escapeUnits(character, upper),
  );
}

const ASCII_END = 0x80;
const [BACKSLASH = 0, U = 0] = Buffer.from('\\u');
/** What is written of most values; longer ones get a place of their own. */
const WRITTEN = Buffer.alloc(8192);
const UPPER_DIGITS = Buffer.from('0123456789ABCDEF');
const LOWER_DIGITS = Buffer.from('0123456789abcdef');

/**
 * Writes `\uXXXX` for each code unit from `first` on; below that, where only ASCII may stand, units stay. Written as
 * bytes: a translation into another script is nearly all escapes, and as many strings to join are slow.
 */
export function escapeUnits(text: string, upper: boolean, first = ASCII_END): string {
  const digits = upper ? UPPER_DIGITS : LOWER_DIGITS;
  const bytes = 6 * text.length <= WRITTEN.length ? WRITTEN : Buffer.allocUnsafe(6 * text.length);
  let end = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < first) {
      bytes[end++] = unit;
      continue;
    }
    bytes[end] = BACKSLASH;
    bytes[end + 1] = U;
    for (let digit = 5; digit > 1; digit--)
      bytes[end + digit] = digits[(unit >> (4 * (5 - digit))) & 0xf] ?? 0;
    end += 6;
  }
  return bytes.toString('latin1', 0, end);
}

/** How a file writes what could be written in several ways. */
export interface Habits {
  /** Nothing but ASCII stands in the file: it stays so. */
  readonly ascii: boolean;
  /** Whether the digits of `\u` escapes are capitals. */
  readonly upper: boolean;
  /** What stands between key and value, blanks included. */
  readonly separator: string;
  readonly lineEnd: string;
  /** Signs that need no escape in a value and always have one here. */
  readonly escaped: ReadonlySet<string>;
}

/** So many pairs show a file's habits. */
export const SAMPLE = 200;

export function habitsOf(text: string, pairs: readonly Pair[]): Habits {
  const sample = pairs.slice(0, SAMPLE);
  const values = sample.map(({ span }) => text.slice(span.start, span.end)).join('\n');
  const letters = /\\u[0-9]{0,3}([a-fA-F])/.exec(text)?.[1];
  return {
    ascii: isAscii(text),
    upper: letters === undefined || letters < 'a',
    separator: commonSeparator(text, sample),
    lineEnd: lineEndOf(text) ?? '\n',
    escaped: new Set([':', '=', '#', '!'].filter((sign) => isEscaped(values, sign))),
  };
}

/** Without a byte order mark, which is no character of the file's text. */
export function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
}

export function lineEndOf(text: string): string | undefined {
  return /\r\n|\n|\r/.exec(text)?.[0];
}

function commonSeparator(text: string, pairs: readonly Pair[]): string {
  const counts = new Map<string, number>();
  for (const { line, span, separator } of pairs) {
    if (separator === 'none' || line.pieces.length > 1) continue;
    const found = /[ \t\f]*[=:]?[ \t\f]*$/.exec(
      text.slice(Math.max(line.start, span.start - 20), span.start),
    );
    if (found && found[0] !== '') counts.set(found[0], (counts.get(found[0]) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '=';
}

function isEscaped(values: string, sign: string): boolean {
  const found = values.split(sign);
  return found.length > 1 && found.slice(0, -1).every((before) => before.endsWith('\\'));
}
