import { refuse } from '../refusal.ts';
import { letterSpeller } from '../json/encode.ts';
import type { MemberCode } from '../json/layout.ts';
import { withLineEnds } from '../lines.ts';
import { parse as parseWith, type Node, type Tokens } from '../json/tree.ts';

const SPACE = /\s*/y;
const LINE_END = /[\n\r\u2028\u2029]/;
/** An ECMAScript 5.1 identifier, `\u` escapes included. */
const NAME =
  /(?:[$_\p{L}\p{Nl}]|\\u[0-9a-fA-F]{4})(?:[$_\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}\u200c\u200d]|\\u[0-9a-fA-F]{4})*/uy;
const DECODED_NAME = /^[$_\p{L}\p{Nl}][$_\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}\u200c\u200d]*$/u;
const LITERAL =
  /(?:true|false|null|[+-]?(?:Infinity|NaN|0[xX][0-9a-fA-F]+|(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))(?![$\w.\\\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}\u200c\u200d])/uy;
const ESCAPE =
  /\\(?:(\r\n|[\n\r\u2028\u2029])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(0)(?![0-9])|([^xu0-9\n\r\u2028\u2029]))/uy;

const LETTERS: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

export const parse = (text: string): Node => parseWith(text, { tokens: TOKENS });

/** Decodes a string, or a name with or without quotes. */
export function decode(text: string, start: number, end: number): string {
  const isQuoted = quoteAt(text, start) !== undefined;
  const inner = isQuoted ? text.slice(start + 1, end - 1) : text.slice(start, end);
  if (!inner.includes('\\')) return inner;
  const parts: string[] = [];
  for (let at = 0; at < inner.length;) {
    const escape = inner.indexOf('\\', at);
    if (escape < 0) {
      parts.push(inner.slice(at));
      break;
    }
    parts.push(inner.slice(at, escape));
    ESCAPE.lastIndex = escape;
    const [whole = '\\', continued, byte, unit, nul, letter = ''] = ESCAPE.exec(inner) ?? [];
    if (continued === undefined) {
      const hex = byte ?? unit;
      if (hex !== undefined) parts.push(String.fromCharCode(Number.parseInt(hex, 16)));
      else parts.push(nul === undefined ? (LETTERS[letter] ?? letter) : '\0');
    }
    at = escape + whole.length;
  }
  return parts.join('');
}

const TOKENS: Tokens = {
  skipTrivia,
  endOfString,
  endOfName,
  endOfLiteral,
  decode,
  nameOfNames: 'a member name',
};

/** The lexical rules of JSON5 for editing its objects and arrays. */
export function json5Code(text: string): MemberCode {
  return {
    text,
    endOfComment: (at) => (text.charAt(at) === '/' ? endOfComment(text, at) : undefined),
    endOfString: (at) => endOfString(text, at),
    makeSpeller(lineEnd) {
      const spell = letterSpeller(text);
      return (raw) => spell(withLineEnds(raw, lineEnd));
    },
  };
}

function skipTrivia(text: string, from: number): number {
  let at = from;
  for (;;) {
    SPACE.lastIndex = at;
    SPACE.test(text);
    at = SPACE.lastIndex;
    if (text.charAt(at) !== '/') return at;
    at = endOfComment(text, at);
  }
}

function endOfComment(text: string, start: number): number {
  const second = text.charAt(start + 1);
  if (second === '/') {
    let at = start + 2;
    while (at < text.length && !LINE_END.test(text.charAt(at))) at++;
    return at;
  }
  if (second !== '*') refuse(text, start, 'a value cannot begin with a slash');
  const close = text.indexOf('*/', start + 2);
  if (close < 0) refuse(text, start, 'the comment is not closed', 'Add */ where it ends.');
  return close + 2;
}

function quoteAt(text: string, at: number): string | undefined {
  const c = text.charAt(at);
  return c === '"' || c === "'" ? c : undefined;
}

function endOfString(text: string, start: number): number | undefined {
  const quote = quoteAt(text, start);
  if (quote === undefined) return undefined;
  for (let at = start + 1; at < text.length;) {
    const c = text.charAt(at);
    if (c === quote) return at + 1;
    if (c === '\n' || c === '\r') break;
    if (c !== '\\') at++;
    else {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) {
        const found = text.slice(at, at + 2);
        refuse(text, at, `JSON5 has no escape ${found}`, 'A backslash in a text is written \\\\.');
      }
      at = ESCAPE.lastIndex;
    }
  }
  const hint = `Close it with ${quote} on the same line; a backslash at the end of a line continues it.`;
  return refuse(text, start, 'the string is not closed', hint);
}

function endOfName(text: string, at: number): number | undefined {
  const quoted = endOfString(text, at);
  if (quoted !== undefined) return quoted;
  NAME.lastIndex = at;
  if (!NAME.test(text)) return undefined;
  const end = NAME.lastIndex;
  return DECODED_NAME.test(decode(text, at, end)) ? end : undefined;
}

function endOfLiteral(text: string, at: number): number | undefined {
  LITERAL.lastIndex = at;
  return LITERAL.test(text) ? LITERAL.lastIndex : undefined;
}
