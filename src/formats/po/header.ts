import type { Span } from '../../base/span.ts';
import { isHeader, readMessages, type CatalogMessage } from './catalog.ts';
import { readPluralForms, type PluralRule } from './plural-expression.ts';

/** A `Name: value` line of the header. Spans refer to the file; the value's excludes surrounding blanks. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
  /** The value's place, from after the colon to before the `\n` that ends the line. */
  readonly span: Span;
  /** The offset after that `\n`, or at the end of the text inside the quotes. */
  readonly end: number;
  /** Whether the line ends with `\n`. */
  readonly terminated: boolean;
}

export interface Header {
  readonly message: CatalogMessage;
  readonly fields: readonly HeaderField[];
  /** Whether the header's text ends without `\n`. */
  readonly isOpen: boolean;
}

/** Reads up to the header, which is the first message of most files. */
export function findHeader(text: string): Header | undefined {
  let found: CatalogMessage | undefined;
  readMessages(text, (message) => {
    if (isHeader(message)) found = message;
    return found !== undefined;
  });
  const literal = found?.forms[0]?.literal;
  return found && literal && { message: found, ...readFields(text, literal.span) };
}

export function fieldOf(header: Header | undefined, name: string): HeaderField | undefined {
  return header?.fields.find((field) => field.name.toLowerCase() === name.toLowerCase());
}

/** The language that the file names, as spelled there. Templates have a placeholder. */
export function languageIn(header: Header | undefined): string | undefined {
  const value = fieldOf(header, 'Language')?.value;
  return value === undefined || value === '' || value === 'LANGUAGE' ? undefined : value;
}

export function pluralRuleIn(header: Header | undefined): PluralRule | undefined {
  const value = fieldOf(header, 'Plural-Forms')?.value;
  return value === undefined ? undefined : readPluralForms(value);
}

/** Fields may share a string or span several, so the text is read including its quotes. */
function readFields(text: string, literal: Span): Pick<Header, 'fields' | 'isOpen'> {
  const fields: HeaderField[] = [];
  let inside = false;
  let line = '';
  /** The offset of each character of `line` in the file. */
  let places: number[] = [];
  let lineEnd = literal.start;
  const close = (end: number, next: number): void => {
    const colon = line.indexOf(':');
    if (colon >= 0) {
      const start = (places[colon] ?? end) + 1;
      const [name, value] = [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
      fields.push({ name, value, span: { start, end }, end: next, terminated: next > end });
    }
    line = '';
    places = [];
  };
  for (let at = literal.start; at < literal.end; at++) {
    const character = text.charAt(at);
    if (character === '"') inside = !inside;
    else if (!inside) continue;
    else if (character !== '\\') {
      line += character;
      places.push(at);
    } else if (text.charAt(at + 1) === 'n') {
      close(at, at + 2);
      at++;
    } else {
      // Only the place of an escape matters: no header field that is searched contains one.
      at++;
      line += text.charAt(at);
      places.push(at);
    }
    if (inside) lineEnd = at + 1;
  }
  const isOpen = line !== '';
  if (isOpen) close(lineEnd, lineEnd);
  return { fields, isOpen };
}
