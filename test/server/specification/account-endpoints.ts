import { expect } from 'vitest';
import * as v from 'valibot';
import { detectResponseV1, translateResponseV1 } from '../../../src/contract/texts.ts';
import { languagesResponse } from '../../../src/contract/texts.ts';
import { expectError, expectNames, fieldsOf, send } from './answer.ts';
import { CREATE, JOBS, type Client } from './client.ts';
import type { Section } from './row.ts';
import { commonErrors, requiredFields, unsupportedLanguages } from './text-endpoints.ts';

const LANGUAGES = '/v2/supported-languages';
const text = { text: 'Hello', source: 'en', target: 'fr' };
const french = { text: 'Où est la gare, s’il vous plaît ?' };

/** Every operation with a JSON body, with a valid body. */
export const jsonOperations: Readonly<Record<string, object>> = {
  '/v2/translate': text,
  '/v2/translate/batch': { texts: ['One', 'Two', 'Three'], source: 'en', target: 'fr' },
  '/v2/translate/html': { html: '<p>Hello</p>', source: 'en', target: 'fr' },
  '/v2/translate/email': { subject: 'Hi', email_body: '<p>One</p><p>Two</p>', source: 'en', target: 'fr' },
  '/v2/translate/subtitles': {
    format: 'srt',
    content: '1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n',
    source: 'en',
    target: 'fr',
  },
  '/v2/language_detect': french,
  '/v1/translate': text,
  '/v1/language_detect': french,
};

const id = '7d1c2f9e-30c5-4a55-9a5e-0d6d3a3f0c11';

/** Every endpoint except health, called with a client’s key. Jobs are requested with an unknown id. */
export const keyedEndpoints: Readonly<Record<string, (client: Client) => ReturnType<Client['get']>>> = {
  ...Object.fromEntries(
    Object.entries(jsonOperations).map(([path, body]) => [
      `POST ${path}`,
      (client: Client) => client.post(path, body),
    ]),
  ),
  [`GET ${LANGUAGES}`]: (client) => client.get(LANGUAGES),
  [`POST ${CREATE}`]: (client) => client.upload(),
  [`GET ${JOBS}`]: (client) => client.get(JOBS),
  [`GET ${JOBS}/{job_id}/status`]: (client) => client.get(`${JOBS}/${id}/status`),
  [`GET ${JOBS}/{job_id}/download`]: (client) => client.download(id),
  [`DELETE ${JOBS}/{job_id}`]: (client) => client.remove(id),
  'GET /v2/account/summary': (client) => client.get('/v2/account/summary'),
  'GET /v1/supported-languages': (client) => client.get('/v1/supported-languages'),
};

export const commonRows: Section = {
  title: 'Common rules',
  rows: [
    [
      'every request except GET /health carries the key',
      async (server) => {
        const client = await server.newClient();
        for (const [name, ask] of Object.entries(keyedEndpoints)) {
          expect([name, (await ask(client.with({ key: '' }))).status]).toEqual([
            name,
            expect.toSatisfy((status) => status === 401 || status === 403),
          ]);
          const { status } = await ask(client);
          expect([name, status === 401 || status === 403]).toEqual([name, false]);
        }
      },
    ],
    [
      'endpoints with a JSON body need Content-Type: application/json',
      async (server) => {
        const client = await server.newClient();
        for (const [path, body] of Object.entries(jsonOperations)) {
          for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
            const headers = { 'Content-Type': type };
            const answer = await client.send(path, { method: 'POST', headers, body: JSON.stringify(body) });
            expectError(answer, 415, 'the request needs Content-Type: application/json');
          }
          expect((await client.send(path, { method: 'POST', body: JSON.stringify(body) })).status).toBe(415);
        }
        expect(await client.summary()).toMatchObject({ credits_used: 0 });
      },
    ],
    [
      'Content-Type may name UTF-8, and may be in any letter case',
      async (server) => {
        const client = await server.newClient();
        for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
          const headers = { 'Content-Type': type };
          const answer = await client.send('/v2/translate', {
            method: 'POST',
            headers,
            body: JSON.stringify(text),
          });
          expect(answer.status).toBe(200);
        }
      },
    ],
  ],
};

export const languagesRows: Section = {
  title: 'GET /v2/supported-languages',
  rows: [
    [
      '200: an object of display names with their codes, both strings',
      async (server) => {
        const client = await server.newClient();
        const answer = (await client.get(LANGUAGES)).object();
        expectNames(answer, 'supported_languages');
        expect(v.parse(languagesResponse, answer)).toEqual(answer);
        expect(answer['supported_languages']).toMatchObject({ French: 'fr', German: 'de', Japanese: 'ja' });
      },
    ],
    [
      'the list has an entry for detection, with the code auto',
      async (server) => {
        const client = await server.newClient();
        const { supported_languages: languages } = (await client.get(LANGUAGES)).object();
        expect(Object.values(fieldsOf(languages)).filter((code) => code === 'auto')).toHaveLength(1);
      },
    ],
    [
      '401 for a missing key',
      async ({ url }) => {
        expectError(await send(url + LANGUAGES), 401, /X-API-KEY header is required/);
      },
    ],
    [
      '403 for an invalid key',
      async (server) => {
        const client = (await server.newClient()).with({ key: 'drg_nobody' });
        expectError(await client.get(LANGUAGES), 403, /key is invalid/);
      },
    ],
  ],
};

export const summaryRows: Section = {
  title: 'GET /v2/account/summary',
  rows: [
    [
      '200: the summary of the caller’s account',
      async (server) => {
        const [anna, bert] = [await server.newClient({ credits: 5 }), await server.newClient({ credits: 7 })];
        expect(await anna.summary()).toMatchObject({ email: anna.email, total_credits: 5 });
        expect(await bert.summary()).toMatchObject({ email: bert.email, total_credits: 7 });
      },
    ],
    [
      '401 without a key and, only here, with an unknown one (design)',
      async (server) => {
        const client = await server.newClient();
        expectError(await client.with({ key: '' }).get('/v2/account/summary'), 401, /header is required/);
        expectError(
          await client.with({ key: 'drg_nobody' }).get('/v2/account/summary'),
          401,
          /key is invalid/,
        );
      },
    ],
  ],
};

export const healthEndpointRows: Section = {
  title: 'GET /health',
  rows: [
    [
      'health is public, for monitoring',
      async ({ url }) => {
        const answer = await send(`${url}/health`);
        expect(answer.object()).toMatchObject({ status: 'healthy', timestamp: expect.any(String) });
        expect(answer.headers).not.toHaveProperty('x-ratelimit-limit');
      },
    ],
    [
      'a request with any key is accepted too, and is not counted',
      async (server) => {
        const client = await server.newClient();
        for (const key of [client.key, 'drg_nobody']) {
          expect((await client.with({ key }).get('/health')).status).toBe(200);
        }
        expect((await client.get(LANGUAGES)).headers['x-ratelimit-remaining']).toBe('59');
      },
    ],
  ],
};

export const legacyTranslateRows: Section = {
  title: 'POST /v1/translate',
  rows: [
    ...requiredFields('/v1/translate', text),
    [
      'POST /v1/translate: translation, source and target',
      async (server) => {
        const client = await server.newClient();
        const answer = (await client.post('/v1/translate', text)).object();
        expect(answer).toEqual({
          translation: expect.stringMatching(/^(?!Hello$)./),
          source: 'en',
          target: 'fr',
        });
        expect(v.parse(translateResponseV1, answer)).toEqual(answer);
      },
    ],
    unsupportedLanguages('/v1/translate', text),
    ...commonErrors('/v1/translate', text, 1),
  ],
};

export const legacyDetectRows: Section = {
  title: 'POST /v1/language_detect',
  rows: [
    ...requiredFields('/v1/language_detect', french),
    [
      'POST /v1/language_detect: language, and confidence from 0 to 1',
      async (server) => {
        const client = await server.newClient();
        const answer = (await client.post('/v1/language_detect', french)).object();
        expectNames(answer, 'language', 'confidence');
        expect(answer['language']).toBe('fr');
        expect(v.parse(detectResponseV1, answer)).toEqual(answer);
        expect(answer['confidence']).toBeGreaterThan(0.5);
        expect(answer['confidence']).toBeLessThanOrEqual(1);
      },
    ],
    ...commonErrors('/v1/language_detect', french, 1),
  ],
};

export const legacyRows: Section = {
  title: 'Legacy v1 endpoints',
  rows: [
    [
      'GET /v1/supported-languages: the same as in version 2 (design)',
      async (server) => {
        const client = await server.newClient();
        const answer = await client.get('/v1/supported-languages');
        expect(answer.object()).toEqual((await client.get(LANGUAGES)).object());
      },
    ],
    [
      'errors are the same as in version 2: for empty text, and for keys',
      async (server) => {
        const client = await server.newClient();
        expectError(await client.post('/v1/language_detect', { text: ' ' }), 400, 'text cannot be empty');
        const nobody = client.with({ key: '' });
        expectError(await nobody.post('/v1/translate', text), 403, /header is required/);
        expectError(await nobody.get('/v1/supported-languages'), 401, /header is required/);
      },
    ],
  ],
};
