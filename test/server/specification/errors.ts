import { expect } from 'vitest';
import { exchangeBytes, parseAnswer } from '../harness.ts';
import { keyedEndpoints } from './account-endpoints.ts';
import { expectError, fieldsOf, send } from './answer.ts';
import { CREATE, JOBS } from './client.ts';
import { withTarget } from './resources.ts';
import type { Section } from './row.ts';

const pair = { source: 'en', target: 'fr' };

export const errorRows: Section = {
  title: 'Errors',
  rows: [
    [
      'an error is a JSON object with one string field, detail, even for unknown paths and invalid bodies',
      async (server) => {
        const client = await server.newClient();
        expectError(await send(`${server.url}/v1`), 404, /no such path/);
        expectError(await send(`${server.url}/v2`), 404, /no such path/);
        expectError(await send(`${server.url}/v3/translate`, { method: 'POST' }), 404, /no such path/);
        expectError(await client.get('/v2/translate/'), 404, /no such path/);
        expectError(
          await client.post('/v2/translate', '{"text": '),
          400,
          'the request body is not valid JSON',
        );
        expectError(await client.post('/v2/translate', '[]'), 400, 'the request body must be a JSON object');
        expectError(await client.post('/v2/translate', ''), 400, /not valid JSON/);
      },
    ],
    [
      'a method that an endpoint does not support gets 405, with the supported ones in Allow',
      async (server) => {
        const client = await server.newClient();
        for (const [method, path, allowed] of [
          ['GET', '/v2/translate', 'POST'],
          ['PUT', '/v2/translate', 'POST'],
          ['POST', '/v2/account/summary', 'GET'],
          ['DELETE', JOBS, 'GET'],
          ['POST', '/health', 'GET'],
          ['PATCH', CREATE, 'POST'],
        ] as const) {
          const answer = await client.send(path, { method });
          expectError(answer, 405, /^this path accepts /);
          expect(answer.headers['allow']).toContain(allowed);
        }
      },
    ],
    [
      'the download endpoint’s errors 400 and 404 have error instead of detail; its other errors have detail',
      async (server) => {
        const client = await server.newClient();
        expectError(await client.get(`${JOBS}/x/download`), 400, /./, 'error');
        expectError(await client.download('x'), 404, /./, 'error');
        expectError(await client.with({ key: '' }).download('x'), 401, /./, 'detail');
        await client.fillWindow();
        expectError(await client.download('x'), 429, /./, 'detail');
      },
    ],
    [
      '400: an unsupported language; detail names the code and lists the supported ones',
      async (server) => {
        const client = await server.newClient();
        const { supported_languages: languages } = (await client.get('/v2/supported-languages')).object();
        const codes = Object.values(fieldsOf(languages)).filter((code) => code !== 'auto');
        for (const [path, ask] of Object.entries(withTarget)) {
          const { detail } = (await ask(client, 'xq')).object(400);
          expect([path, detail]).toEqual([path, expect.stringContaining('"xq"')]);
          const listed = String(detail).split('supported languages: ')[1]?.split(', ') ?? [];
          expect(new Set(listed)).toEqual(new Set(codes));
        }
      },
    ],
    [
      '400: empty text for detection; detail says that text cannot be empty',
      async (server) => {
        const client = await server.newClient();
        expectError(await client.post('/v2/language_detect', { text: '' }), 400, 'text cannot be empty');
      },
    ],
    [
      '400: subtitle format; detail says that it must be srt or vtt',
      async (server) => {
        const client = await server.newClient();
        const body = { format: 'ass', content: 'x', ...pair };
        expectError(await client.post('/v2/translate/subtitles', body), 400, 'format must be srt or vtt');
      },
    ],
    [
      '400: an invalid e-mail request; detail begins with a generic text',
      async (server) => {
        const client = await server.newClient();
        for (const body of [
          {},
          { subject: '', email_body: 'x', ...pair },
          { subject: 'x', email_body: '', ...pair },
        ]) {
          expectError(await client.post('/v2/translate/email', body), 400, /^invalid email request: \S/);
        }
      },
    ],
    [
      '400: a download without language_code; error says that it is required',
      async (server) => {
        const client = await server.newClient();
        const id = await client.createJob();
        expectError(await client.get(`${JOBS}/${id}/download`), 400, 'language_code is required', 'error');
      },
    ],
    [
      '401 and 403: missing, invalid and revoked keys, before anything else is checked',
      async (server) => {
        const nobody = (await server.newClient()).with({ key: 'drg_nobody' });
        expectError(await nobody.post('/v2/translate', '{'), 403, 'the API key is invalid');
        expectError(await nobody.send(CREATE, { method: 'POST', body: 'x' }), 403, 'the API key is invalid');
        expectError(await nobody.download('x', ''), 403, 'the API key is invalid');
      },
    ],
    [
      'deleting another user’s job returns 404, so that nobody learns that it exists (design)',
      async (server) => {
        const [owner, other] = [await server.newClient(), await server.newClient()];
        const id = await owner.createJob();
        const foreign = await other.remove(id);
        const missing = await other.remove('7d1c2f9e-30c5-4a55-9a5e-0d6d3a3f0c11');
        expect([foreign.status, foreign.text]).toEqual([missing.status, missing.text]);
        expectError(foreign, 404, 'job not found');
      },
    ],
    [
      '402: detail states the remaining and the required credits',
      async (server) => {
        const client = await server.newClient({ credits: 2 });
        const answer = await client.post('/v2/translate/batch', { texts: ['a', 'b', 'c'], ...pair });
        expectError(answer, 402, 'insufficient credits: 2 remaining, 3 required');
      },
    ],
    [
      '404: job not found',
      async (server) => {
        const client = await server.newClient();
        expectError(await client.get(`${JOBS}/x/status`), 404, 'job not found');
        expectError(await client.remove('x'), 404, 'job not found');
      },
    ],
    [
      '404: no translated file; error says that the file for that language was not found',
      async (server) => {
        const client = await server.newClient();
        const id = await client.createJob();
        await server.ended(id);
        expectError(
          await client.download(id, 'ja'),
          404,
          'no translated file for the language ja was found',
          'error',
        );
      },
    ],
    [
      '429: detail states the requests made, the maximum per minute and the seconds until a retry',
      async (server) => {
        const client = await server.newClient();
        await client.fillWindow();
        server.clock.advance(17_500);
        const answer = await client.get('/v2/account/summary');
        const text =
          'rate limit exceeded: 61 requests made, the maximum is 60 per minute; try again in 43 seconds';
        expectError(answer, 429, text);
        expect(answer.headers['retry-after']).toBe('43');
      },
    ],
    [
      '500: detail is internal server error, and does not reveal the cause',
      async (server) => {
        const client = await server.newClient();
        const answer = await client.translate({ text: 'FAIL with a secret' });
        expectError(answer, 500, /^internal server error/);
        expect(answer.text).not.toMatch(/secret|\bat \w|\.ts|node_modules/);
        expect(await client.requests()).toMatchObject({ failed_requests: 1 });
      },
    ],
    [
      'order of checks: key, rate, body, credits, but without any credits the body is not read (design)',
      async (server) => {
        const client = await server.newClient({ credits: 1 });
        const batch = { texts: ['a', 'b'], ...pair };
        expect((await client.with({ key: '' }).post('/v2/translate', '{')).status).toBe(403);
        expect((await client.post('/v2/translate', '{')).status).toBe(400);
        expect((await client.translate({ target: 'nonsense' })).status).toBe(400);
        expect((await client.post('/v2/translate/batch', { ...batch, target: 'nonsense' })).status).toBe(400);
        expect((await client.post('/v2/translate/batch', batch)).status).toBe(402);
        expect((await client.translate()).status).toBe(200);
        expect((await client.post('/v2/translate', '{')).status).toBe(402);
        await client.fillWindow();
        expect((await client.post('/v2/translate', '{')).status).toBe(429);
        expect((await client.with({ key: 'drg_nobody' }).post('/v2/translate', '{')).status).toBe(403);
      },
    ],
    [
      'invalid uploads: 413 if the file is too large, otherwise 400 (design)',
      async (server) => {
        const client = await server.newClient();
        expectError(await client.upload({ content: new Uint8Array(10_485_761) }), 413, /larger/);
        expectError(await client.upload({ filename: 'a.docx' }), 400, /extensions/);
        expectError(await client.upload({ target_languages: ',' }), 400, /target_languages/);
        expectError(await client.upload({ webhook_url: 'http://example.org' }), 400, /webhook_url/);
        expectError(await client.upload({ content: '{' }), 400, /line 1/);
      },
    ],
    [
      'the answer to HEAD has no body, and the body of an error is always JSON',
      async (server) => {
        const raw = await exchangeBytes(
          server.port,
          'HEAD /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
        );
        expect(raw).toMatch(/^HTTP\/1\.1 404 /);
        expect(raw.split('\r\n\r\n')[1]).toBe('');
        const garbage = parseAnswer(await exchangeBytes(server.port, 'nonsense\r\n\r\n'));
        expect(garbage).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
      },
    ],
    [
      'every endpoint that fails answers with JSON',
      async (server) => {
        const nobody = (await server.newClient()).with({ key: 'drg_nobody' });
        for (const [name, ask] of Object.entries(keyedEndpoints)) {
          const { headers } = await ask(nobody);
          expect([name, headers['content-type']]).toEqual([name, 'application/json; charset=utf-8']);
        }
      },
    ],
  ],
};

const hello = { text: 'Hello', ...pair };

export const versionRows: Section = {
  title: 'Versioning',
  rows: [
    [
      'the version is the prefix of the path, except for health',
      async (server) => {
        const client = await server.newClient();
        expect((await client.translate()).status).toBe(200);
        expect((await client.post('/v1/translate', hello)).status).toBe(200);
        expect((await client.post('/translate', hello)).status).toBe(404);
        expect((await client.get('/v2/health')).status).toBe(404);
        expect((await client.get('/health')).status).toBe(200);
      },
    ],
    [
      'the three endpoints of version 1 do what those of version 2 do',
      async (server) => {
        const client = await server.newClient();
        const [one, two] = [await client.post('/v1/translate', hello), await client.translate()];
        expect(two.object()['translations']).toMatchObject(one.object());
        const text = { text: 'Wo ist bitte der Bahnhof?' };
        const detected = (await client.post('/v2/language_detect', text)).object()['language_detection'];
        const { language } = (await client.post('/v1/language_detect', text)).object();
        expect(detected).toMatchObject({ language });
        const lists = [
          await client.get('/v1/supported-languages'),
          await client.get('/v2/supported-languages'),
        ];
        expect(lists[0]?.json).toEqual(lists[1]?.json);
      },
    ],
    [
      'translate: version 2 wraps its result in translations, with details; version 1 has it at the top level',
      async (server) => {
        const client = await server.newClient();
        expect(Object.keys((await client.translate()).object()).sort()).toEqual(['details', 'translations']);
        const one = (await client.post('/v1/translate', hello)).object();
        expect(Object.keys(one).sort()).toEqual(['source', 'target', 'translation']);
      },
    ],
    [
      'detection: version 2 wraps its result in language_detection and has no confidence',
      async (server) => {
        const client = await server.newClient();
        const text = { text: 'Wo ist bitte der Bahnhof?' };
        const two = (await client.post('/v2/language_detect', text)).object();
        expect(two).toEqual({ language_detection: { ...text, language: 'de' } });
        expect((await client.post('/v1/language_detect', text)).object()).toHaveProperty('confidence');
      },
    ],
    [
      'version 1 has none of the additions of version 2',
      async (server) => {
        const client = await server.newClient();
        for (const name of Object.keys(keyedEndpoints).filter((key) =>
          / \/v2\/(?:translate\/|account)/.test(key),
        )) {
          const [method = '', path = ''] = name.replace('/v2/', '/v1/').split(' ');
          expect([name, (await client.send(path, { method })).status]).toEqual([name, 404]);
        }
      },
    ],
    [
      'no header selects a version',
      async (server) => {
        const client = await server.newClient();
        const headers = {
          'Content-Type': 'application/json',
          'X-API-Version': '1',
          Accept: 'application/vnd.v1+json',
        };
        const answer = await client.send('/v2/translate', {
          method: 'POST',
          headers,
          body: JSON.stringify(hello),
        });
        expect(answer.object()).toHaveProperty('translations');
      },
    ],
  ],
};
