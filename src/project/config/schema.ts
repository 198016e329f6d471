import { DragomanError, type Location } from '../../base/errors.ts';
import { nearest, withSuggestion } from '../../base/nearest.ts';
import { isObject } from '../../base/json.ts';

/**
 * The part of JSON Schema that the configuration's schema uses. {@link findViolation} supports exactly these keywords.
 */
export interface SettingSchema {
  /** The allowed types: a value is checked as the one that it resembles, otherwise as the first. */
  readonly type: SchemaType | readonly SchemaType[];
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly additionalProperties?: boolean | SettingSchema;
  readonly required?: readonly string[];
  readonly items?: SettingSchema;
  readonly minItems?: number;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

type SchemaType = 'object' | 'array' | 'string' | 'integer' | 'boolean';

export type ValuePath = readonly (string | number)[];

export interface Violation {
  readonly path: ValuePath;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Finds the first part of `value` that violates the schema. */
export function findViolation(
  value: unknown,
  schema: SettingSchema,
  path: ValuePath = [],
): Violation | undefined {
  const name = path.length === 0 ? 'the configuration' : `\`${formatPath(path)}\``;
  return FINDERS[typeFor(value, schema)](value, schema, path, name);
}

function typeFor(value: unknown, { type }: SettingSchema): SchemaType {
  if (typeof type === 'string') return type;
  const own = typeof value === 'string' ? 'string' : 'array';
  return type.find((known) => known === own) ?? type[0] ?? 'object';
}

/** Finds a violation in a value of one type. @param name of the value, for messages */
type Finder = (value: unknown, schema: SettingSchema, path: ValuePath, name: string) => Violation | undefined;

const FINDERS: Readonly<Record<SchemaType, Finder>> = {
  object(value, schema, path, name) {
    if (!isObject(value)) return { path, message: `${name} must be an object` };
    const known = Object.keys(schema.properties ?? {});
    const missing = schema.required?.find((key) => !Object.hasOwn(value, key));
    if (missing !== undefined) return { path, message: `${name} needs a \`${missing}\`` };
    return first(Object.keys(value), (key) => {
      const at = [...path, key];
      const member = known.includes(key) ? schema.properties?.[key] : schema.additionalProperties;
      if (typeof member === 'object') return findViolation(value[key], member, at);
      if (member === true) return undefined;
      return {
        path: at,
        message: `\`${formatPath(at)}\` is not a setting`,
        hint: withSuggestion(nearest(key, known), `Allowed here: ${known.join(', ')}.`),
      };
    });
  },

  array(value, schema, path, name) {
    if (!Array.isArray(value)) return { path, message: `${name} must be a list` };
    if (value.length < (schema.minItems ?? 0)) return { path, message: `${name} must not be empty` };
    const items: readonly unknown[] = value;
    return first(items, (item, i) => schema.items && findViolation(item, schema.items, [...path, i]));
  },

  string(value, schema, path, name) {
    if (typeof value !== 'string') return { path, message: `${name} must be a string` };
    if (schema.enum && !schema.enum.includes(value)) {
      const hint = withSuggestion(nearest(value, schema.enum), `One of: ${schema.enum.join(', ')}.`);
      return { path, message: `${name} cannot be ${JSON.stringify(value)}`, hint };
    }
    if (value.length < (schema.minLength ?? 0)) return { path, message: `${name} is too short` };
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) {
      return { path, message: `${name} cannot be ${JSON.stringify(value)}` };
    }
    return undefined;
  },

  integer(value, { minimum = -Infinity, maximum = Infinity }, path, name) {
    if (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum) return undefined;
    return { path, message: `${name} must be a whole number from ${minimum} to ${maximum}` };
  },

  boolean: (value, _schema, path, name) =>
    typeof value === 'boolean' ? undefined : { path, message: `${name} must be true or false` },
};

/** Whether a schema uses only supported keywords. */
export function isSchema(value: unknown): value is SettingSchema {
  if (!isObject(value)) return false;
  const types: readonly unknown[] = Array.isArray(value['type']) ? value['type'] : [value['type']];
  if (!types.every((type) => typeof type === 'string' && Object.hasOwn(FINDERS, type))) return false;
  const { properties = {}, additionalProperties = true, items } = value;
  if (Object.keys(value).some((keyword) => !KEYWORDS.has(keyword)) || !isObject(properties)) return false;
  if (typeof additionalProperties !== 'boolean' && !isSchema(additionalProperties)) return false;
  return (items === undefined || isSchema(items)) && Object.values(properties).every(isSchema);
}

const KEYWORDS = new Set(
  (
    '$schema title description type properties additionalProperties required items ' +
    'minItems enum minLength pattern minimum maximum'
  ).split(' '),
);

function first<T>(
  items: readonly T[],
  find: (item: T, index: number) => Violation | undefined,
): Violation | undefined {
  for (const [i, item] of items.entries()) {
    const violation = find(item, i);
    if (violation) return violation;
  }
  return undefined;
}

/** `files[0].target` */
export function formatPath(path: ValuePath): string {
  return path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`))
    .join('');
}

/** A configuration as written: its data, and the positions of its parts. */
export interface ConfigurationFile {
  readonly path: string;
  readonly value: unknown;
  /** The position of a setting; the start of the file if the setting is absent. */
  placeOf(path: ValuePath): Location;
  /** An error in this file, at the setting if its position is known. */
  errorAt(path: ValuePath, message: string, hint?: string): DragomanError;
}

/** A file whose errors are at the positions of its settings. */
export function configurationFile(
  path: string,
  value: unknown,
  placeOf: ConfigurationFile['placeOf'],
): ConfigurationFile {
  const errorAt: ConfigurationFile['errorAt'] = (at, message, hint) =>
    new DragomanError('configuration', message, { hint, at: placeOf(at) });
  return { path, value, placeOf, errorAt };
}

/** Settings have at most five levels, but a file may have more, and parsers recurse for each. */
export const MAX_DEPTH = 100;

export function nestedTooDeeply(at: Location): DragomanError {
  return new DragomanError('limit_exceeded', `values are nested more than ${MAX_DEPTH} deep`, { at });
}
