import { DragomanError } from '../../base/errors.ts';

/** The only fields that a log has. A new one has to be as harmless as these: no text, key, secret or address of a person. */
const FIELDS: ReadonlySet<string> = new Set([
  // a request
  'id',
  'route',
  'path',
  'status',
  'ms',
  'account',
  'key',
  'code',
  // jobs and webhooks
  'job',
  'language',
  'webhook',
  'receiver',
  'attempt',
  'reason',
  'instances',
  'count',
]);

const MAX_LENGTH = 300;

/** The loggable part of `fields`: the known ones, bounded, and `err` from {@link describeError}. */
export function pickFields(fields: object): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries<unknown>({ ...fields })) {
    if (name === 'err') {
      if (value !== undefined) picked[name] = describeError(value);
    } else if (!FIELDS.has(name)) continue;
    else if (typeof value === 'number' || typeof value === 'boolean') picked[name] = value;
    else if (typeof value === 'string') picked[name] = value.slice(0, MAX_LENGTH);
    else if (Array.isArray(value) && value.every(isString))
      picked[name] = value.join(' ').slice(0, MAX_LENGTH);
  }
  return picked;
}

const isString = (value: unknown): value is string => typeof value === 'string';

export interface ErrorRecord {
  readonly type: string;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly stack?: readonly string[] | undefined;
  readonly cause?: ErrorRecord | undefined;
}

/**
 * An error without quoted data: only the part of its message before the first quote, colon or line break (JSON.parse
 * and engines put texts after them), and only the frames of its stack.
 */
export function describeError(error: unknown, depth = 3): ErrorRecord {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // The stack of an expected error is useless; that of a defect is essential.
  const isExpected = error instanceof DragomanError && error.code !== 'internal';
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    message: openingOf(error.message),
    ...(isExpected ? {} : { stack: framesOf(error) }),
    ...(error.cause === undefined || depth === 0 ? {} : { cause: describeError(error.cause, depth - 1) }),
  };
}

function openingOf(message: string): string {
  const end = message.search(/[\n"'`:\u2018-\u201f\u00ab]/);
  return (end < 0 ? message : message.slice(0, end)).trim().slice(0, MAX_LENGTH);
}

/** The head of a stack repeats the message, which may have lines that look like frames. */
function framesOf({ message, stack = '' }: Error): readonly string[] {
  const at = stack.indexOf(message);
  if (at < 0) return [];
  return stack
    .slice(at + message.length)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, 20);
}
