import { webhook } from '../../contract/examples.ts';
import { topics } from '../../contract/operation.ts';
import { WEBHOOK_RETRIES, WEBHOOK_TIMEOUT_MS } from '../../contract/limits.ts';
import { WEBHOOK_EVENT, webhookPayload } from '../../contract/jobs.ts';
import { operations, type Operation, type OperationId } from '../../contract/operations.ts';
import type { JsonSchema } from '@valibot/to-json-schema';
import type { ApiDocument, ApiOperation, ApiResponse } from './document.ts';
import { overview } from './overview.ts';
import { WEBHOOK_HEADERS } from '../../webhooks/signature.ts';
import {
  errorSchemas,
  failureResponses,
  headerComponents,
  referHeaders,
  responseComponents,
  successHeaders,
} from './openapi-responses.ts';
import {
  convertContract,
  convertFields,
  convertForm,
  type ContractSchemas,
  type SchemaObject,
} from './openapi-schemas.ts';

/**
 * The interface of the service as an OpenAPI 3.1 document, made from the contract's table of operations and its schemas.
 *
 * @param baseUrl where the service is reached, without a slash at the end
 */
export function openApiDocument(baseUrl: string): ApiDocument {
  const schemas = convertContract();
  const paths: Record<string, Record<string, ApiOperation>> = {};
  for (const id of Object.keys(operations).filter(isOperation)) {
    const operation: Operation = operations[id];
    const item = (paths[operation.path] ??= {});
    item[operation.method.toLowerCase()] = describeOperation(id, operation, schemas);
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Translation service',
      version: '2.0.0',
      summary: 'Translates texts, documents and localization files, and detects languages.',
      description: overview(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: [{ key: [] }],
    tags: Object.entries(topics).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: { [WEBHOOK_EVENT]: { post: describeWebhook(schemas) } },
    components: {
      securitySchemes: {
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-KEY',
          description: 'The name of the header is case-sensitive; spaces around the key make it invalid.',
        },
      },
      schemas: { ...schemas.components, ...errorSchemas },
      headers: headerComponents,
      responses: responseComponents(),
    },
  };
  return document;
}

function isOperation(id: string): id is OperationId {
  return Object.hasOwn(operations, id);
}

const FILE_EXAMPLE = '{"greeting": "Hello, {name}!"}';

function describeOperation(id: OperationId, operation: Operation, schemas: ContractSchemas): ApiOperation {
  const { topic, summary, description, price } = operation;
  const parameters = [...pathParameters(operation), ...queryParameters(operation)];
  const body = requestBody(operation, schemas);
  return {
    operationId: id,
    tags: [topic],
    summary,
    description: `${description} Credits: ${price}.`,
    ...(operation.key ? {} : { security: [] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: {
      [operation.status]: describeSuccess(operation, schemas),
      ...failureResponses(operation),
      ...(id === 'health' && { 503: describeUnhealthy(operation, schemas) }),
    },
  };
}

/** The only failure whose body is the one of the success. */
function describeUnhealthy(
  { response, example: { response: healthy } }: Operation,
  schemas: ContractSchemas,
): ApiResponse & SchemaObject {
  if (!response) throw new Error('the health has no body');
  const example = { ...healthy, status: 'unhealthy', detail: 'the store does not answer' };
  return {
    description: 'The store or a disk does not answer: the server cannot do its work now.',
    headers: referHeaders(['X-Request-Id', 'Retry-After']),
    content: { 'application/json': { schema: refer(schemas, response), example } },
  };
}

type Parameters = NonNullable<ApiOperation['parameters']>;

function pathParameters({ path }: Operation): Parameters {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: 'Identifier of the job.',
    schema: { type: 'string', format: 'uuid' },
    example: webhook.job_id,
  }));
}

function queryParameters({ carries, request, example }: Operation): Parameters {
  if (carries !== 'query' || !request) return [];
  const { properties = {}, required = [] } = convertFields(request);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: typeof schema === 'object' ? schema : {},
    example: Object.entries(example.request ?? {}).find(([field]) => field === name)?.[1],
  }));
}

function requestBody(
  { carries, request, example: { request: example } }: Operation,
  schemas: ContractSchemas,
): ApiOperation['requestBody'] {
  if (!request || carries === 'query') return undefined;
  return carries === 'form'
    ? { required: true, content: { 'multipart/form-data': describeForm(request, example) } }
    : { required: true, content: { 'application/json': { schema: refer(schemas, request), example } } };
}

type Body = NonNullable<ApiOperation['requestBody']>['content'][string];

function describeForm(
  request: NonNullable<Operation['request']>,
  example: object | undefined,
): Body & SchemaObject {
  return {
    schema: convertForm(request),
    encoding: { file: { contentType: 'application/octet-stream' } },
    example: { file: FILE_EXAMPLE, ...example },
  };
}

function refer(schemas: ContractSchemas, schema: NonNullable<Operation['request']>): JsonSchema {
  return { $ref: `#/components/schemas/${schemas.nameOf(schema)}` };
}

function describeSuccess(operation: Operation, schemas: ContractSchemas): ApiResponse & SchemaObject {
  const headers = successHeaders(operation);
  if (operation.response) {
    const content = { schema: refer(schemas, operation.response), example: operation.example.response };
    return { description: 'Success.', headers, content: { 'application/json': content } };
  }
  return {
    description: 'The translated file.',
    headers: {
      ...headers,
      'Content-Disposition': { description: 'Has the name of the file.', schema: { type: 'string' } },
    },
    content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
  };
}

function describeWebhook(schemas: ContractSchemas): ApiOperation {
  return {
    operationId: 'jobEnded',
    tags: ['Jobs'],
    summary: 'A job has ended',
    description:
      `Sent to the \`webhook_url\` of the job, with headers of Standard Webhooks. An answer within ` +
      `${WEBHOOK_TIMEOUT_MS / 1000} seconds with a status of 200-299 acknowledges it; otherwise it is sent up to ` +
      `${WEBHOOK_RETRIES} more times. It may arrive more than once, with the same \`webhook-id\` and the same body.`,
    security: [],
    parameters: Object.entries(SIGNED_HEADERS).map(([name, { description, example }]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
      example,
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: refer(schemas, webhookPayload), example: webhook } },
    },
    responses: {
      '2XX': { description: 'The event is acknowledged.' },
      410: { description: 'The receiver is gone: the event is not sent again.' },
      '4XX': {
        description:
          'The event is sent again, as after any other answer or none, but not before `Retry-After`.',
      },
    },
  };
}

const SIGNED_HEADERS = {
  [WEBHOOK_HEADERS.id]: {
    description: 'Identifier of the event, the same at every attempt.',
    example: `msg_${webhook.job_id}`,
  },
  [WEBHOOK_HEADERS.timestamp]: {
    description: 'When the attempt was made, in seconds since 1970-01-01T00:00:00Z.',
    example: '1767225600',
  },
  [WEBHOOK_HEADERS.signature]: {
    description:
      'One or more signatures, separated by spaces, each `v1,` and the base64 of an HMAC-SHA256 of ' +
      '`{webhook-id}.{webhook-timestamp}.{body}` with the bytes that the secret has after `whsec_`, in base64.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
} as const;
