import { DragomanError } from '../../base/errors.ts';

/** A value as a file has it. */
export interface IniValue {
  readonly value: string;
  /** How many characters it takes, with its quotes. */
  readonly length: number;
}

/** The quotes that a value may have, where nothing but a comment follows the closing one. */
const DOUBLE = /^"((?:[^"\\]|\\.)*)"(?=\s*(?:;|$))/;
const SINGLE = /^'([^']*)'(?=\s*(?:;|$))/;
/** Behind a value without quotes, a comment begins with a blank and a semicolon. */
const COMMENT = /(?:^|[ \t]);/;

/** The value at the beginning of the rest of a line, which begins with no blank. */
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
 * A value in the notation of the one that stands there: in its quotes, or without.
 *
 * @param behind the character that follows it on its line, as the blank before a comment
 * @throws DragomanError `unencodable_value` where that notation cannot hold it
 */
export function writeValue(value: string, raw: string, behind: string): string {
  const quote = DOUBLE.test(raw) ? '"' : SINGLE.test(raw) ? "'" : '';
  const inner = quote === '"' ? escapeDouble(value, raw) : value;
  const written = quote + inner + quote;
  const back = readValue(written + behind);
  const isSame = back.value === value && back.length === written.length && !/^\s/.test(written + behind);
  if (isSame && !/[\r\n]/.test(value)) return written;
  throw new DragomanError('unencodable_value', 'an INI file cannot hold this value in its place', {
    hint: quote === '"' ? 'A value ends with its line.' : 'Put the text into double quotes in the source.',
  });
}

/** Only what has to be is escaped, or every backslash where the old text did so. */
function escapeDouble(value: string, old: string): string {
  const all = /\\\\(?!["\\])/.test(old.slice(0, -1));
  return value.replace(/\\|"/g, (found, at: number) => {
    if (found === '"') return '\\"';
    const next = value.charAt(at + 1);
    return all || next === '' || next === '"' || next === '\\' ? '\\\\' : '\\';
  });
}
