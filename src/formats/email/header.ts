import { DragomanError } from '../../base/errors.ts';
import { positionAt, type Span } from '../../base/span.ts';
import { parseLocale, sameLanguage } from '../../languages/locale.ts';
import { breakAt, lineEndAt } from '../lines.ts';

/** A header field. Offsets are bytes. */
interface Field {
  /** The name in lower case. */
  readonly name: string;
  /** The text after the colon, including folds, without the final line break. */
  readonly value: Span;
}

/** The header of a message or of a part. */
export interface MimeHeader {
  readonly fields: readonly Field[];
  /** Offset of the empty line that ends the header; new fields are inserted here. */
  readonly end: number;
  /** Offset of the body, after the empty line. */
  readonly body: number;
}

/** More fields are refused: each takes memory beyond its bytes. */
const MAX_FIELDS = 10_000;

const FIELD_NAME = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:/;

/**
 * Reads header fields from `start` to the empty line that ends them, or to a line that ends the whole part: such a part
 * has an empty body.
 *
 * @throws DragomanError `unreadable_input` for a line that is not a field, and for a file that ends without the empty
 * line
 */
export function readHeader(
  text: string,
  start: number,
  endsPart: (lineStart: number) => boolean,
): MimeHeader {
  const fields: Field[] = [];
  let at = start;
  while (at < text.length) {
    if (endsPart(at)) {
      const end = Math.max(start, beforeBreak(text, at));
      return { fields, end, body: end };
    }
    const lineEnd = lineEndAt(text, at);
    const next = lineEnd + breakAt(text, lineEnd);
    if (lineEnd === at) return { fields, end: at, body: next };
    const last = fields.at(-1);
    if (isBlank(text.charCodeAt(at)) && last) {
      fields[fields.length - 1] = { name: last.name, value: { start: last.value.start, end: lineEnd } };
    } else if (!(at === 0 && text.startsWith('From '))) {
      // The line "From sender date", which mailbox files put before a message, is skipped without an error.
      fields.push(readField(text, at, lineEnd));
      if (fields.length > MAX_FIELDS) throw tooManyFields(text, at);
    }
    at = next;
  }
  throw new DragomanError('unreadable_input', 'the header does not end: the empty line after it is missing', {
    at: positionAt(text, text.length),
    hint: 'The message is cut off here.',
  });
}

function tooManyFields(text: string, offset: number): DragomanError {
  const at = positionAt(text, offset);
  return new DragomanError('limit_exceeded', `the header has more than ${MAX_FIELDS} fields`, { at });
}

function readField(text: string, start: number, end: number): Field {
  const match = FIELD_NAME.exec(text.slice(start, Math.min(end, start + 1000)));
  const name = match?.[1];
  if (match && name !== undefined) {
    return { name: name.toLowerCase(), value: { start: start + match[0].length, end } };
  }
  throw new DragomanError(
    'unreadable_input',
    'this line is neither a header field nor the empty line that ends the header',
    { at: positionAt(text, start), hint: 'An e-mail begins with fields such as "Subject: Hello".' },
  );
}

/** The first field with this name. */
export function fieldOf(header: MimeHeader, name: string): Field | undefined {
  return header.fields.find((field) => field.name === name);
}

/** `lineStart` without the line break before it. */
export function beforeBreak(text: string, lineStart: number): number {
  if (text[lineStart - 1] !== '\n') return lineStart;
  return text[lineStart - 2] === '\r' ? lineStart - 2 : lineStart - 1;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** A longer list is ignored, because it never names a single language. */
const MAX_LANGUAGES = 1_000;

/** A comment. RFC 3282 allows nested comments, so the innermost ones are removed first. */
const COMMENT = /\((?:[^()\\]|\\[\s\S])*\)/g;

/**
 * The languages in the `Content-Language` fields of a header (RFC 3282), canonical and in order; undefined for an
 * unknown one. Empty without such a field.
 */
export function languagesIn(text: string, header: MimeHeader): readonly (string | undefined)[] {
  return header.fields
    .filter(({ name }) => name === 'content-language')
    .flatMap(({ value: { start, end } }) =>
      withoutComments(text.slice(start, Math.min(end, start + MAX_LANGUAGES))).split(','),
    )
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
    .map((tag) => parseLocale(tag));
}

/**
 * The single language that all names denote, in its first spelling. Undefined if they denote several languages, an
 * unknown one, or none.
 */
export function onlyLanguage(languages: readonly (string | undefined)[]): string | undefined {
  const [first] = languages;
  if (first === undefined) return undefined;
  return languages.every((other) => other !== undefined && sameLanguage(first, other)) ? first : undefined;
}

function withoutComments(value: string): string {
  for (let rest = value; ;) {
    const less = rest.replace(COMMENT, ' ');
    if (less === rest) return rest;
    rest = less;
  }
}

/** A structured field such as `text/html; charset="utf-8"`. Offsets are bytes of the message. */
export interface Structured {
  /** The value before the parameters, in lower case and without comments. */
  readonly value: string;
  readonly parameters: readonly HeaderParameter[];
}

interface HeaderParameter {
  /** The name in lower case. Each piece of a continued parameter (RFC 2231) is a separate parameter: `name*0`. */
  readonly name: string;
  readonly value: string;
  /** The place of the value, quotes included. */
  readonly span: Span;
}

/** Mail programs never write longer fields; the rest is ignored. */
const MAX_PARAMETERS = 65_536;

const TOKEN = /[^\s;="()]+/y;
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"?/y;
const BLANKS = /[ \t\r\n]+/y;

/** Reads a structured field as mail programs do: ignores comments and folds, and accepts missing quotes. */
export function readStructured(text: string, { start, end }: Span): Structured {
  const raw = text.slice(start, Math.min(end, start + MAX_PARAMETERS));
  const parameters: HeaderParameter[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(raw);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const skip = (): void => {
    while (match(BLANKS) || (raw[at] === '(' && (at = endOfComment(raw, at)) > 0));
  };
  skip();
  let value = '';
  for (let token = match(TOKEN); token; token = match(TOKEN)) {
    value += token[0];
    skip();
  }
  while (at < raw.length) {
    skip();
    const name = match(TOKEN)?.[0].toLowerCase();
    skip();
    if (name === undefined || raw[at] !== '=') {
      at = name === undefined ? at + 1 : at;
      continue;
    }
    at++;
    skip();
    const from = at;
    const quoted = match(QUOTED);
    const written = quoted ? (quoted[1] ?? '').replace(/\\([\s\S])|\r?\n/g, '$1') : bareValue(match);
    parameters.push({ name, value: written, span: { start: start + from, end: start + at } });
  }
  return { value: value.toLowerCase(), parameters };
}

/** Some programs write unquoted values that are not tokens, such as `boundary=a=b`. */
function bareValue(match: (pattern: RegExp) => RegExpExecArray | null): string {
  return match(/[^\s;"]+/y)?.[0] ?? '';
}

function endOfComment(raw: string, start: number): number {
  let depth = 0;
  for (let at = start; at < raw.length; at++) {
    if (raw[at] === '\\') at++;
    else if (raw[at] === '(') depth++;
    else if (raw[at] === ')' && --depth === 0) return at + 1;
  }
  return raw.length;
}

/** The value of a parameter, joined from its pieces if it is continued. Keeps percent escapes. */
export function parameterOf({ parameters }: Structured, name: string): string | undefined {
  const whole = parameters.find((parameter) => parameter.name === name);
  if (whole) return whole.value;
  const pieces = parameters
    .map(({ name: full, value }) => ({ piece: /^(.*)\*(\d{1,3})\*?$/.exec(full), value }))
    .filter(({ piece }) => piece?.[1] === name)
    .sort((a, b) => Number(a.piece?.[2]) - Number(b.piece?.[2]));
  if (pieces.length > 0) return pieces.map(({ value }) => value).join('');
  const extended = parameters.find((parameter) => parameter.name === `${name}*`)?.value;
  return extended?.replace(/^[^']*'[^']*'/, '');
}
