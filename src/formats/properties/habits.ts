import type { Pair } from './pairs.ts';

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
