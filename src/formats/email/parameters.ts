import type { Span } from '../../base/span.ts';

/** A structured field such as `text/html; charset="utf-8"`. Offsets are bytes of the message. */
export interface Structured {
  /** The value before the parameters, lower-case, without comments. */
  readonly value: string;
  readonly parameters: readonly HeaderParameter[];
}

export interface HeaderParameter {
  /** Lower-case; pieces of a continued parameter (RFC 2231) are one parameter each: `name*0`. */
  readonly name: string;
  readonly value: string;
  /** What the value is written as, quotes included. */
  readonly span: Span;
}

/** No mail program writes longer ones; what comes after is not read. */
const MAX_LENGTH = 65_536;

const TOKEN = /[^\s;="()]+/y;
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"?/y;
const BLANKS = /[ \t\r\n]+/y;

/** Reads a structured field as mail programs do: comments and folds do not count, quotes may be missing. */
export function readStructured(text: string, { start, end }: Span): Structured {
  const raw = text.slice(start, Math.min(end, start + MAX_LENGTH));
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

/** Without quotes some programs write what a token may not hold, such as `boundary=a=b`. */
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

/** The value of a parameter; pieces of a continued one are joined. Percent escapes stay as they are. */
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
