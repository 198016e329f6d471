import type { HeldMemory } from '../guards/body-memory.ts';
import { readBody, type BodyLimits } from './body.ts';
import type { AppContext } from './dependencies.ts';
import { Refusal } from '../guards/refusal.ts';
import { parseJson } from '../threads/json-object.ts';

/**
 * Enough for the contract's largest request: a batch of 100 texts of 5,000 characters, each written as two escapes of
 * six bytes.
 */
const JSON_LIMITS: BodyLimits = { bytes: 8 * 1024 * 1024, ms: 30_000 };

/** Longer texts are parsed in a thread: this size takes two milliseconds. */
const SHORT_BYTES = 256 * 1024;

/**
 * Reads a JSON body: an object whose strings are well-formed.
 *
 * @param parseLong does the same as `parseJson` without blocking other requests
 * @throws Refusal 413, 415, 503; DragomanError `invalid_request`, and errors of `parseLong`
 */
export function readJson(
  context: AppContext,
  memory: HeldMemory,
  parseLong: ((bytes: Buffer) => Promise<object>) | undefined,
): object | Promise<object> {
  requireJsonType(context.req.header('content-type'));
  const parse = (bytes: Buffer): object | Promise<object> =>
    parseLong && bytes.length > SHORT_BYTES ? parseLong(bytes) : parseJson(bytes);
  const body = readBody(context, JSON_LIMITS, memory);
  return body instanceof Promise ? body.then(parse) : parse(body);
}

const JSON_TYPE = 'application/json';

function requireJsonType(contentType: string | undefined): void {
  if (contentType === JSON_TYPE) return;
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)/.exec(parameter)?.[1])
    .find(Boolean);
  if (type.trim() !== JSON_TYPE) {
    throw new Refusal(415, 'the request needs Content-Type: application/json');
  }
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new Refusal(415, 'the request body must be UTF-8');
  }
}
