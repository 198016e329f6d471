import { ANSWER_SCHEMA } from './prompt.ts';

/** Which of the parameters that not every server and model takes are sent. */
export interface Dialect {
  readonly format: 'schema' | 'object' | 'plain';
  readonly temperature: boolean;
}

/** The most that a server can be asked for. */
export const RICHEST: Dialect = { format: 'schema', temperature: true };

/**
 * What to ask for after a server refused a dialect; undefined when nothing is left. Servers that say which parameter it
 * was save the tries between: models that reason take no temperature, and some servers know no schema, or nothing but it.
 *
 * @param parameter what the refusal names as its reason
 */
export function poorerDialect(
  { format, temperature }: Dialect,
  parameter: string | undefined,
): Dialect | undefined {
  if (temperature && parameter === 'temperature') return { format, temperature: false };
  if (format === 'schema') return { format: 'object', temperature };
  if (format === 'object') return { format: 'plain', temperature };
  return temperature ? { format: 'schema', temperature: false } : undefined;
}

/** The fields of a request that the dialect has. */
export function writeDialect({ format, temperature }: Dialect): object {
  return {
    ...(temperature && { temperature: 0 }),
    ...(format === 'schema' && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'translations', strict: true, schema: ANSWER_SCHEMA },
      },
    }),
    ...(format === 'object' && { response_format: { type: 'json_object' } }),
  };
}
