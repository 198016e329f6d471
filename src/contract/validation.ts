import * as v from 'valibot';
import { countCodePoints } from '../base/code-points.ts';
import { DragomanError } from '../base/errors.ts';

/**
 * Validates a value, and removes unknown fields.
 *
 * @throws DragomanError `invalid_request`: the message begins with `prefix` and the field
 */
export function validate<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  prefix = '',
): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  throw new DragomanError('invalid_request', prefix + describeIssue(result.issues[0]));
}

function describeIssue(issue: v.BaseIssue<unknown>): string {
  const field = v.getDotPath(issue) ?? 'the body';
  // The contract's own messages state what a field must be; the library's messages repeat the value.
  if (!/^(?:Invalid|Expected)/.test(issue.message)) return `${field} ${issue.message}`;
  if (issue.input === undefined) return `${field} is required`;
  return `${field} must be ${TYPES[issue.expected ?? ''] ?? issue.expected ?? 'valid'}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  Object: 'an object',
  Array: 'an array',
};

/**
 * A text of 1 to `max` code points. The metadata passes the bounds on to JSON Schema, which also counts code points.
 */
export function textField(max: number) {
  return v.pipe(
    v.string(),
    v.nonEmpty('cannot be empty'),
    v.check(
      (text) => countCodePoints(text, max) <= max,
      `cannot be longer than ${max.toLocaleString('en')} characters`,
    ),
    v.metadata({ minLength: 1, maxLength: max }),
  );
}

/** No spelling of a language code is longer. */
export const MAX_CODE = 40;

/** A language code in any spelling; `auto` for a source. The service checks whether a code is valid. */
export const languageCode = v.pipe(
  v.string(),
  v.nonEmpty('cannot be empty'),
  v.maxLength(MAX_CODE, 'is not a language code'),
);

export const count = v.pipe(
  v.number(),
  v.integer('must be a whole number'),
  v.minValue(0, 'cannot be negative'),
);

/** ISO 8601, date and time. */
export const timestamp = v.pipe(
  v.string(),
  v.regex(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/,
    'must be an ISO 8601 time',
  ),
  v.metadata({ format: 'date-time' }),
);

export const uuid = v.pipe(v.string(), v.uuid('must be a UUID'));
