import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import * as v from 'valibot';
import { createJobResponse, deleteJobResponse } from '../../../src/contract/jobs.ts';
import { expectError, expectNames, listOf } from './answer.ts';
import { CREATE, encodeForm, JOBS, MESSAGES, type Client, type Form } from './client.ts';
import { FILES, UUID } from './job-resources.ts';
import type { Row, Section } from './row.ts';
import type { SpecifiedServer } from './server.ts';
import { expectGone } from './states.ts';

const NOBODYS = '7d1c2f9e-30c5-4a55-9a5e-0d6d3a3f0c11';

/** A refused creation leaves nothing: no job, no file, no credit reserved. */
async function expectRefused(
  server: SpecifiedServer,
  form: Form,
  status: number,
  text: string | RegExp,
): Promise<void> {
  const client = await server.newClient({ credits: 1_000 });
  const before = await readdir(join(server.directory, 'jobs'));
  expectError(await client.upload(form), status, text);
  expect((await client.get(JOBS)).json).toEqual([]);
  expect(await readdir(join(server.directory, 'jobs'))).toEqual(before);
  expect(await readdir(join(server.directory, 'uploads'))).toEqual([]);
  expect(await client.summary()).toMatchObject({ credits_remaining: 1_000 });
}

const refused =
  (form: Form, text: string | RegExp, status = 400): Row[1] =>
  (server) =>
    expectRefused(server, form, status, text);

/** 401 without a key, 403 with one that nobody has: of every endpoint on jobs (design). */
function keyErrors(method: string, path: string): Row {
  return [
    '401 without a key, 403 with one that nobody has',
    async (server) => {
      const client = await server.newClient();
      expectError(await client.with({ key: '' }).send(path, { method }), 401, /X-API-KEY header is required/);
      expectError(await client.with({ key: 'drg_nobody' }).send(path, { method }), 403, /key is invalid/);
    },
  ];
}

/** Sends a form with other parts than usual. */
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
      'all parameters are form fields: those of the query count for nothing',
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
      'file is a file, not a field with text',
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
      'target_languages are codes between commas, with or without spaces',
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
      'a file whose content is not what its extension says is refused',
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

export const listRows: Section = {
  title: 'GET /v2/translate/i18n/jobs',
  rows: [
    [
      'the jobs are newest first',
      async (server) => {
        const client = await server.newClient();
        expect((await client.get(JOBS)).json).toEqual([]);
        const ids = [await client.createJob(), await client.createJob(), await client.createJob()];
        expect(listOf((await client.get(JOBS)).json).map(({ id }) => id)).toEqual(ids.toReversed());
      },
    ],
    [
      'only the caller’s jobs are there',
      async (server) => {
        const [anna, bert] = [await server.newClient(), await server.newClient()];
        const id = await anna.createJob();
        await bert.createJob();
        expect(listOf((await anna.get(JOBS)).json).map((job) => job['id'])).toEqual([id]);
      },
    ],
    [
      'jobs of every status are there',
      async (server) => {
        const client = await server.newClient();
        for (const content of ['{"a": "Hello"}', '{"a": "Hello", "b": "FAIL"}', '{"a": "FAIL"}']) {
          await server.ended(await client.createJob({ content }));
        }
        const release = server.hold();
        const running = await client.createJob({ content: '{"a": "HOLD"}' });
        await expect.poll(async () => (await client.status(running))['status']).toBe('processing');
        const waiting = await client.createJob();
        const jobs = listOf((await client.get(JOBS)).json);
        release();
        await server.ended(waiting);
        expect(jobs.map(({ status }) => status)).toEqual([
          'pending',
          'processing',
          'failed',
          'partial',
          'completed',
        ]);
      },
    ],
    keyErrors('GET', JOBS),
  ],
};

export const statusRows: Section = {
  title: 'GET /v2/translate/i18n/jobs/{job_id}/status',
  rows: [
    [
      '200: the job with its translated files, of one whose id is written in any case',
      async (server) => {
        const client = await server.newClient();
        const id = await client.createJob({ target_languages: 'fr,de' });
        await server.ended(id);
        const job = await client.status(id);
        expect(listOf(job['translated_files']).map((file) => file['language_code'])).toEqual(['fr', 'de']);
        expect(await client.status(id.toUpperCase())).toEqual(job);
      },
    ],
    [
      '404: job not found; also another owner’s (design), and what is no id',
      async (server) => {
        const [owner, other] = [await server.newClient(), await server.newClient()];
        const id = await owner.createJob();
        for (const [client, path] of [
          [owner, NOBODYS],
          [other, id],
          [owner, 'nonsense'],
          [owner, '..%2f..%2fjobs'],
        ] as const) {
          expectError(await client.get(`${JOBS}/${path}/status`), 404, 'job not found');
        }
      },
    ],
    keyErrors('GET', `${JOBS}/${NOBODYS}/status`),
  ],
};

/** What was uploaded, in an encoding and with a layout of its own, and what every translation must still have. */
const LATIN: Form = {
  filename: 'app.properties',
  content: new Uint8Array(Buffer.from('# caf\xe9\r\na = Hello\r\n\r\nb : Goodbye', 'latin1')),
};

export const downloadRows: Section = {
  title: 'GET /v2/translate/i18n/jobs/{job_id}/download',
  rows: [
    [
      '200: the translated file has the format, the structure and the encoding of the uploaded one',
      async (server) => {
        const client = await server.newClient();
        const id = await client.createJob(LATIN);
        await server.ended(id);
        const text = (await client.download(id)).bytes.toString('latin1');
        expect(text).toMatch(/^# caf\xe9\r\na = (?!Hello).+\r\n\r\nb : (?!Goodbye).+$/);
      },
    ],
    [
      'only values are translated',
      async (server) => {
        const client = await server.newClient();
        const content = '{\n\t"Hello" : "Hello",  "n":1.00, "list": ["Hello", null, true]\n}';
        const id = await client.createJob({ content });
        await server.ended(id);
        const { text } = await client.download(id);
        const pattern = /^\{\n\t"Hello" : "(.+?)",  "n":1\.00, "list": \["(.+?)", null, true\]\n\}$/;
        expect(pattern.exec(text)?.slice(1)).toEqual([
          expect.stringMatching(/^(?!Hello)/),
          expect.stringMatching(/^(?!Hello)/),
        ]);
      },
    ],
    [
      'the bytes are the same every time',
      async (server) => {
        const client = await server.newClient();
        const id = await client.createJob();
        await server.ended(id);
        expect((await client.download(id)).bytes).toEqual((await client.download(id)).bytes);
      },
    ],
    [
      'the name is {original_filename}_{language_code}.{extension}',
      async (server) => {
        const client = await server.newClient();
        const id = await client.createJob({ filename: 'translations.json', target_languages: 'fr,zh-CN' });
        await server.ended(id);
        for (const code of ['fr', 'zh-CN']) {
          const { 'content-disposition': disposition } = (await client.download(id, code)).headers;
          expect(disposition).toBe(`attachment; filename="translations_${code}.json"`);
        }
      },
    ],
    [
      'any name is safe in the header: other scripts, separators, directories',
      async (server) => {
        const client = await server.newClient();
        const id = await client.createJob({ filename: '../ü; x=1, 翻訳.json' });
        await server.ended(id);
        const { 'content-disposition': disposition } = (await client.download(id)).headers;
        expect(disposition).toContain(`filename*=UTF-8''%C3%BC%3B%20x%3D1%2C%20%E7%BF%BB%E8%A8%B3_fr.json`);
        expect(disposition).toMatch(/^attachment; filename="[\u0020-\u007e]+"; filename\*=\S+$/);
      },
    ],
    [
      '400 without language_code: error says that it is required',
      async (server) => {
        const client = await server.newClient();
        const id = await client.createJob();
        for (const query of ['', '?language_code=', '?language=fr']) {
          expectError(
            await client.get(`${JOBS}/${id}/download${query}`),
            400,
            'language_code is required',
            'error',
          );
        }
      },
    ],
    [
      '404 without a translated file for that language: not asked for, not finished, or failed',
      async (server) => {
        const client = await server.newClient();
        const release = server.hold();
        const held = await client.createJob({ content: '{"a": "HOLD"}' });
        expectError(await client.download(held), 404, /no translated file .* fr .*found/, 'error');
        release();
        await server.ended(held);
        expectError(await client.download(held, 'de'), 404, /no translated file .* de .*found/, 'error');
        const failed = await client.createJob({ content: '{"a": "FAIL"}' });
        await server.ended(failed);
        expectError(await client.download(failed), 404, /no translated file .* fr .*found/, 'error');
      },
    ],
    [
      '404 for a job that is not there, or another owner’s (design)',
      async (server) => {
        const [owner, other] = [await server.newClient(), await server.newClient()];
        const id = await owner.createJob();
        await server.ended(id);
        expectError(await other.download(id), 404, 'job not found', 'error');
        expectError(await owner.download(NOBODYS), 404, 'job not found', 'error');
      },
    ],
    keyErrors('GET', `${JOBS}/${NOBODYS}/download?language_code=fr`),
  ],
};

export const deleteRows: Section = {
  title: 'DELETE /v2/translate/i18n/jobs/{job_id}',
  rows: [
    [
      '200: message',
      async (server) => {
        const client = await server.newClient();
        const id = await client.createJob();
        await server.ended(id);
        const answer = (await client.remove(id)).object();
        expect(answer).toEqual({ message: expect.stringMatching(/./) });
        expect(v.parse(deleteJobResponse, answer)).toEqual(answer);
      },
    ],
    [
      'it is permanent: record, original, translated files and their metadata are removed, and what was charged stays charged',
      async (server) => {
        const client = await server.newClient({ credits: 10 });
        const id = await client.createJob({ target_languages: 'fr,de' });
        await server.ended(id);
        await client.remove(id);
        await expectGone(server, client, id);
        expectError(await client.remove(id), 404, 'job not found');
        expect(await client.summary()).toMatchObject({ credits_remaining: 6 });
      },
    ],
    [
      '404: job not found, or not owned by the caller',
      async (server) => {
        const [owner, other] = [await server.newClient(), await server.newClient()];
        const id = await owner.createJob();
        expectError(await other.remove(id), 404, 'job not found');
        expectError(await owner.remove(NOBODYS), 404, 'job not found');
        expectError(await owner.remove('nonsense'), 404, 'job not found');
        expect((await owner.status(id))['id']).toBe(id);
      },
    ],
    keyErrors('DELETE', `${JOBS}/${NOBODYS}`),
  ],
};
