import { expect } from 'vitest';
import * as v from 'valibot';
import { batchResponse, detectResponse, translateResponse } from '../../../src/contract/texts.ts';
import { expectError, expectNames, fieldsOf, listOf } from './answer.ts';
import type { Row, Section } from './row.ts';

const pair = { source: 'en', target: 'fr' };

/** A body without one of its fields, and with an invalid value for it. */
export function requiredFields(path: string, body: Readonly<Record<string, unknown>>): readonly Row[] {
  return Object.keys(body).map((name): Row => [
    `${name} is required, and is ${Array.isArray(body[name]) ? 'an array' : 'a string'}`,
    async (server) => {
      const client = await server.newClient();
      const { [name]: _, ...rest } = body;
      expectError(await client.post(path, rest), 400, new RegExp(`${name} is required$`));
      for (const wrong of [null, 7, true, {}, Array.isArray(body[name]) ? 'text' : ['text']]) {
        expectError(await client.post(path, { ...body, [name]: wrong }), 400, new RegExp(`${name} must be`));
      }
      expect((await client.post(path, body)).status).toBe(200);
      expect(await client.requests()).toMatchObject({ failed_requests: 6, successful_requests: 1 });
    },
  ]);
}

/** The errors common to all operations on texts and documents. */
export function commonErrors(path: string, body: object, cost: number): readonly Row[] {
  return [
    [
      `402 without the credits: with ${cost - 1} it is refused, with ${cost} it is done`,
      async (server) => {
        const poor = await server.newClient({ credits: cost - 1 });
        const refused = await poor.post(path, body);
        expectError(refused, 402, `insufficient credits: ${cost - 1} remaining, ${cost} required`);
        expect(await poor.summary()).toMatchObject({ credits_used: 0, credits_remaining: cost - 1 });
        const rich = await server.newClient({ credits: cost });
        expect((await rich.post(path, body)).status).toBe(200);
        expect(await rich.summary()).toMatchObject({ credits_used: cost, credits_remaining: 0 });
      },
    ],
    [
      '403 without a key, and with an unknown one',
      async (server) => {
        const client = await server.newClient();
        expectError(await client.with({ key: '' }).post(path, body), 403, /X-API-KEY header is required/);
        expectError(await client.with({ key: 'drg_nobody' }).post(path, body), 403, /key is invalid/);
        expect(await client.summary()).toMatchObject({ credits_used: 0 });
      },
    ],
    [
      '429 when the window is full, without a charge',
      async (server) => {
        const client = await server.newClient();
        await client.fillWindow();
        expectError(await client.post(path, body), 429, /rate limit exceeded/);
        server.clock.advance(60_000);
        expect(await client.summary()).toMatchObject({ credits_used: 0 });
      },
    ],
  ];
}

/** 400 for an unknown code. */
export function unsupportedLanguages(path: string, body: object): Row {
  return [
    '400 for a language that is not supported, as source and as target',
    async (server) => {
      const client = await server.newClient();
      for (const name of ['source', 'target']) {
        const answer = await client.post(path, { ...body, [name]: 'xx-nonsense' });
        expectError(answer, 400, /xx-nonsense.*supported languages: .*\bfr\b/);
      }
      expect(await client.summary()).toMatchObject({ credits_used: 0 });
    },
  ];
}

const text = { text: 'Hello', ...pair };

export const translateRows: Section = {
  title: 'POST /v2/translate',
  rows: [
    ...requiredFields('/v2/translate', text),
    [
      '200: translations is a translation result and details an object',
      async (server) => {
        const client = await server.newClient();
        const answer = (await client.translate()).object();
        expectNames(answer, 'translations', 'details');
        expectNames(answer['translations'], 'text', 'translation', 'source', 'target');
        expect(fieldsOf(answer['details'])).toEqual({});
        expect(v.parse(translateResponse, answer)).toEqual(answer);
      },
    ],
    unsupportedLanguages('/v2/translate', text),
    ...commonErrors('/v2/translate', text, 1),
  ],
};

const batch = { texts: ['One', 'Two', 'Three'], ...pair };

export const batchRows: Section = {
  title: 'POST /v2/translate/batch',
  rows: [
    ...requiredFields('/v2/translate/batch', batch),
    [
      'each text is a string',
      async (server) => {
        const client = await server.newClient();
        const answer = await client.post('/v2/translate/batch', { ...batch, texts: ['One', 2] });
        expectError(answer, 400, /^texts\.1 must be a string$/);
      },
    ],
    [
      'all texts share the source and the target',
      async (server) => {
        const client = await server.newClient();
        const items = listOf((await client.post('/v2/translate/batch', batch)).object()['translations']);
        expect(items.map(({ source, target }) => [source, target])).toEqual(
          [0, 1, 2].map(() => ['en', 'fr']),
        );
      },
    ],
    [
      '200: translations has one item per text, in the order of the texts',
      async (server) => {
        const client = await server.newClient();
        const texts = ['Three', 'One', 'Three', 'Two'];
        const answer = (await client.post('/v2/translate/batch', { ...batch, texts })).object();
        expectNames(answer, 'translations', 'total', 'successful', 'failed');
        expect(listOf(answer['translations']).map((item) => item['text'])).toEqual(texts);
        expect(v.parse(batchResponse, answer)).toEqual(answer);
      },
    ],
    [
      '200: total, successful and failed count the texts',
      async (server) => {
        const client = await server.newClient();
        const texts = ['One', 'FAIL', 'Three', 'FAIL again', 'Five'];
        const answer = (await client.post('/v2/translate/batch', { ...batch, texts })).object();
        expect(answer).toMatchObject({ total: 5, successful: 3, failed: 2 });
        expect(listOf(answer['translations']).map(({ success }) => success)).toEqual([
          true,
          false,
          true,
          false,
          true,
        ]);
      },
    ],
    [
      'only an entry over 5,000 characters fails, and costs nothing (design)',
      async (server) => {
        const client = await server.newClient();
        const texts = ['a'.repeat(5_000), 'a'.repeat(5_001)];
        const spent = await client.spent(async () => {
          const answer = (await client.post('/v2/translate/batch', { ...batch, texts })).object();
          expect(answer).toMatchObject({ total: 2, successful: 1, failed: 1 });
          expect(listOf(answer['translations'])[1]).toMatchObject({
            success: false,
            error: /5,000 characters/,
          });
        });
        expect(spent).toBe(1);
      },
    ],
    [
      'an empty entry has an empty translation (design)',
      async (server) => {
        const client = await server.newClient();
        const answer = (
          await client.post('/v2/translate/batch', { ...batch, texts: ['', 'Hello'] })
        ).object();
        expect(listOf(answer['translations'])[0]).toMatchObject({ text: '', translation: '', success: true });
      },
    ],
    unsupportedLanguages('/v2/translate/batch', batch),
    ...commonErrors('/v2/translate/batch', batch, 3),
  ],
};

const detect = { text: 'Où est la gare, s’il vous plaît ?' };

export const detectRows: Section = {
  title: 'POST /v2/language_detect',
  rows: [
    ...requiredFields('/v2/language_detect', detect),
    [
      '200: language_detection has text and language',
      async (server) => {
        const client = await server.newClient();
        const answer = (await client.post('/v2/language_detect', detect)).object();
        expect(answer).toEqual({ language_detection: { text: detect.text, language: 'fr' } });
        expect(v.parse(detectResponse, answer)).toEqual(answer);
      },
    ],
    [
      'the language is a code of the supported languages',
      async (server) => {
        const client = await server.newClient();
        const { supported_languages: languages } = (await client.get('/v2/supported-languages')).object();
        for (const sample of [
          'Wo ist bitte der Bahnhof?',
          '¿Dónde está la estación de tren?',
          '駅はどこですか',
        ]) {
          const answer = (await client.post('/v2/language_detect', { text: sample })).object();
          const { language } = fieldsOf(answer['language_detection']);
          expect(Object.values(fieldsOf(languages))).toContain(language);
        }
      },
    ],
    [
      '400 for empty text, and for white space',
      async (server) => {
        const client = await server.newClient();
        for (const empty of ['', ' ', '\n\t \u00a0']) {
          expectError(await client.post('/v2/language_detect', { text: empty }), 400, 'text cannot be empty');
        }
        expect(await client.summary()).toMatchObject({ credits_used: 0 });
      },
    ],
    ...commonErrors('/v2/language_detect', detect, 1),
  ],
};
