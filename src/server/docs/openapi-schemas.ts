import { toJsonSchemaDefs, type ConversionConfig, type JsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { fieldDescriptions } from '../../contract/descriptions.ts';
import { job, translatedFile, webhookPayload } from '../../contract/jobs.ts';
import { operations, type Operation } from '../../contract/operations.ts';
import { batchItem, translation } from '../../contract/texts.ts';

/** A part of the document. */
export type SchemaObject = Readonly<Record<string, unknown>>;

export interface ContractSchemas {
  /** Name to schema: `components.schemas` of the document. */
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** The name in `components` of a contract schema. */
  readonly nameOf: (schema: GenericSchema) => string;
}

/**
 * Converts the contract's schemas to JSON Schemas. Checks without an equivalent are added to the description. Throws if
 * a schema would lose anything else.
 */
export function convertContract(): ContractSchemas {
  const names = nameSchemas();
  const definitions = Object.fromEntries([...names].map(([schema, name]) => [name, schema]));
  const components = toJsonSchemaDefs(definitions, CONVERSION);
  for (const component of Object.values(components)) describeFields(component);
  return {
    components,
    nameOf: (schema) => {
      const name = names.get(schema);
      if (name === undefined) throw new Error('a schema of the contract has no name');
      return name;
    },
  };
}

const CONVERSION: Omit<ConversionConfig, 'definitions'> = {
  target: 'draft-2020-12',
  typeMode: 'input',
  errorMode: 'throw',
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideAction: ({ valibotAction, jsonSchema }) => {
    if (valibotAction.type !== 'check') return undefined;
    const message: unknown = 'message' in valibotAction ? valibotAction.message : undefined;
    if (typeof message !== 'string') throw new Error('a check of the contract has no text');
    const before = jsonSchema.description === undefined ? '' : `${jsonSchema.description} `;
    return { ...jsonSchema, description: `${before}It ${message}.` };
  },
};

/** Requests and responses are named after the first operation that uses them. */
function nameSchemas(): ReadonlyMap<GenericSchema, string> {
  const names = new Map<GenericSchema, string>([
    [translation, 'Translation'],
    [batchItem, 'BatchItem'],
    [job, 'Job'],
    [translatedFile, 'TranslatedFile'],
    [webhookPayload, 'WebhookPayload'],
  ]);
  for (const [id, { carries, request, response }] of Object.entries<Operation>(operations)) {
    const name = id.charAt(0).toUpperCase() + id.slice(1);
    // Query fields become parameters, and form fields are sent with the file: see convertFields.
    if (request && carries === 'json' && !names.has(request)) names.set(request, `${name}Request`);
    if (response && !names.has(response)) names.set(response, `${name}Response`);
  }
  return names;
}

/** The fields of a contract object schema that is used as a query, not as a body. */
export function convertFields(schema: GenericSchema): JsonSchema {
  const { fields } = toJsonSchemaDefs({ fields: schema }, CONVERSION);
  describeFields(fields);
  return fields;
}

/** A form with a file and the fields of the contract. */
export function convertForm(schema: GenericSchema): JsonSchema {
  const { properties, required = [], ...rest } = convertFields(schema);
  const file: JsonSchema = {
    type: 'string',
    format: 'binary',
    contentMediaType: 'application/octet-stream',
    description: fieldDescriptions['file'],
  };
  return { ...rest, properties: { file, ...properties }, required: ['file', ...required] };
}

/** Puts each field's description before the text of its checks. */
function describeFields(schema: NonNullable<JsonSchema['items']>): void {
  if (typeof schema !== 'object' || Array.isArray(schema)) return;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const description = fieldDescriptions[name];
    if (typeof field === 'object' && description !== undefined) {
      field.description = [description, field.description].filter((part) => part !== undefined).join(' ');
    }
    describeFields(field);
  }
  if (schema.items !== undefined) describeFields(schema.items);
}
