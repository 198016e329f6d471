import { webhook } from '../../contract/examples.ts';
import { topics } from '../../contract/operation.ts';
import { WEBHOOK_RETRIES, WEBHOOK_TIMEOUT_MS } from '../../contract/limits.ts';
import { WEBHOOK_EVENT, webhookPayload, FILE_TYPES } from '../../contract/jobs.ts';
import { operations, OPERATION_IDS, type Operation, type OperationId } from '../../contract/operations.ts';
import type { JsonSchema } from '@valibot/to-json-schema';
import type { ApiDocument, ApiOperation, ApiResponse } from './document.ts';
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
import * as contract from '../../contract/limits.ts';

/**
 * The service's API as an OpenAPI 3.1 document, generated from the contract's operations table and schemas.
 *
 * @param baseUrl the service's address, without a slash at the end
 */
export function openApiDocument(baseUrl: string): ApiDocument {
  const schemas = convertContract();
  const paths: Record<string, Record<string, ApiOperation>> = {};
  for (const id of OPERATION_IDS) {
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

/** This failure is the only one with the same body as a successful answer. */
function describeUnhealthy(
  { response, example: { response: healthy } }: Operation,
  schemas: ContractSchemas,
): ApiResponse & SchemaObject {
  if (!response) throw new Error('GET /health has no response schema');
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
      'Content-Disposition': { description: 'Contains the file name.', schema: { type: 'string' } },
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
          'The event is sent again, but not before `Retry-After`. After any other answer, or none, the event is sent again too.',
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
      'One or more signatures, separated by spaces. Each is `v1,` and the base64 of an HMAC-SHA256 of ' +
      '`{webhook-id}.{webhook-timestamp}.{body}`, whose key is the part of the secret after `whsec_`, ' +
      'decoded from base64.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
} as const;

/** The document's text apart from its operations, in CommonMark with tables. */
function overview(): string {
  return [
    `Every request except \`GET /health\` needs the header \`X-API-KEY\` (case-sensitive). If the key is valid, the
answer has the state of its rate limit. A machine-readable description is
[openapi.json](openapi.json) (OpenAPI 3.1).`,
    section('Limits', limits()),
    section('Credits', credits()),
    section('Errors', errors()),
    section('Webhooks', webhooks()),
  ].join('\n\n');
}

const section = (title: string, text: string): string => `## ${title}\n\n${text}`;

function limits(): string {
  const number = (value: number): string => value.toLocaleString('en');
  const rows = [
    [
      'Requests of a key',
      `${contract.RATE_LIMIT} in a window of ${contract.RATE_WINDOW_MS / 1000} seconds, unless the operator chose otherwise`,
    ],
    ['text, subject', `1 to ${number(contract.MAX_TEXT)} characters`],
    ['texts', `1 to ${contract.MAX_TEXTS} entries`],
    ['html', `1 to ${number(contract.MAX_HTML)} characters`],
    ['email_body', `1 to ${number(contract.MAX_EMAIL_BODY)} characters`],
    [
      'file of a job',
      `${contract.MAX_FILE_BYTES >> 20} MiB (${number(contract.MAX_FILE_BYTES)} bytes); ${Object.keys(FILE_TYPES).join(', ')}`,
    ],
    ['target_languages of a job', `1 to ${contract.MAX_TARGET_LANGUAGES}`],
    [
      'A webhook',
      `${contract.WEBHOOK_TIMEOUT_MS / 1000} seconds to answer, ${contract.WEBHOOK_RETRIES} retries`,
    ],
  ] as const;
  return `${table(['What', 'Limit'], rows)}

Characters are Unicode code points. Answers to requests with a valid key have \`X-RateLimit-Limit\`,
\`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (seconds since 1970); a 429 answer also has \`Retry-After\` (seconds). A
server without a rate limit sends none of them.`;
}

function credits(): string {
  const rows = Object.values(operations).map(
    ({ method, path, price }) => [`${method} ${path}`, price] as const,
  );
  return `${table(['Operation', 'Credits'], rows)}

Credits are reserved before the work and charged for what succeeds: a request that fails costs nothing. If the
account lacks credits, the request is refused with 402 before any work is done.`;
}

function table(head: readonly [string, string], rows: readonly (readonly [string, string])[]): string {
  return [head, ['---', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function errors(): string {
  return `Every error is a JSON object with one field \`detail\`; a download's 400 and 404 have \`error\` instead. Unknown paths
get 404, other methods 405.

\`\`\`json
{"detail": "insufficient credits: 3 remaining, 10 required"}
\`\`\`

${listing('A missing key', 'missing')} ${listing('An unknown key', 'invalid')} A key that was revoked
or reset, or has expired, gets 403 everywhere.

After 429 and 503, wait for the time in \`Retry-After\`, then send the request again. A request whose
answer was lost may have been processed and charged.`;
}

function listing(what: string, kind: 'missing' | 'invalid'): string {
  const named = Object.values<Operation>(operations).filter(({ key }) => key?.[kind] === 401);
  return `${what} gets 401 from ${named.map(({ method, path }) => `\`${method} ${path}\``).join(', ')}, and 403 elsewhere.`;
}

/** Runs unchanged with Node. The secret is the account's (`dragoman keys webhook-secret`). */
export const VERIFY_EXAMPLE = `import { createHmac, timingSafeEqual } from 'node:crypto';

// headers: names in lower case. body: the bytes as they arrived, before anything parses them.
export function isGenuine(secret, headers, body) {
  const id = headers['${WEBHOOK_HEADERS.id}'];
  const timestamp = headers['${WEBHOOK_HEADERS.timestamp}'];
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!id || !(age <= 300)) return false; // refuses recorded requests that are sent again later
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body).digest();
  return (headers['${WEBHOOK_HEADERS.signature}'] ?? '').split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
`;

function webhooks(): string {
  return `When a job that was created with a \`webhook_url\` has ended, \`${WEBHOOK_EVENT}\` is sent there with POST. Answer with
a status of 200-299 within ${contract.WEBHOOK_TIMEOUT_MS / 1000} seconds; otherwise the event is sent again, up to
${contract.WEBHOOK_RETRIES} times, with growing pauses. It may arrive more than once with the same \`${WEBHOOK_HEADERS.id}\`:
remember the ids that you have processed.

Only HTTPS addresses are called, with a valid certificate; redirects are not followed. Requests are signed according to
Standard Webhooks: check the signature before you trust one.

\`\`\`js
${VERIFY_EXAMPLE}\`\`\``;
}
