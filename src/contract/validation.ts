import * as v from 'valibot';
import { DragomanError } from '../base/errors.ts';

/**
 * The value as the schema describes it. Fields that the schema does not have are left out.
 *
 * @throws DragomanError `invalid_request`: the message begins with `prefix` and the field.
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
  // Messages of the contract's own say what a field must be; those of the library repeat the value.
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
