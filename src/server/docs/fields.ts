import type { JsonSchema } from '@valibot/to-json-schema';
import type { ApiOperation } from './document.ts';
import { html, prose, scrollable, type Markup } from './html.ts';

type Definition = NonNullable<JsonSchema['items']>;
type Parameter = NonNullable<ApiOperation['parameters']>[number];

const HEAD = ['Field', 'Type', 'Notes'];

/** The fields of a schema as a table: name, type, description. Named schemas are expanded where they are used. */
export class FieldTables {
  readonly #resolve: (schema: JsonSchema) => JsonSchema;

  /** @param resolve returns the schema that a reference names */
  constructor(resolve: (schema: JsonSchema) => JsonSchema) {
    this.#resolve = resolve;
  }

  of(schema: JsonSchema, label: string): Markup {
    const rows = this.#rows(schema, '');
    return rows.length === 0 ? html`` : scrollable(label, HEAD, rows);
  }

  ofParameters(parameters: readonly Parameter[], label: string): Markup {
    const rows = parameters.map(({ name, required, schema, description = schema.description }) =>
      this.#row(name, required, { ...schema, description }),
    );
    return scrollable(label, HEAD, rows);
  }

  #rows(schema: JsonSchema, prefix: string): readonly (readonly Markup[])[] {
    const resolved = this.#resolve(schema);
    if (resolved.type === 'array') return this.#rows(single(resolved.items), `${prefix}[]`);
    return Object.entries(resolved.properties ?? {}).flatMap(([name, definition]) => {
      const field = single(definition);
      const path = prefix === '' ? name : `${prefix}.${name}`;
      const row = this.#row(path, resolved.required?.includes(name) === true, field);
      return [row, ...this.#rows(field, path)];
    });
  }

  #row(path: string, isRequired: boolean, field: JsonSchema): readonly Markup[] {
    const optional = isRequired ? '' : ', optional';
    return [
      html`<code>${path}</code>`,
      html`${this.#typeOf(field)}${optional}`,
      prose(notesOf(this.#resolve(field))),
    ];
  }

  #typeOf(schema: JsonSchema): string {
    const { type, anyOf, format, items, ...rest } = this.#resolve(schema);
    if (anyOf) return anyOf.map((one) => this.#typeOf(single(one))).join(' or ');
    if (rest.const !== undefined) return JSON.stringify(rest.const);
    if (type === 'array') return `array of ${this.#typeOf(single(items))}`;
    if (format === 'binary') return 'file';
    return format === 'uuid' ? 'UUID' : String(type);
  }
}

function single(definition: Definition | undefined): JsonSchema {
  return typeof definition === 'object' && !Array.isArray(definition) ? definition : {};
}

function notesOf(schema: JsonSchema): string {
  const notes = [schema.description];
  if (schema.enum) notes.push(`One of ${schema.enum.map((value) => `\`${show(value)}\``).join(', ')}.`);
  if (schema.minItems !== undefined && schema.maxItems !== undefined) {
    notes.push(`${schema.minItems} to ${schema.maxItems} entries.`);
  }
  if (schema.default !== undefined) notes.push(`Default: \`${show(schema.default)}\`.`);
  return notes.filter((note) => note !== undefined).join(' ');
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
