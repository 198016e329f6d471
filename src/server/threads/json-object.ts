import { isUtf8 } from 'node:buffer';
import { DragomanError } from '../../base/errors.ts';

/** Requests of the contract have at most two levels and a few hundred values. Anything beyond that only costs time. */
const MAX_DEPTH = 32;
const MAX_VALUES = 10_000;

/**
 * Parses a JSON object whose strings must be well-formed.
 *
 * @throws DragomanError `invalid_request`
 */
export function parseJson(bytes: Buffer): object {
  if (!isUtf8(bytes)) throw invalid('the request body is not valid UTF-8');
  requireBounded(bytes);
  // RFC 8259 lets a parser ignore a byte order mark.
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('the request body must be a JSON object');
  }
  // UTF-8 has no lone surrogates: only an escape can write one.
  if (/\\u[dD]/.test(text)) requireWellFormed(value);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message would quote the text.
    throw invalid('the request body is not valid JSON');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** Checks strings, brackets and commas before the parser creates values. */
function requireBounded(bytes: Buffer): void {
  let depth = 0;
  let values = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      i = endOfString(bytes, i);
      values++;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > MAX_DEPTH) throw invalid('the request body is nested too deeply');
      values++;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    } else if (byte === COMMA) values++;
    if (values > MAX_VALUES) throw invalid('the request body has too many values');
  }
}

/** The position of the closing quote of the string at `start`. */
function endOfString(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(QUOTE, start + 1);
  if (end === -1) return bytes.length;
  if (bytes[end - 1] !== BACKSLASH) return end;
  // In a string full of escapes, searching from quote to quote takes ten times as long as checking each byte.
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** The recursion ends because the depth is limited. */
function requireWellFormed(value: unknown): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw invalid('the request body has half a surrogate pair in a string');
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, child] of Object.entries(value)) {
      requireWellFormed(key);
      requireWellFormed(child);
    }
  }
}

function invalid(message: string): DragomanError {
  return new DragomanError('invalid_request', message);
}
