import { DragomanError } from '../../base/errors.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { findLabel, HEREDOC } from './lexer.ts';

/** Escapes in double quotes and heredocs. */
const ESCAPE = /\\(?:([nrtvef\\$"])|([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u\{([0-9A-Fa-f]+)\})|\\|[^\\]+/g;
const LETTERS: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  e: '\u001b',
  f: '\f',
};

/** A variable, which turns a text into code. */
const VARIABLE = /\$(?=[A-Za-z_\u0080-\uffff{])|\{(?=\$)/;

/** A text split into quotes and content. */
interface PhpLiteral {
  readonly kind: 'single' | 'double' | 'heredoc' | 'nowdoc';
  /** The delimiters before and after the content; those of a heredoc include its line breaks and its label. */
  readonly opening: string;
  readonly closing: string;
  /** The content as written, without the indentation of a heredoc. */
  readonly body: string;
  /** The indentation of every line of a heredoc. */
  readonly indent: string;
  readonly label: string;
}

/** The value of a text as PHP reads it; undefined if it contains variables or bytes that are not UTF-8. */
export function readLiteral(raw: string): string | undefined {
  const literal = parseLiteral(raw);
  if (!literal) return undefined;
  const { kind, body } = literal;
  if (kind === 'nowdoc') return body;
  if (kind === 'single') return body.includes('\\') ? body.replace(/\\([\\'])/g, '$1') : body;
  if (VARIABLE.test(body.replace(/\\[\\$]/g, ' '))) return undefined;
  return body.includes('\\') ? unescape(body, kind) : body;
}

function parseLiteral(raw: string): PhpLiteral | undefined {
  const quote = raw.charAt(0);
  const plain = { opening: quote, closing: quote, body: raw.slice(1, -1), indent: '', label: '' };
  if (quote === "'") return { kind: 'single', ...plain };
  if (quote === '"') return { kind: 'double', ...plain };
  HEREDOC.lastIndex = 0;
  const match = HEREDOC.exec(raw);
  if (!match) return undefined;
  const [opening, mark, label = '', lineEnd = '\n'] = match;
  const kind = mark === "'" ? 'nowdoc' : 'heredoc';
  const labelStart = raw.length - label.length;
  let end = labelStart;
  while (/[ \t]/.test(raw.charAt(end - 1))) end--;
  const indent = raw.slice(end, labelStart);
  const shape = { kind, opening, indent, label } as const;
  if (end <= opening.length) return { ...shape, closing: lineEnd + indent + label, body: '' };
  const width = raw.startsWith('\r\n', end - 2) ? 2 : 1;
  const body = withoutIndent(raw.slice(opening.length, end - width), indent);
  return body === undefined ? undefined : { ...shape, closing: raw.slice(end - width), body };
}

/** Undefined if a line has less indentation than the label, or different blanks: PHP rejects both. */
function withoutIndent(body: string, indent: string): string | undefined {
  if (indent === '') return body;
  const parts = body.split(/(\r\n|\n|\r)/);
  for (let i = 0; i < parts.length; i += 2) {
    const line = parts[i] ?? '';
    if (line.startsWith(indent)) parts[i] = line.slice(indent.length);
    else if (line.trim() !== '' || !indent.startsWith(line)) return undefined;
    else parts[i] = '';
  }
  return parts.join('');
}

/** Undefined if numeric escapes do not form valid UTF-8. */
function unescape(body: string, kind: 'double' | 'heredoc'): string | undefined {
  const parts: Buffer[] = [];
  for (const [whole, letter, octal, hex, code] of body.matchAll(ESCAPE)) {
    const byte = octal === undefined ? Number.parseInt(hex ?? '', 16) : Number.parseInt(octal, 8) & 0xff;
    if (letter !== undefined && !(letter === '"' && kind === 'heredoc'))
      parts.push(Buffer.from(LETTERS[letter] ?? letter));
    else if (!Number.isNaN(byte)) parts.push(Buffer.from([byte]));
    else if (code !== undefined) {
      const point = Number.parseInt(code, 16);
      if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return undefined;
      parts.push(Buffer.from(String.fromCodePoint(point)));
    } else parts.push(Buffer.from(whole));
  }
  return decodeUtf8(Buffer.concat(parts));
}

/**
 * Writes a value in the notation of the old text.
 *
 * @throws DragomanError `unencodable_value` if that notation cannot hold it
 */
export function writeLiteral(value: string, raw: string): string {
  const literal = parseLiteral(raw);
  if (!literal) throw new RangeError('not the text of a slot');
  const { kind, opening, closing, body, indent, label } = literal;
  if (kind === 'single') return `'${escapeSingle(value, body)}'`;
  if (kind === 'double') return `"${escapeDouble(value, body, kind)}"`;
  const written = kind === 'nowdoc' ? value : escapeDouble(value, body, kind);
  const lines = indent === '' ? written : written.replace(/(^|\r\n|\n|\r)(?=[^\r\n]|$)/g, `$1${indent}`);
  const text = opening + lines + closing;
  // A line of the value that begins with the label would close the text.
  if (findLabel(text, opening.length, label) === text.length && readLiteral(text) === value) return text;
  throw new DragomanError('unencodable_value', `a text that ends with ${label} cannot hold this value`);
}

/** Escapes only what must be escaped, or every backslash if the old text did. */
function escapeSingle(value: string, old: string): string {
  const all = /\\\\(?!['\\]|$)/.test(old);
  return value.replace(/\\|'/g, (found, at: number) => {
    if (found === "'") return "\\'";
    const next = value.charAt(at + 1);
    return all || next === '' || next === '\\' || next === "'" ? '\\\\' : '\\';
  });
}

function escapeDouble(value: string, old: string, kind: 'double' | 'heredoc'): string {
  const rawBreaks = kind === 'heredoc' || (/[\r\n]/.test(old) && !/\\[nr]/.test(old));
  const rawTabs = kind === 'heredoc' || old.includes('\t');
  return value.replace(/[\\"$\u0000-\u001f\u007f]/g, (found, at: number) => {
    if (found === '\\') return '\\\\';
    if (found === '"') return kind === 'double' ? '\\"' : '"';
    if (found === '$') {
      const isVariable = /[A-Za-z_\u0080-\uffff{]/.test(value.charAt(at + 1)) || value.charAt(at - 1) === '{';
      return isVariable ? '\\$' : '$';
    }
    if (/[\r\n]/.test(found) && rawBreaks) return found;
    if (found === '\t' && rawTabs) return found;
    const letter = Object.keys(LETTERS).find((name) => LETTERS[name] === found);
    return letter === undefined ? `\\x${found.charCodeAt(0).toString(16).padStart(2, '0')}` : `\\${letter}`;
  });
}
