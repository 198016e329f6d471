import type { SettingSchema } from '../../src/project/config/schema.ts';
import { USER_SCOPE } from '../../src/project/config/user.ts';
import { cell, code, table } from './markdown.ts';

/** The JSON Schema with its descriptions, which the program itself does not need. */
interface Described extends SettingSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly additionalProperties?: boolean | Described;
  readonly items?: Described;
}

interface Setting {
  readonly path: string;
  readonly schema: Described;
}

/** @param schema the text of the schema */
export function describeSettings(schema: string): string {
  const root = JSON.parse(schema) as Described;
  const settings = Object.entries(root.properties ?? {}).flatMap(([name, one]) => settingsIn(name, one));
  const users = Object.keys(USER_SCOPE.schema.properties ?? {});
  return `# Settings

This chapter is generated from \`schema/dragoman.schema.json\` by \`npm run docs\`. [Configuration](../configuration.md)
explains where settings are written and which one applies.

${table(
  ['setting', 'value', 'meaning'],
  settings.map((setting) => [
    code(setting.path),
    valueOf(setting.schema),
    cell(setting.schema.description ?? ''),
  ]),
)}

Your own configuration, \`~/.config/dragoman/config.yaml\`, may have ${list(users.map(code))}. Only there
can \`engine\` and \`engines\` name \`exec\`, \`engineCommand\` name its command line, and \`formats\` name programs that
read formats.
`;
}

function settingsIn(path: string, schema: Described): readonly Setting[] {
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
    settingsIn(`${path}.${name}`, one),
  );
  const { additionalProperties, items } = schema;
  const named = typeof additionalProperties === 'object' ? inside(`${path}.NAME`, additionalProperties) : [];
  return [{ path, schema }, ...below, ...named, ...(items ? inside(`${path}[]`, items) : [])];
}

/** The items of a list or map, unless they are single values. */
function inside(path: string, schema: Described): readonly Setting[] {
  return schema.type === 'object' ? settingsIn(path, schema).slice(1) : [];
}

function valueOf(schema: Described): string {
  const { type, enum: choices, minimum, maximum, items, additionalProperties } = schema;
  if (choices) return choices.map(code).join(', ');
  if (type === 'array') return items?.type === 'object' ? 'list of objects' : 'list of strings';
  if (type === 'object') {
    const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    return values ? `by name: ${values.type === 'object' ? 'object' : valueOf(values)}` : 'object';
  }
  if (typeof type !== 'string') return type.map((one) => valueOf({ ...schema, type: one })).join(' or ');
  if (type !== 'integer') return type;
  return maximum === undefined ? `whole number from ${minimum ?? 0}` : `${minimum ?? 0} to ${maximum}`;
}

function list(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}
