import { newlineOf } from '../lines.ts';
import { escapeUnits } from '../unicode-escapes.ts';
import type { Pair } from './pairs.ts';

/** The place of a value. */
interface LinePlace {
  readonly style: FileStyle;
  /** The separator after its key: see `Pair.separator`. */
  readonly separator: 'sign' | 'blank' | 'none';
  /** Whether the value is on a later line than its key, where leading white space is skipped and is not a separator. */
  readonly continued: boolean;
  /** The indentation of the lines after a `\n`, if the old value continues on a new line after each. */
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

/** Writes a value for its place, with a separator if the key had none. */
export function encodeValue(value: string, place: LinePlace): string {
  const { style, separator, broken } = place;
  // Readers skip the leading white space of a line; escaping its first blank preserves it.
  const write = (line: string): string => escapeAll(line, place).replace(/^ /, '\\ ');
  const written =
    broken === undefined
      ? write(value)
      : value
          .split(/(?<=\n)(?!$)/)
          .map(write)
          .join(`\\${style.lineEnd}${broken}`);
  if (separator === 'none') {
    const added = place.continued && style.separator.trim() === '' ? '=' : style.separator;
    return value === '' ? '' : added + guard(written, added);
  }
  return separator === 'blank' ? guard(written, ' ') : written;
}

/** After a separator of white space only, `=` or `:` at the start of the value would be read as the separator. */
function guard(written: string, separator: string): string {
  return /[=:]/.test(separator) ? written : written.replace(/^[=:]/, '\\$&');
}

const SPECIAL =
  /[\\\t\n\r\f\0-\x1f\x7f-\x9f\u2028\u2029\ufeff:=#!]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function escapeAll(line: string, { style, encodable }: LinePlace): string {
  const { ascii, upper, escaped } = style;
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

/** The choices of a file among equivalent spellings. */
export interface FileStyle {
  /** Whether the file is pure ASCII, in which case it must remain so. */
  readonly ascii: boolean;
  /** Whether `\u` escapes use capital digits. */
  readonly upper: boolean;
  /** The separator between key and value, blanks included. */
  readonly separator: string;
  readonly lineEnd: string;
  /** Characters that this file always escapes in values although they need no escape. */
  readonly escaped: ReadonlySet<string>;
}

/** This many pairs are enough to show the file's style. */
export const SAMPLE = 200;

export function styleOf(text: string, pairs: readonly Pair[]): FileStyle {
  const sample = pairs.slice(0, SAMPLE);
  const values = sample.map(({ span }) => text.slice(span.start, span.end)).join('\n');
  const letters = /\\u[0-9]{0,3}([a-fA-F])/.exec(text)?.[1];
  return {
    ascii: isAscii(text),
    upper: letters === undefined || letters < 'a',
    separator: commonSeparator(text, sample),
    lineEnd: newlineOf(text),
    escaped: new Set([':', '=', '#', '!'].filter((sign) => isEscaped(values, sign))),
  };
}

/** Ignores a byte order mark, which is not part of the text. */
export function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
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
