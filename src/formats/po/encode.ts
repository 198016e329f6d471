import { displayWidth } from '../../base/display-width.ts';
import { DragomanError } from '../../base/errors.ts';

interface FoldedLayout {
  readonly newline: string;
  /** What stands before the strings of the lines that follow the first. */
  readonly indentation: string;
  /** The column, from 0, in which the first quote stands. */
  readonly column: number;
  /** Whether the file folds lines that get too long. */
  readonly wraps: boolean;
}

/** gettext's own width, quotes and all. */
const WIDTH = 79;

/** A text as strings: on one line where it has one and fits, else from the second line on, one string for each. */
export function quotePo(value: string, layout: FoldedLayout): string {
  const { newline, indentation, column, wraps } = layout;
  const lines = value.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const whole = escapePo(value);
  const single = lines.length <= 1;
  if (single && (!wraps || column + displayWidth(whole) + 2 <= WIDTH)) return `"${whole}"`;
  const room = WIDTH - displayWidth(indentation) - 2;
  const pieces = lines.flatMap((line) => (wraps ? fold(line, room) : [escapePo(line)]));
  // A single piece that cannot be folded is no shorter on a line of its own, but gettext writes it so.
  return ['""', ...pieces.map((piece) => `${indentation}"${piece}"`)].join(newline);
}

/** Where a line may be folded: behind blanks, and between ideographs. */
const UNIT =
  /[^ \u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]+ *|[^ ][\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f\u300d\u300f\uff09\u30fc]* *| +/g;

function fold(line: string, room: number): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let width = 0;
  for (const unit of line.match(UNIT) ?? []) {
    const escaped = escapePo(unit);
    const added = displayWidth(escaped);
    // Blanks at the end of a line count as well: gettext keeps them inside the quotes.
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

/** One escape; runs of byte escapes together, because in UTF-8 one character can be several of them. */
const ESCAPE = /((?:\\(?:x[0-9A-Fa-f]+|[0-7]{1,3}))+)|\\([\s\S])/g;

/** The meaning of what stands between the quotes of one string. Unknown escapes mean the character itself. */
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
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return String.fromCharCode(...bytes);
  }
}

/** What a character of a value looks like between quotes. */
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
