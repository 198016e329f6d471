import * as v from 'valibot';
import { countCodePoints } from '../base/code-points.ts';

/** A text of 1 to `max` code points. The metadata carry the bounds into a JSON Schema, which counts code points too. */
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

/** A language code in any spelling; `auto` where it is a source. Whether it is one, and which, the service knows. */
export const languageCode = v.pipe(
  v.string(),
  v.nonEmpty('cannot be empty'),
  v.maxLength(MAX_CODE, 'is no language code'),
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
