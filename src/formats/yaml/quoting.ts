import type { Span } from '../../base/span.ts';

/**
 * Raw characters, other than LF, that YAML 1.1 or 1.2 readers reject or read as a line break. Lone surrogates have
 * no encoding.
 */
const UNPRINTABLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Nearly every translation: words with harmless punctuation, without surrounding white space. */
const HARMLESS = /^[\p{L}\p{M}](?:[\p{L}\p{M}\d.!?()/%’…–—]| (?=[\p{L}\p{M}\d]))*$/u;

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\0': '\\0',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\e',
  '\u0085': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

/** Whether the value can be written raw: it has no control characters, and the file's encoding can represent it. */
export function isPrintable(value: string, encodable: ((text: string) => boolean) | undefined): boolean {
  return !UNPRINTABLE.test(value) && (encodable === undefined || encodable(value));
}

/**
 * Whether a printable value can be written without quotes and is still read as this text by every reader.
 *
 * @param flow in a flow collection
 */
export function isPlainText(value: string, flow: boolean): boolean {
  if (HARMLESS.test(value)) return readsAsText(value) && !/^[yn]$/i.test(value);
  if (value === '' || /^[yn]$/i.test(value)) return false;
  if (/[\n\t]|^ | $|: | #|:$/.test(value)) return false;
  // A value that begins with an indicator or a document marker needs quotes.
  if (/^(?:[?:,[\]{}#&*!|>'"%@`]|-(?![^\s,[\]{}])|---|\.\.\.(?:\s|$))/.test(value)) return false;
  // Older readers read a colon in a flow collection as a mapping, even if no space follows.
  if (flow && /[,[\]{}:]/.test(value)) return false;
  return readsAsText(value);
}

/** Quotes a printable value of one line. */
export function quoteSingle(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/**
 * Quotes any value, on one line.
 *
 * @param old the double-quoted scalar that this replaces: characters that it escapes by code are escaped again; all
 * non-ASCII letters if it escapes letters
 */
export function quoteDouble(
  value: string,
  encodable: ((text: string) => boolean) | undefined,
  old = '',
): string {
  const escaped = escapedBefore(old);
  const raw = encodable === undefined || encodable(value);
  const plain = !escaped && raw && !/["\\\n\t]/.test(value) && !UNPRINTABLE.test(value);
  if (plain) return `"${value}"`;
  let out = '"';
  for (const char of value) {
    const known = ESCAPES[char];
    if (known !== undefined) out += known;
    else if (char < '\u007f' && char >= ' ') out += char;
    else if (UNPRINTABLE.test(char) || escaped?.(char) || (!raw && !encodable?.(char))) {
      out += escapeByCode(char);
    } else out += char;
  }
  return `${out}"`;
}

function escapeByCode(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** The non-ASCII characters that the old text escaped. */
function escapedBefore(old: string): ((char: string) => boolean) | undefined {
  if (!old.includes('\\')) return undefined;
  const chars = new Set<string>();
  const codes = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(_)|[^])/g;
  for (const [, two, four, eight, noBreak] of old.matchAll(codes)) {
    const hex = two ?? four ?? eight ?? (noBreak && 'a0');
    const code = hex === undefined ? 0 : Number.parseInt(hex, 16);
    if (code > 0x7f && code <= 0x10ffff) chars.add(String.fromCodePoint(code));
  }
  if ([...chars].some((char) => /\p{L}/u.test(char))) return () => true;
  return chars.size > 0 ? (char) => chars.has(char) : undefined;
}

export type ScalarStyle = 'plain' | 'single' | 'double' | 'block';

/** The place of a scalar, and its style there. */
export interface ScalarPlace {
  readonly style: ScalarStyle;
  /** Whether the place is in a flow collection, where brackets and commas are syntax. */
  readonly flow: boolean;
  /** Column of the collection that contains a block scalar; 0 for other scalars. */
  readonly indent: number;
  readonly span: Span;
}

/**
 * The interpretation of plain scalars. YAML 1.2 has few types, YAML 1.1 many, and Ruby's and Python's readers have
 * others: a value is a text only if all of them read it as one, and a text is written without quotes only if all will.
 */
const OTHER_TYPES = [
  /^(?:~|null)?$/i,
  /^(?:yes|no|true|false|on|off)$/i,
  // Integers and floats, with the digit separators `_` (1.1) and `,` (Ruby).
  /^[-+]?(?:\d[\d_,]*(?:\.[\d_,]*)?|\.\d[\d_,]*)(?:e[-+]?\d+)?$/i,
  /^[-+]?0(?:x[\da-f_,]+|o[0-7_,]+|b[01_,]+)$/i,
  /^[-+]?\.(?:inf|nan)$/i,
  // Sexagesimal: a time such as 12:30 is the number 750.
  /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/,
  /^\d{4}-\d\d?-\d\d?$/,
  /^-?\d{4}-\d\d?-\d\d?(?:t|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:z|[-+]\d\d?(?::?\d\d)?))?$/i,
  // The merge key and the default value of YAML 1.1; a Ruby symbol.
  /^(?:<<|=)$/,
  /^:./,
];

/** Whether every reader reads this plain scalar as a text. */
export function readsAsText(plain: string): boolean {
  // Most texts begin with a letter, but only a few short words of other types do.
  const first = plain.charCodeAt(0) | 0x20;
  const letter = first >= 0x61 && first <= 0x7a;
  if (letter && plain.length > 5) return true;
  return !OTHER_TYPES.some((type) => type.test(plain));
}
