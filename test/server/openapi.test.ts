import { createConfig, lintFromString, type NormalizedProblem } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { fieldDescriptions } from '../../src/contract/descriptions.ts';
import { webhook } from '../../src/contract/examples.ts';
import { requests, responses } from '../contract/examples.ts';
import { webhookPayload } from '../../src/contract/jobs.ts';
import * as limits from '../../src/contract/limits.ts';
import { operations, type Operation } from '../../src/contract/operations.ts';
import { validate } from '../../src/contract/validation.ts';
import { openApiDocument } from '../../src/server/docs/openapi.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- walks the document as its readers do
type Json = any;

const document: Json = JSON.parse(JSON.stringify(openApiDocument('https://translate.test')));
const table = Object.entries<Operation>(operations);

async function lint(source: Json): Promise<readonly NormalizedProblem[]> {
  const config = await createConfig({ extends: ['recommended'] });
  return lintFromString({ source: JSON.stringify(source), absoluteRef: '/openapi.json', config });
}

const describedAs = ({ path, method }: Operation): Json => document.paths[path][method.toLowerCase()];

/** The target of a reference, merged with the reference's siblings. */
function resolve(part: Json): Json {
  if (typeof part?.$ref !== 'string') return part;
  const found = part.$ref
    .slice(2)
    .split('/')
    .reduce((at: Json, name: string) => at?.[name], document);
  expect(found, part.$ref).toBeDefined();
  return { ...found, ...part };
}

function* fieldsOf(schema: Json): Generator<readonly [string, Json]> {
  for (const [name, field] of Object.entries<Json>(schema?.properties ?? {})) {
    yield [name, field];
    yield* fieldsOf(field);
    yield* fieldsOf(field.items);
  }
}

describe('the OpenAPI document', () => {
  it('passes a linter, with one intended exception', async () => {
    const problems = (await lint(document)).map(
      ({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`,
    );
    // A health request cannot be wrong.
    expect(problems).toEqual(['operation-4xx-response #/paths/~1health/get/responses']);
  });

  it('does not pass the linter with an example that does not match its schema', async () => {
    const broken = structuredClone(document);
    broken.paths['/v2/translate'].post.requestBody.content['application/json'].example = { text: 5 };
    expect((await lint(broken)).map(({ ruleId }) => ruleId)).toContain('no-invalid-media-type-examples');
  });

  it('has every operation of the table and nothing else', () => {
    const described = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(
        ([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`,
      ),
    );
    expect(described).toEqual(table.map(([id, { method, path }]) => `${method} ${path} ${id}`));
  });

  it.each(table)('%s has its parts', (id, operation) => {
    const described = describedAs(operation);
    expect(described.summary).not.toBe('');
    expect(described.tags).toHaveLength(1);
    expect(document.tags.map(({ name }: Json) => name)).toContain(described.tags[0]);
    expect(described.security ?? document.security).toEqual(operation.key ? [{ key: [] }] : []);
    const success = described.responses[operation.status];
    const [type, content] = Object.entries<Json>(success.content)[0] ?? [];
    expect(type).toBe(operation.response ? 'application/json' : '*/*');
    expect(content.example).toEqual(operation.response ? responses[id as keyof typeof responses] : undefined);
    expect(Object.keys(success.headers).filter((name) => name.startsWith('X-RateLimit-'))).toHaveLength(
      operation.key ? 3 : 0,
    );
  });

  it('documents the health answer of a server whose store is unavailable', () => {
    const described = describedAs(operations.health).responses['503'];
    expect(described.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/HealthResponse',
    });
    expect(Object.keys(described.headers)).toEqual(['X-Request-Id', 'Retry-After']);
  });

  it.each(table)('%s has its errors', (id, operation) => {
    const { responses: described } = describedAs(operation);
    if (id === 'health') return;
    const named = [...operation.failures, ...Object.values(operation.key ?? {})];
    for (const status of named) expect(described).toHaveProperty([status]);
    for (const [status, reference] of Object.entries<Json>(described)) {
      if (Number(status) < 400) continue;
      const { content, headers } = resolve(reference);
      const { schema, example } = content['application/json'];
      const field =
        operation.errorField === 'error' && (status === '400' || status === '404') ? 'error' : 'detail';
      expect(resolve(schema).required, status).toEqual([field]);
      expect(typeof example[field]).toBe('string');
      const expected =
        status === '401' || status === '403' ? 1 : status === '429' || status === '503' ? 5 : 4;
      expect(Object.keys(headers), status).toHaveLength(expected);
      for (const [name, header] of Object.entries<Json>(headers)) {
        expect(resolve(header).schema.type).toBe(name === 'X-Request-Id' ? 'string' : 'integer');
      }
    }
  });

  it('documents the accepted bodies and parameters', () => {
    for (const [id, operation] of table) {
      const { requestBody, parameters = [] } = describedAs(operation);
      const types = Object.keys(requestBody?.content ?? {});
      const { carries } = operation;
      expect(types, id).toEqual(
        carries === 'json' ? ['application/json'] : carries === 'form' ? ['multipart/form-data'] : [],
      );
      expect(parameters.map(({ name }: Json) => name)).toEqual([
        ...(operation.path.includes('{job_id}') ? ['job_id'] : []),
        ...(id === 'downloadJob' ? ['language_code'] : id === 'listJobs' ? ['limit', 'cursor'] : []),
      ]);
      expect(parameters.every(({ required }: Json) => required === (id !== 'listJobs'))).toBe(true);
    }
    const form = describedAs(operations.createJob).requestBody.content['multipart/form-data'];
    expect(form.schema.required).toEqual(['file', 'target_languages']);
    expect(form.schema.properties).toMatchObject({
      file: { type: 'string', format: 'binary' },
      source_language: { default: 'auto' },
      webhook_url: { format: 'uri', pattern: '^https://' },
    });
  });

  it('documents the key and the event', () => {
    expect(document.components.securitySchemes.key).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'X-API-KEY',
    });
    const { post } = document.webhooks['i18n_translation.completed'];
    expect(post.parameters.map(({ name }: Json) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    const { schema, example } = post.requestBody.content['application/json'];
    expect(resolve(schema).required).toEqual(Object.keys(webhook));
    expect(validate(webhookPayload, example)).toEqual(webhook);
  });

  it('describes exactly the existing fields', () => {
    const schemas: Json[] = Object.values(document.components.schemas);
    schemas.push(describedAs(operations.createJob).requestBody.content['multipart/form-data'].schema);
    const fields = schemas.flatMap((schema) => [...fieldsOf(schema)]);
    expect(fields.filter(([, { description }]) => description === undefined)).toEqual([]);
    const names = new Set([...fields.map(([name]) => name), 'language_code', 'limit', 'cursor']);
    expect(Object.keys(fieldDescriptions).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('limits in the document', () => {
  const text = JSON.stringify(document);

  it('are where the contract has them', () => {
    const limitsOf = (operation: Operation): Json => {
      const fields = resolve(
        describedAs(operation).requestBody.content['application/json'].schema,
      ).properties;
      return Object.fromEntries(
        Object.entries<Json>(fields).map(([name, { minLength, maxLength, minItems, maxItems }]) => [
          name,
          [minLength ?? minItems, maxLength ?? maxItems],
        ]),
      );
    };
    expect(limitsOf(operations.translate)).toMatchObject({ text: [1, limits.MAX_TEXT] });
    expect(limitsOf(operations.detectLanguage)).toMatchObject({ text: [1, limits.MAX_TEXT] });
    expect(limitsOf(operations.translateV1)).toMatchObject({ text: [1, limits.MAX_TEXT] });
    expect(limitsOf(operations.translateBatch)).toMatchObject({ texts: [1, limits.MAX_TEXTS] });
    expect(limitsOf(operations.translateHtml)).toMatchObject({ html: [1, limits.MAX_HTML] });
    expect(limitsOf(operations.translateEmail)).toMatchObject({
      subject: [1, limits.MAX_TEXT],
      email_body: [1, limits.MAX_EMAIL_BODY],
    });
    expect(text).toContain(`of up to ${limits.MAX_FILE_BYTES / 1024 / 1024} MiB`);
    expect(text).toContain(`within ${limits.WEBHOOK_TIMEOUT_MS / 1000} seconds`);
    expect(text).toContain(`up to ${limits.WEBHOOK_RETRIES} more times`);
  });

  it('equal those that the contract checks, at the limit and beyond it', () => {
    let checked = 0;
    for (const [id, operation] of table) {
      const { request, carries } = operation;
      if (!request || carries !== 'json') continue;
      const { properties } = resolve(describedAs(operation).requestBody.content['application/json'].schema);
      for (const [name, { maxLength, maxItems }] of Object.entries<Json>(properties)) {
        const max: number | undefined = maxLength ?? maxItems;
        if (max === undefined) continue;
        const example = requests[id as keyof typeof requests];
        const of = (n: number): unknown => (maxItems ? Array.from({ length: n }, () => 'x') : 'x'.repeat(n));
        expect(() => validate(request, { ...example, [name]: of(max) }), `${id} ${name}`).not.toThrow();
        expect(() => validate(request, { ...example, [name]: of(max + 1) }), `${id} ${name}`).toThrow(name);
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(12);
  });

  it('of a list of codes are in a pattern that agrees with the contract', () => {
    const form = describedAs(operations.createJob).requestBody.content['multipart/form-data'];
    const pattern = new RegExp(form.schema.properties.target_languages.pattern, 'u');
    const list = (n: number): string => Array.from({ length: n }, () => 'zh-CN').join(', ');
    for (const value of ['fr', ' fr , de', list(50), list(51), '', ',', 'fr,', 'fr,,de', ' ', 'fr, ,de']) {
      const taken = ((): boolean => {
        try {
          return Boolean(validate(operations.createJob.request, { target_languages: value }));
        } catch {
          return false;
        }
      })();
      expect(pattern.test(value), value).toBe(taken);
    }
  });

  it('lose no check that a JSON Schema cannot express', () => {
    const messages = table.flatMap(([, { request, response }]) => [request, response].flatMap(checksOf));
    expect(messages.length).toBeGreaterThan(8);
    for (const message of messages) expect(text).toContain(message);
  });
});

/** The texts of the custom checks anywhere in a schema. */
function checksOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, message, pipe, entries, item, wrapped, value } = schema as Json;
  if (type === 'check') return [message];
  return [pipe?.slice(1), Object.values(entries ?? {}), [item], [wrapped], [value]]
    .flatMap((part) => part ?? [])
    .flatMap(checksOf);
}
