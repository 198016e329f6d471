import { displayWidth } from '../../base/display-width.ts';
import { DragomanError } from '../../base/errors.ts';
import { decodeUtf8 } from '../../base/utf8.ts';

interface FoldedLayout {
  readonly newline: string;
  /** The indentation of strings after the first. */
  readonly indentation: string;
  /** The column of the first quote, from 0. */
  readonly column: number;
  /** Whether the file folds long lines. */
  readonly wraps: boolean;
}

/** gettext's default width, including quotes. */
const WIDTH = 79;

/**
 * Splits a text into strings: one on the keyword's line if it fits there, otherwise an empty one followed by one string
 * per line.
 */
export function quotePo(value: string, layout: FoldedLayout): string {
  const { newline, indentation, column, wraps } = layout;
  const lines = value.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const whole = escapePo(value);
  const single = lines.length <= 1;
  if (single && (!wraps || column + displayWidth(whole) + 2 <= WIDTH)) return `"${whole}"`;
  const room = WIDTH - displayWidth(indentation) - 2;
  const pieces = lines.flatMap((line) => (wraps ? fold(line, room) : [escapePo(line)]));
  // A piece that cannot be folded does not get shorter on the next line, but gettext moves it there anyway.
  return ['""', ...pieces.map((piece) => `${indentation}"${piece}"`)].join(newline);
}

/** A line may be folded after blanks and between ideographs. */
const UNIT =
  /[^ \u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]+ *|[^ ][\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f\u300d\u300f\uff09\u30fc]* *| +/g;

function fold(line: string, room: number): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let width = 0;
  for (const unit of line.match(UNIT) ?? []) {
    const escaped = escapePo(unit);
    const added = displayWidth(escaped);
    // The width includes blanks at the end of a line, because gettext keeps them inside the quotes.
    if (piece !== '' && width + added > room) {
      pieces.push(piece);
      piece = '';
      width = 0;
    }
    piece += escaped;
    width += added;
  }
  if (piece !== '') pieces.push(piece);
  return pieces;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** An escape. Consecutive byte escapes form one match, because a UTF-8 character can consist of several. */
const ESCAPE = /((?:\\(?:x[0-9A-Fa-f]+|[0-7]{1,3}))+)|\\([\s\S])/g;

/** Decodes the content of one string. An unknown escape represents the character itself. */
export function unescapePo(raw: string): string {
  if (!raw.includes('\\')) return raw;
  return raw.replace(ESCAPE, (_, bytes: string | undefined, letter: string | undefined) =>
    bytes === undefined ? (ESCAPES[letter ?? ''] ?? letter ?? '') : decodeBytes(bytes),
  );
}

function decodeBytes(escapes: string): string {
  const numbers = escapes
    .slice(1)
    .split('\\')
    .map((escape) =>
      escape.startsWith('x')
        ? Number.parseInt(escape.slice(-2).replace('x', ''), 16)
        : Number.parseInt(escape, 8),
    );
  const bytes = Uint8Array.from(numbers);
  return decodeUtf8(bytes) ?? String.fromCharCode(...bytes);
}

export function escapePo(value: string): string {
  return value.replace(/["\\\u0000-\u001f\u007f]/g, escapeCharacter);
}

const NAMES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  ...Object.fromEntries(Object.entries(ESCAPES).map(([letter, character]) => [character, `\\${letter}`])),
};

function escapeCharacter(character: string): string {
  const name = NAMES[character];
  if (name !== undefined) return name;
  if (character === '\u0000') {
    throw new DragomanError('unencodable_value', 'gettext ends a text at U+0000, so no text can contain it');
  }
  return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
}
