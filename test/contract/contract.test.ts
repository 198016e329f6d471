import { countCodePoints } from '../../src/base/code-points.ts';
import fc from 'fast-check';
import type * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import {
  detailOf,
  fileNotFound,
  insufficientCredits,
  JOB_NOT_FOUND,
  KEY_DETAILS,
  rateLimited,
} from '../../src/contract/details.ts';
import { webhookPayload } from '../../src/contract/jobs.ts';
import * as limits from '../../src/contract/limits.ts';
import { operations, type Operation, type OperationId } from '../../src/contract/operations.ts';
import { validate } from '../../src/contract/validation.ts';
import { webhook } from '../../src/contract/examples.ts';
import { requests, responses } from './examples.ts';
import { codePoint } from '../code-point.ts';

const { MAX_EMAIL_BODY, MAX_HTML, MAX_TEXT } = limits;

const table: readonly (readonly [string, Operation])[] = Object.entries(operations);

function messageOf(schema: v.GenericSchema, value: unknown): string {
  try {
    validate(schema, value);
  } catch (error) {
    expect(error).toBeInstanceOf(DragomanError);
    expect((error as DragomanError).code).toBe('invalid_request');
    return (error as DragomanError).message;
  }
  return 'valid';
}

describe('the table of operations', () => {
  it('contains every endpoint of the specification once', () => {
    const endpoints = table.map(([, { method, path }]) => `${method} ${path}`);
    expect(new Set(endpoints).size).toBe(endpoints.length);
    const specified = [
      'DELETE /v2/translate/i18n/jobs/{job_id}',
      'GET /health',
      'GET /v1/supported-languages',
      'GET /v2/account/summary',
      'GET /v2/supported-languages',
      'GET /v2/translate/i18n/jobs',
      'GET /v2/translate/i18n/jobs/{job_id}/download',
      'GET /v2/translate/i18n/jobs/{job_id}/status',
      'POST /v1/language_detect',
      'POST /v1/translate',
      'POST /v2/language_detect',
      'POST /v2/translate',
      'POST /v2/translate/batch',
      'POST /v2/translate/email',
      'POST /v2/translate/html',
      'POST /v2/translate/i18n',
      'POST /v2/translate/subtitles',
    ];
    expect(endpoints).toEqual(expect.arrayContaining(specified));
  });

  it('accepts an answer without validation only if its schema accepts it unchanged', () => {
    const anything = fc.oneof(
      fc.constantFrom<unknown>('', 'x'.repeat(41), -1, 1.5, null, [], {}, true, undefined),
      fc.string(),
      fc.nat(),
    );
    const part = { text: 'a', translation: 'b', source: 'en', target: 'fr', success: true };
    const damaged = (sound: object): fc.Arbitrary<unknown> =>
      fc
        .tuple(fc.constantFrom(...Object.keys(sound), 'error', 'other'), anything)
        .map(([name, value]) => ({ ...sound, [name]: value }));
    const answer = (translations: readonly unknown[]): object => ({
      translations,
      total: 2,
      successful: 1,
      failed: 1,
    });
    const items = fc.array(fc.oneof(fc.constant(part), damaged(part), anything), { maxLength: 3 });
    const { isPlain, response } = operations.translateBatch;
    let plain = 0;
    fc.assert(
      fc.property(fc.oneof(items.map(answer), damaged(answer([part])), anything), (value) => {
        if (!isPlain(value)) return;
        plain++;
        expect(validate(response, value)).toStrictEqual(value);
      }),
      { numRuns: 2_000 },
    );
    expect(plain).toBeGreaterThan(50);
    expect(isPlain(answer([part, { ...part, success: false, error: 'why' }]))).toBe(true);
    expect(isPlain(answer([{ ...part, other: 1 }]))).toBe(false);
  });

  it('requires a key everywhere except for health', () => {
    expect(table.filter(([, { key }]) => !key).map(([id]) => id)).toEqual(['health']);
    expect(operations.accountSummary.key).toMatchObject({ missing: 401, invalid: 401 });
    expect(operations.supportedLanguages.key).toMatchObject({ missing: 401, invalid: 403 });
    expect(operations.translate.key).toMatchObject({ missing: 403, invalid: 403 });
  });

  it('has a schema wherever there are fields', () => {
    for (const [id, { carries, request, response }] of table) {
      expect(request === undefined, id).toBe(carries === 'none');
      expect(response === undefined, id).toBe(id === 'downloadJob');
    }
  });

  it.each(Object.entries(requests))('accepts the request of %s', (id, request) => {
    const operation: Operation = operations[id as OperationId];
    expect(operation.request && validate(operation.request, request)).toEqual(request);
  });

  it.each(Object.entries(responses))('describes the response of %s', (id, response) => {
    const operation: Operation = operations[id as OperationId];
    expect(operation.response && validate(operation.response, response)).toEqual(response);
  });

  it.each(Object.entries(requests))('reports every missing required field of %s', (id, request) => {
    const { request: schema }: Operation = operations[id as OperationId];
    const optional = new Set(['source_language', 'webhook_url']);
    for (const field of Object.keys(request)) {
      const rest = Object.fromEntries(Object.entries(request).filter(([name]) => name !== field));
      const message = schema ? messageOf(schema, rest) : '';
      if (optional.has(field)) expect(message).toBe('valid');
      else expect(message).toBe(`${field} is required`);
    }
  });

  it('lists the subtitle formats', () => {
    const request = { ...requests.translateSubtitles, format: 'ass' };
    expect(messageOf(operations.translateSubtitles.request, request)).toBe('format must be srt or vtt');
  });

  it('describes the payload of a webhook', () => {
    expect(validate(webhookPayload, webhook)).toEqual(webhook);
    expect(messageOf(webhookPayload, { ...webhook, status: 'pending' })).toMatch(/^status must be/);
  });
});

describe('a request beyond a limit', () => {
  const languages = { source: 'en', target: 'fr' };
  const emoji = (n: number): string => '🙂'.repeat(n);

  it.each([
    ['text', operations.translate.request, MAX_TEXT, {}],
    ['text', operations.translateV1.request, MAX_TEXT, {}],
    ['text', operations.detectLanguage.request, MAX_TEXT, {}],
    ['html', operations.translateHtml.request, MAX_HTML, {}],
    ['subject', operations.translateEmail.request, MAX_TEXT, { email_body: '<p>x' }],
    ['email_body', operations.translateEmail.request, MAX_EMAIL_BODY, { subject: 'x' }],
  ])('%s is refused with one code point too many', (field, schema, limit, others) => {
    const request = (text: string): unknown => ({ ...languages, ...others, [field]: text });
    expect(messageOf(schema, request(emoji(limit)))).toBe('valid');
    expect(messageOf(schema, request(emoji(limit + 1)))).toContain(`${field} cannot be longer than`);
    expect(messageOf(schema, request('x'.repeat(limit + 1)))).toContain(`${field} cannot be longer than`);
    expect(messageOf(schema, request('x'))).toBe('valid');
    expect(messageOf(schema, request(''))).toBe(`${field} cannot be empty`);
  });

  it('texts has 1 to 100 entries', () => {
    const request = (n: number): unknown => ({ ...languages, texts: Array.from({ length: n }, () => 'x') });
    const schema = operations.translateBatch.request;
    expect([0, 1, 100, 101].map((n) => messageOf(schema, request(n)))).toEqual([
      'texts must have at least one entry',
      'valid',
      'valid',
      'texts cannot have more than 100 entries',
    ]);
    expect(messageOf(schema, { ...languages, texts: ['a', 1] })).toBe('texts.1 must be a string');
  });

  it('target_languages has 1 to 50 codes', () => {
    const schema = operations.createJob.request;
    const list = (n: number): unknown => ({
      target_languages: Array.from({ length: n }, () => 'fr').join(', '),
    });
    expect(messageOf(schema, list(50))).toBe('valid');
    expect(messageOf(schema, list(51))).toContain('50');
    expect(messageOf(schema, { target_languages: '' })).toContain('target_languages');
    expect(messageOf(schema, { target_languages: 'fr,,es' })).toContain('empty');
    expect(validate(schema, { target_languages: 'fr' })).toMatchObject({ source_language: 'auto' });
  });

  it.each(['http://example.com/', 'example.com', 'ftp://example.com', ''])(
    'webhook_url must not be %j',
    (url) => {
      const request = { target_languages: 'fr', webhook_url: url };
      expect(messageOf(operations.createJob.request, request)).toContain(
        'webhook_url must be a valid HTTPS URL',
      );
    },
  );

  it.each([[null], [undefined], ['text'], [[]]])('a body must not be %j', (body) => {
    expect(messageOf(operations.translate.request, body)).not.toBe('valid');
  });
});

describe('lengths', () => {
  it('are counted in code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.nat(20), (text, limit) => {
        expect(countCodePoints(text)).toBe(Array.from(text).length);
        expect(countCodePoints(text, limit) > limit).toBe(Array.from(text).length > limit);
      }),
    );
  });
});

describe('limits', () => {
  it('are those of the specification', () => {
    expect([limits.MAX_TEXTS, limits.MAX_TARGET_LANGUAGES]).toEqual([100, 50]);
    expect([MAX_TEXT, MAX_HTML, MAX_EMAIL_BODY]).toEqual([5000, 50_000, 150_000]);
    expect([limits.WEBHOOK_TIMEOUT_MS, limits.WEBHOOK_RETRIES]).toEqual([10_000, 3]);
    expect([limits.RATE_LIMIT, limits.RATE_WINDOW_MS]).toEqual([60, 60_000]);
    expect(limits.MAX_FILE_BYTES).toBeGreaterThan(10_000_000);
  });
});

describe('error details', () => {
  it('explain problems with a key, each in different words', () => {
    expect(KEY_DETAILS.missing).toMatch(/X-API-KEY.+required/);
    expect(KEY_DETAILS.invalid).toMatch(/invalid/);
    expect(KEY_DETAILS.revoked).toMatch(/revoked.+no longer valid/);
    expect(JOB_NOT_FOUND).toMatch(/not found/);
  });

  it('list the supported codes for an unsupported one', () => {
    const error = new DragomanError('unsupported_language', 'unsupported language "xx"', { hint: 'en, fr' });
    expect(detailOf(error)).toBe('unsupported language "xx"; en, fr');
  });

  it('reveal nothing about a defect', () => {
    expect(detailOf(new DragomanError('internal', 'at /home/somebody/file.ts:1'))).toBe(
      'internal server error',
    );
  });

  it('contain the limits and amounts', () => {
    expect(insufficientCredits(3, 10)).toMatch(/3.+10/);
    expect(rateLimited(61, 60, 12)).toMatch(/61.+60.+12/);
    expect(fileNotFound('fr')).toContain('fr');
  });
});
