import { refuse } from '../refusal.ts';

/** The offset of the first character at or after `at` that is neither white space nor a comment. */
export function skipTrivia(text: string, at: number): number {
  for (;;) {
    const c = text.charCodeAt(at);
    if (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) at++;
    else if (c === 0x2f) at = endOfComment(text, at);
    else return at;
  }
}

/** The offset after the comment at `start`; a line comment ends before its line end. */
export function endOfComment(text: string, start: number): number {
  const second = text.charCodeAt(start + 1);
  if (second === 0x2f) {
    let at = start + 2;
    while (at < text.length && text.charCodeAt(at) !== 0x0a && text.charCodeAt(at) !== 0x0d) at++;
    return at;
  }
  if (second !== 0x2a) refuse(text, start, 'a value cannot begin with a slash');
  const close = text.indexOf('*/', start + 2);
  if (close < 0) refuse(text, start, 'the comment is not closed', 'Add */ where it ends.');
  return close + 2;
}

/** The offset after a well-formed string; `start` is its opening quote. */
export function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    at = afterPlain(text, at);
    if (text.charCodeAt(at) === 0x22) return at + 1;
    at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  }
}

const PLAIN = /[^"\\\u0000-\u001f]*/y;

/**
 * The offset of the next character that may end a string. Uses a regular expression, because most runs end before V8
 * optimizes a loop.
 */
function afterPlain(text: string, at: number): number {
  PLAIN.lastIndex = at;
  PLAIN.test(text);
  return PLAIN.lastIndex;
}

const UNCLOSED = 'Close it with " on the same line; inside, a quote is written \\" and a line break \\n.';

/** Checks the string whose opening quote is at `start`; returns the offset after it. */
export function checkString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    at = afterPlain(text, at);
    const c = text.charCodeAt(at);
    if (c === 0x22) return at + 1;
    if (c === 0x5c) at = checkEscape(text, at);
    else if (at >= text.length || c === 0x0a || c === 0x0d) {
      refuse(text, start, 'the string is not closed', UNCLOSED);
    } else {
      const code = c.toString(16).padStart(4, '0');
      refuse(
        text,
        at,
        `a string cannot hold the bare control character U+${code}`,
        `Write it as \\u${code}.`,
      );
    }
  }
}

function checkEscape(text: string, start: number): number {
  const letter = text.charAt(start + 1);
  if (letter === 'u') {
    if (/^[0-9a-fA-F]{4}$/.test(text.slice(start + 2, start + 6))) return start + 6;
    return refuse(text, start, '\\u needs four hexadecimal digits');
  }
  if (letter !== '' && '"\\/bfnrt'.includes(letter)) return start + 2;
  return refuse(text, start, `JSON has no escape \\${letter}`, 'A backslash in a text is written \\\\.');
}
