import type { JsonSchema } from '@valibot/to-json-schema';

/** The parts of an OpenAPI 3.1 document that the documentation page uses. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly summary: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** By path, then method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  /** By event, then method. */
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: {
    readonly securitySchemes: { readonly key: { readonly name: string } };
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, ApiResponse>>;
  };
}

export interface ApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  /** CommonMark, like all descriptions. */
  readonly description: string;
  /** Empty if no key is needed. */
  readonly security?: readonly object[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, ApiContent>>;
  };
  /** By status. */
  readonly responses: Readonly<Record<string, ApiResponse | ApiReference>>;
}

interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

interface ApiContent {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface ApiResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, ApiContent>>;
}

export interface ApiReference {
  readonly $ref: string;
}

/** Resolves a reference to a response. */
export function responseOf({ components }: ApiDocument, response: ApiResponse | ApiReference): ApiResponse {
  if (!('$ref' in response)) return response;
  const found = components.responses[nameOf(response)];
  if (!found) throw new Error(`the document has no ${response.$ref}`);
  return found;
}

/** Resolves a reference to a schema. */
export function schemaOf({ components }: ApiDocument, schema: JsonSchema): JsonSchema {
  const { $ref, ...own } = schema;
  return $ref === undefined ? schema : { ...components.schemas[nameOf({ $ref })], ...own };
}

function nameOf({ $ref }: ApiReference): string {
  return $ref.split('/').at(-1) ?? '';
}

/** An operation with its path and method. */
export interface PlacedOperation extends ApiOperation {
  /** In capitals. */
  readonly method: string;
  readonly path: string;
}

export function operationsOf(items: ApiDocument['paths']): readonly PlacedOperation[] {
  return Object.entries(items).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}
