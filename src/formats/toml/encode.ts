import { DragomanError } from '../../base/errors.ts';

/** Characters that must be escaped in every string. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

const NAMES: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/**
 * Writes a value in the kind of string that it replaces; turns a literal string into a basic one if it cannot hold the
 * value.
 *
 * @param newline the document's line break, which is `\n` in every value
 * @throws DragomanError `unencodable_value` for a lone surrogate
 */
export function encodeString(value: string, raw: string, newline: string): string {
  if (!value.isWellFormed()) {
    throw new DragomanError('unencodable_value', 'TOML cannot hold half of a surrogate pair');
  }
  const opening = /^(?:"""|'''|["'])(?:\r?\n)?/.exec(raw)?.[0] ?? '"';
  const start = opening.charAt(0);
  const isLong = opening.length > 1 && opening.startsWith(start.repeat(3));
  const quote = isLong ? start.repeat(3) : start;
  const lead = isLong ? opening.slice(3) : '';
  if (start === "'") {
    const isPlain = isLong
      ? !CONTROL.test(value) && !value.includes("'''") && !value.endsWith("'")
      : !CONTROL.test(value) && !/['\n]/.test(value);
    // The first line break after the opening is not part of the text.
    const first = isLong && lead === '' && value.startsWith('\n') ? newline : lead;
    if (isPlain) return quote + first + value.replaceAll('\n', newline) + quote;
  }
  return isLong ? longBasic(value, lead, newline) : `"${escapeBasic(value)}"`;
}

function escapeBasic(value: string): string {
  return value.replace(/[\u0000-\u001f"\\\u007f]/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return NAMES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function longBasic(value: string, lead: string, newline: string): string {
  const body = value.replace(/["\\\u0000-\u001f\u007f]/g, (character, at: number) => {
    if (character === '\n') return newline;
    if (character === '\t') return character;
    // Quotes at either end, and consecutive ones, could end the text.
    const isSafe = character === '"' && at > 0 && at + 1 < value.length && value.charAt(at - 1) !== '"';
    return isSafe ? character : escapeCharacter(character);
  });
  return `"""${lead === '' && value.startsWith('\n') ? newline : lead}${body}"""`;
}
