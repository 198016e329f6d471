import { expect } from 'vitest';
import * as v from 'valibot';
import { accountSummary, healthReport } from '../../../src/contract/account.ts';
import { batchItem, translation } from '../../../src/contract/texts.ts';
import { expectError, expectNames, fieldsOf, listOf, send, type Fields } from './answer.ts';
import { CREATE, type Client } from './client.ts';
import type { Row, Section } from './row.ts';
import { eventually } from '../../webhooks/eventually.ts';

const EXAMPLES = ['en', 'fr', 'es', 'de', 'zh-CN', 'ar', 'ja', 'ru', 'pt'];
const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** For each operation that takes a target: a request for a given one. */
export const withTarget: Readonly<
  Record<string, (client: Client, target: string) => ReturnType<Client['get']>>
> = {
  '/v2/translate': (client, target) => client.translate({ target }),
  '/v2/translate/batch': (client, target) =>
    client.post('/v2/translate/batch', { texts: ['Hello'], source: 'en', target }),
  '/v2/translate/html': (client, target) =>
    client.post('/v2/translate/html', { html: '<p>Hello</p>', source: 'en', target }),
  '/v2/translate/email': (client, target) =>
    client.post('/v2/translate/email', { subject: 'Hi', email_body: '<p>Hello</p>', source: 'en', target }),
  '/v2/translate/subtitles': (client, target) =>
    client.post('/v2/translate/subtitles', {
      format: 'srt',
      content: '1\n00:00:01,000 --> 00:00:02,000\nHello\n',
      source: 'en',
      target,
    }),
  [CREATE]: (client, target) => client.upload({ target_languages: target }),
  '/v1/translate': (client, target) => client.post('/v1/translate', { text: 'Hello', source: 'en', target }),
};

export const languageCodeRows: Section = {
  title: 'Language code',
  rows: [
    [
      'the codes that are given as examples are targets',
      async (server) => {
        const client = await server.newClient();
        for (const code of EXAMPLES) {
          const { target } = fieldsOf((await client.translate({ target: code })).object()['translations']);
          expect(target).toBe(code);
        }
      },
    ],
    [
      'the codes that are given as examples are sources',
      async (server) => {
        const client = await server.newClient();
        for (const code of EXAMPLES) {
          const answer = await client.translate({ source: code, target: code === 'es' ? 'fr' : 'es' });
          expect(fieldsOf(answer.object()['translations'])['source']).toBe(code);
        }
      },
    ],
    [
      'auto is a source',
      async (server) => {
        const client = await server.newClient();
        const text = 'The weather is nice today, is it not?';
        expect((await client.translate({ text, source: 'auto' })).status).toBe(200);
      },
    ],
    [
      'auto is not a target in any operation',
      async (server) => {
        const client = await server.newClient();
        for (const ask of Object.values(withTarget)) {
          expectError(await ask(client, 'auto'), 400, /"auto" can only be a source/);
        }
      },
    ],
    [
      'the complete set of codes is the list of supported languages, each of which is a target',
      async (server) => {
        const client = await server.newClient();
        const { supported_languages: languages } = (await client.get('/v2/supported-languages')).object();
        const codes = Object.values(fieldsOf(languages)).filter((code) => code !== 'auto') as string[];
        for (let start = 0; start < codes.length; start += 50) {
          const target_languages = codes.slice(start, start + 50).join(',');
          const answer = await client.upload({ target_languages, content: '{"a":"b"}' });
          expect([target_languages, answer.status]).toEqual([target_languages, 201]);
        }
      },
    ],
  ],
};

/** Runs one translation and looks at its result. */
function onResult(check: (result: Fields) => void): Row[1] {
  return async (server) => {
    const client = await server.newClient();
    const answer = await client.translate({ text: 'Good morning, my friends', source: 'auto', target: 'de' });
    check(fieldsOf(answer.object()['translations']));
  };
}

export const translationRows: Section = {
  title: 'Translation result',
  rows: [
    [
      'a translation result has these four fields and no others',
      onResult((result) => {
        expectNames(result, 'text', 'translation', 'source', 'target');
        expect(v.parse(translation, result)).toEqual(result);
      }),
    ],
    ['text is the original text', onResult(({ text }) => expect(text).toBe('Good morning, my friends'))],
    [
      'translation is the translated text',
      onResult((result) => expect(result['translation']).toMatch(/^(?!Good morning).{10,}/)),
    ],
    ['source is the detected code', onResult(({ source }) => expect(source).toBe('en'))],
    [
      'source is the specified code',
      async (server) => {
        const client = await server.newClient();
        const answer = await client.translate({ text: 'Good morning', source: 'nl' });
        expect(fieldsOf(answer.object()['translations'])['source']).toBe('nl');
      },
    ],
    ['target is a language code', onResult(({ target }) => expect(target).toBe('de'))],
  ],
};

function onBatch(check: (items: readonly Fields[]) => void): Row[1] {
  return async (server) => {
    const client = await server.newClient();
    const body = { texts: ['One', 'FAIL', 'Three'], source: 'en', target: 'fr' };
    check(listOf((await client.post('/v2/translate/batch', body)).object()['translations']));
  };
}

export const batchItemRows: Section = {
  title: 'Batch item',
  rows: [
    [
      'a batch item has the four fields of a result, and success',
      onBatch(([item]) => {
        expectNames(item, 'text', 'translation', 'source', 'target', 'success');
        expect(v.parse(batchItem, item)).toEqual(item);
        expect(item).toMatchObject({ text: 'One', source: 'en', target: 'fr' });
      }),
    ],
    [
      'success is a boolean',
      onBatch(([first, second]) => expect([first?.['success'], second?.['success']]).toEqual([true, false])),
    ],
    [
      'a failed item has the same fields, its source as its translation, and the reason in error (design)',
      onBatch(([, item]) => {
        expectNames(item, 'text', 'translation', 'source', 'target', 'success', 'error');
        expect(item).toMatchObject({ text: 'FAIL', translation: 'FAIL', error: expect.stringMatching(/./) });
      }),
    ],
  ],
};

/** An account with 10 credits that has used 4 in 5 requests, one of which failed. */
function onSummary(check: (summary: Fields, client: Client) => void): Row[1] {
  return async (server) => {
    const client = await server.newClient({ credits: 10, name: 'Zoë Ångström' });
    for (let i = 0; i < 4; i++) await client.translate();
    await client.translate({ target: 'nonsense' });
    check(await client.summary(), client);
  };
}

const integer = expect.toSatisfy(Number.isInteger, 'an integer');

export const accountRows: Section = {
  title: 'Account summary',
  rows: [
    [
      'it has these fields',
      onSummary((summary) => {
        expectNames(
          summary,
          'email',
          'full_name',
          'total_credits',
          'credits_used',
          'credits_remaining',
          'credits_percentage',
          'concurrency',
          'effective_concurrency',
          'summary',
        );
        expect(v.parse(accountSummary, summary)).toEqual(summary);
      }),
    ],
    [
      'email is the address of the account',
      onSummary(({ email }, client) => expect(email).toBe(client.email)),
    ],
    [
      'full_name is the holder’s name',
      onSummary((summary) => expect(summary['full_name']).toBe('Zoë Ångström')),
    ],
    [
      'total_credits are the allocated credits',
      onSummary((summary) => expect(summary['total_credits']).toBe(10)),
    ],
    ['credits_used is an integer', onSummary((summary) => expect(summary['credits_used']).toBe(4))],
    ['credits_remaining is an integer', onSummary((summary) => expect(summary['credits_remaining']).toBe(6))],
    [
      'credits_percentage is the percentage of credits used',
      onSummary((summary) => expect(summary['credits_percentage']).toBe(40)),
    ],
    [
      'concurrency is the current use of the key',
      async (server) => {
        const client = await server.newClient();
        const release = server.hold();
        const held = client.translate({ text: 'HOLD this' });
        await eventually(() => server.held()).toBe(1);
        // Each of several servers counts its own requests, and they answer in turn; the processes of one
        // server count together.
        const uses: number[] = [];
        for (let i = 0; i < server.counters; i++) uses.push(Number((await client.summary())['concurrency']));
        expect(uses.toSorted((a, b) => a - b)).toEqual([...Array<number>(server.counters - 1).fill(1), 2]);
        release();
        expect((await held).status).toBe(200);
        expect((await client.summary())['concurrency']).toBe(1);
      },
    ],
    [
      'effective_concurrency is the limit of concurrent requests of the key',
      onSummary((summary) => expect(summary['effective_concurrency']).toBe(64)),
    ],
    [
      'summary contains the usage statistics',
      onSummary(({ summary }) =>
        expectNames(summary, 'total_requests', 'successful_requests', 'failed_requests', 'success_rate'),
      ),
    ],
    [
      'summary.total_requests is an integer',
      onSummary(({ summary }) => expect(summary).toMatchObject({ total_requests: 5 })),
    ],
    [
      'summary.successful_requests is an integer',
      onSummary(({ summary }) => expect(summary).toMatchObject({ successful_requests: 4 })),
    ],
    [
      'summary.failed_requests is an integer',
      onSummary(({ summary }) => expect(summary).toMatchObject({ failed_requests: 1 })),
    ],
    [
      'summary.success_rate is a percentage',
      onSummary(({ summary }) => expect(summary).toMatchObject({ success_rate: 80 })),
    ],
    [
      'the numbers of an unused account are all present and 0',
      async (server) => {
        const client = await server.newClient({ credits: 0 });
        expect(await client.summary()).toMatchObject({
          total_credits: 0,
          credits_used: 0,
          credits_remaining: 0,
          credits_percentage: 0,
          effective_concurrency: integer,
          summary: { total_requests: 0, successful_requests: 0, failed_requests: 0, success_rate: 0 },
        });
      },
    ],
  ],
};

export const healthRows: Section = {
  title: 'Health report',
  rows: [
    [
      'status is healthy',
      async ({ url }) => {
        const report = (await send(`${url}/health`)).object();
        expect(report['status']).toBe('healthy');
        expect(v.parse(healthReport, report)).toEqual(report);
      },
    ],
    [
      'timestamp is an ISO 8601 time',
      async ({ url, clock }) => {
        // The server makes a new report once its clock has advanced.
        clock.advance(60_000);
        const began = Date.now();
        const { timestamp } = (await send(`${url}/health`)).object();
        expect(timestamp).toMatch(ISO_8601);
        const at = Date.parse(String(timestamp));
        expect(at).toBeGreaterThanOrEqual(began);
        expect(at).toBeLessThanOrEqual(Date.now());
      },
    ],
  ],
};
