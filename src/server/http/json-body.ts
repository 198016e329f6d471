import { isUtf8 } from 'node:buffer';
import { DragomanError } from '../../base/errors.ts';
import type { HeldMemory } from '../guards/body-memory.ts';
import { readBody, type BodyLimits } from './body.ts';
import type { AppContext } from './dependencies.ts';
import { Refusal } from '../guards/refusal.ts';

/**
 * Enough for the largest request that the contract allows, a batch of 100 texts of 5,000 characters, where each
 * character is written as two escapes of six bytes.
 */
const JSON_LIMITS: BodyLimits = { bytes: 8 * 1024 * 1024, ms: 30_000 };

/** No request of the contract is deeper than two or has more than some hundred values: others only cost time. */
const MAX_DEPTH = 32;
const MAX_VALUES = 10_000;

/**
 * The body of a request that carries JSON: an object whose strings are well-formed.
 *
 * @throws Refusal 413, 415, 503; DragomanError `invalid_request`.
 */
export async function readJson(context: AppContext, memory: HeldMemory): Promise<object> {
  requireJsonType(context.req.header('content-type'));
  return parseJson(await readBody(context, JSON_LIMITS, memory));
}

function requireJsonType(contentType: string | undefined): void {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)/.exec(parameter)?.[1])
    .find(Boolean);
  if (type.trim() !== 'application/json') {
    throw new Refusal(415, 'the request needs Content-Type: application/json');
  }
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new Refusal(415, 'the request body must be UTF-8');
  }
}

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
    // The parser's own message repeats the text.
    throw invalid('the request body is not valid JSON');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** A look at the strings, brackets and commas, before the parser builds what they stand for. */
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

/** The position of the quote that ends the string that begins at `start`. */
function endOfString(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(QUOTE, start + 1);
  if (end === -1) return bytes.length;
  if (bytes[end - 1] !== BACKSLASH) return end;
  // Among escapes a search from quote to quote takes ten times as long as looking at each byte.
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Recursion ends: the depth is bounded. */
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
