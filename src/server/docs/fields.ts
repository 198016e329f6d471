import type { JsonSchema } from '@valibot/to-json-schema';
import { html, prose, type Markup } from './html.ts';

type Definition = NonNullable<JsonSchema['items']>;

/** The fields of a schema as a table: name, type, what it is. Named schemas are shown where they are used. */
export class FieldTables {
  readonly #components: Readonly<Record<string, JsonSchema>>;

  constructor(components: Readonly<Record<string, JsonSchema>>) {
    this.#components = components;
  }

  /** @param component the name of a schema */
  ofComponent(component: string): Markup {
    const schema = this.#components[component];
    return schema ? this.of(schema) : html``;
  }

  of(schema: JsonSchema): Markup {
    const rows = this.#rows(schema, '');
    if (rows.length === 0) return html``;
    return html`<div class="table">
      <table>
        <thead>
          <tr>
            <th>Field</th>
            <th>Type</th>
            <th>Notes</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>`;
  }

  #rows(schema: JsonSchema, prefix: string): readonly Markup[] {
    const resolved = this.#resolve(schema);
    if (resolved.type === 'array') return this.#rows(single(resolved.items), `${prefix}[]`);
    return Object.entries(resolved.properties ?? {}).flatMap(([name, definition]) => {
      const field = single(definition);
      const path = prefix === '' ? name : `${prefix}.${name}`;
      const optional = resolved.required?.includes(name) === true ? '' : ', optional';
      const row = html`<tr>
        <td><code>${path}</code></td>
        <td>${this.#typeOf(field)}${optional}</td>
        <td>${prose(notesOf(field))}</td>
      </tr> `;
      return [row, ...this.#rows(field, path)];
    });
  }

  #typeOf(schema: JsonSchema): string {
    const { type, anyOf, format, items, ...rest } = this.#resolve(schema);
    if (anyOf) return anyOf.map((one) => this.#typeOf(single(one))).join(' or ');
    if (rest.const !== undefined) return JSON.stringify(rest.const);
    if (type === 'array') return `array of ${this.#typeOf(single(items))}`;
    if (format === 'binary') return 'file';
    return format === 'uuid' ? 'UUID' : String(type);
  }

  #resolve(schema: JsonSchema): JsonSchema {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : { ...this.#components[name], description: schema.description };
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
