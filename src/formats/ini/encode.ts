import { DragomanError } from '../../base/errors.ts';

/** A value as written in a file. */
export interface IniValue {
  readonly value: string;
  /** The length in the file, quotes included. */
  readonly length: number;
}

/** A quoted value, which only a comment may follow. */
const DOUBLE = /^"((?:[^"\\]|\\.)*)"(?=\s*(?:;|$))/;
const SINGLE = /^'([^']*)'(?=\s*(?:;|$))/;
/** After an unquoted value, a blank and a semicolon start a comment. */
const COMMENT = /(?:^|[ \t]);/;

/** The value at the start of the rest of a line, which does not begin with a blank. */
export function readValue(rest: string): IniValue {
  const quoted = DOUBLE.exec(rest);
  if (quoted) {
    const [whole, inner = ''] = quoted;
    return { value: inner.replace(/\\(["\\])/g, '$1'), length: whole.length };
  }
  const single = SINGLE.exec(rest);
  if (single) return { value: single[1] ?? '', length: single[0].length };
  const comment = rest.search(COMMENT);
  const value = (comment < 0 ? rest : rest.slice(0, comment)).trimEnd();
  return { value, length: value.length };
}

/**
 * Writes a value in the notation of the old one: with its quotes, or without.
 *
 * @param behind the character that follows on the line, such as the blank before a comment
 * @throws DragomanError `unencodable_value` if that notation cannot hold it
 */
export function writeValue(value: string, raw: string, behind: string): string {
  const quote = DOUBLE.test(raw) ? '"' : SINGLE.test(raw) ? "'" : '';
  const inner = quote === '"' ? escapeDouble(value, raw) : value;
  const written = quote + inner + quote;
  const back = readValue(written + behind);
  const isSame = back.value === value && back.length === written.length && !/^\s/.test(written + behind);
  if (isSame && !/[\r\n]/.test(value)) return written;
  throw new DragomanError('unencodable_value', 'an INI file cannot hold this value here', {
    hint: quote === '"' ? 'A value must be on one line.' : 'Put the text into double quotes in the source.',
  });
}

/** Escapes only what must be escaped, or every backslash if the old text did. */
function escapeDouble(value: string, old: string): string {
  const all = /\\\\(?!["\\])/.test(old.slice(0, -1));
  return value.replace(/\\|"/g, (found, at: number) => {
    if (found === '"') return '\\"';
    const next = value.charAt(at + 1);
    return all || next === '' || next === '"' || next === '\\' ? '\\\\' : '\\';
  });
}
