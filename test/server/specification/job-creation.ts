import { expect } from 'vitest';
import * as v from 'valibot';
import { createJobResponse } from '../../../src/contract/jobs.ts';
import { expectError, expectNames } from './answer.ts';
import { CREATE, encodeForm, JOBS, MESSAGES, type Client, type Form } from './client.ts';
import { FILES, UUID } from './job-resources.ts';
import type { Row, Section } from './row.ts';
import type { SpecifiedServer } from './server.ts';

/** A refused creation leaves nothing: no job, no file, no credit reserved. */
async function expectRefused(
  server: SpecifiedServer,
  form: Form,
  status: number,
  text: string | RegExp,
): Promise<void> {
  const client = await server.newClient({ credits: 1_000 });
  const before = await server.jobsWithFiles();
  expectError(await client.upload(form), status, text);
  expect((await client.get(JOBS)).json).toEqual([]);
  expect(await server.jobsWithFiles()).toEqual(before);
  expect(await server.uploads()).toEqual([]);
  expect(await client.summary()).toMatchObject({ credits_remaining: 1_000 });
}

const refused =
  (form: Form, text: string | RegExp, status = 400): Row[1] =>
  (server) =>
    expectRefused(server, form, status, text);

/** 401 without a key, 403 with an unknown one: for every job endpoint (design). */
export function keyErrors(method: string, path: string): Row {
  return [
    '401 without a key, 403 with an unknown one',
    async (server) => {
      const client = await server.newClient();
      expectError(await client.with({ key: '' }).send(path, { method }), 401, /X-API-KEY header is required/);
      expectError(await client.with({ key: 'drg_nobody' }).send(path, { method }), 403, /key is invalid/);
    },
  ];
}

/** Sends a form with unusual parts. */
async function sendForm(client: Client, build: (form: FormData) => void): ReturnType<Client['get']> {
  const form = new FormData();
  build(form);
  const { type, body } = await encodeForm(form);
  return client.send(CREATE, { method: 'POST', headers: { 'Content-Type': type }, body });
}

export const createRows: Section = {
  title: 'POST /v2/translate/i18n',
  rows: [
    [
      'multipart/form-data is required; JSON is not accepted',
      async (server) => {
        const client = await server.newClient();
        const answer = await client.post(CREATE, { target_languages: 'fr', file: MESSAGES });
        expectError(answer, 415, /multipart\/form-data; JSON is not accepted/);
      },
    ],
    [
      'all parameters are form fields: query parameters are ignored',
      async (server) => {
        const client = await server.newClient();
        const form = new FormData();
        form.append('file', new Blob([MESSAGES]), 'a.json');
        const { type, body } = await encodeForm(form);
        const headers = { 'Content-Type': type };
        const answer = await client.send(`${CREATE}?target_languages=fr`, { method: 'POST', headers, body });
        expectError(answer, 400, 'target_languages is required');
      },
    ],
    [
      'file is required',
      async (server) => {
        const client = await server.newClient();
        const answer = await sendForm(client, (form) => form.append('target_languages', 'fr'));
        expectError(answer, 400, 'file is required');
      },
    ],
    [
      'file is a file, not a text field',
      async (server) => {
        const client = await server.newClient();
        const answer = await sendForm(client, (form) => {
          form.append('target_languages', 'fr');
          form.append('file', MESSAGES);
        });
        expectError(answer, 400, /file/);
      },
    ],
    [
      'source_language is not required; its default is auto',
      async (server) => {
        const client = await server.newClient();
        const content = '{"a": "Where is the railway station?", "b": "I would like a room with breakfast."}';
        const id = await client.createJob({ source_language: undefined, content });
        expect((await client.status(id))['source_language']).toBe('en');
      },
    ],
    [
      'source_language is a code or auto',
      async (server) => {
        const client = await server.newClient();
        const content = '{"a": "Where is the railway station?", "b": "I would like a room with breakfast."}';
        for (const [given, found] of [
          ['auto', 'en'],
          ['pt', 'pt'],
        ] as const) {
          const id = await client.createJob({ source_language: given, content });
          expect((await client.status(id))['source_language']).toBe(found);
        }
        await expectRefused(server, { source_language: 'nonsense' }, 400, /nonsense.*supported languages:/);
      },
    ],
    [
      'target_languages is required',
      refused({ target_languages: undefined }, 'target_languages is required'),
    ],
    [
      'target_languages are codes separated by commas, with or without spaces',
      async (server) => {
        const client = await server.newClient();
        for (const given of ['fr,de,zh-CN', ' fr , de,\tzh-CN ']) {
          const id = await client.createJob({ target_languages: given });
          expect((await client.status(id))['target_languages']).toEqual(['fr', 'de', 'zh-CN']);
        }
      },
    ],
    [
      'a target language that is named twice is translated once',
      async (server) => {
        const client = await server.newClient();
        const id = await client.createJob({ target_languages: 'fr,fr' });
        expect((await client.status(id))['target_languages']).toEqual(['fr']);
      },
    ],
    ['an empty list of targets is refused', refused({ target_languages: '' }, /target_languages/)],
    [
      'an empty code among the targets is refused',
      refused({ target_languages: 'fr,,de' }, /empty language code/),
    ],
    [
      'webhook_url is not required, and is a valid HTTPS URL',
      async (server) => {
        for (const wrong of [
          'http://example.org/hook',
          'example.org',
          'ftp://example.org/',
          'https://',
          '/hook',
          '',
        ]) {
          await expectRefused(server, { webhook_url: wrong }, 400, /webhook_url must be a valid HTTPS URL/);
        }
        const client = await server.newClient();
        expect((await client.upload({ webhook_url: 'https://93.184.216.34/hook?job=1' })).status).toBe(201);
      },
    ],
    ...FILES.map(([extension, , content]): Row => [
      `${extension} is supported, in any case`,
      async (server) => {
        const client = await server.newClient();
        for (const filename of [`app${extension}`, `APP${extension.toUpperCase()}`]) {
          const id = await client.createJob({ filename, content });
          await server.ended(id);
          expect(await client.status(id)).toMatchObject({ status: 'completed', total_keys: 1 });
          expect((await client.download(id)).text).not.toBe(content);
        }
      },
    ]),
    [
      'no other extension is supported',
      async (server) => {
        for (const filename of ['a.txt', 'a.json5', 'a.xliff', 'a', 'a.json.gz', 'json']) {
          await expectRefused(
            server,
            { filename },
            400,
            /extensions \.json, \.yaml, \.yml, \.po, \.pot, \.properties/,
          );
        }
      },
    ],
    [
      'a file whose content does not match its extension is refused',
      async (server) => {
        for (const extension of ['.json', '.xml', '.strings', '.po']) {
          await expectRefused(
            server,
            { filename: `a${extension}`, content: '<<< nothing of the kind' },
            400,
            /./,
          );
        }
      },
    ],
    [
      '201: job_id, status and message',
      async (server) => {
        const client = await server.newClient();
        const created = (await client.upload()).object(201);
        expectNames(created, 'job_id', 'status', 'message');
        expect(created).toEqual({
          job_id: expect.stringMatching(UUID),
          status: 'pending',
          message: expect.stringMatching(/./),
        });
        expect(v.parse(createJobResponse, created)).toEqual(created);
      },
    ],
    [
      'the work is asynchronous, and its progress is read with the status endpoint',
      async (server) => {
        const client = await server.newClient();
        const release = server.hold();
        const id = await client.createJob({ content: '{"a": "HOLD"}' });
        expect(await client.status(id)).toMatchObject({ total_keys: 1, translated_keys: 0 });
        release();
        await server.ended(id);
        expect(await client.status(id)).toMatchObject({ total_keys: 1, translated_keys: 1 });
      },
    ],
    keyErrors('POST', CREATE),
  ],
};
