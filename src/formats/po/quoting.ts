import { DragomanError } from '../../base/errors.ts';

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
    throw new DragomanError('unencodable_value', 'gettext ends a text at U+0000, it cannot stand in one');
  }
  return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
}
