import { expect } from 'vitest';
import * as v from 'valibot';
import { deleteJobResponse } from '../../../src/contract/jobs.ts';
import { expectError, listOf } from './answer.ts';
import { JOBS, type Form } from './client.ts';
import { keyErrors } from './job-creation.ts';
import type { Section } from './row.ts';
import { expectGone } from './states.ts';

const NOBODYS = '7d1c2f9e-30c5-4a55-9a5e-0d6d3a3f0c11';

export const listRows: Section = {
  title: 'GET /v2/translate/i18n/jobs',
  rows: [
    [
      'the jobs are listed newest first',
      async (server) => {
        const client = await server.newClient();
        expect((await client.get(JOBS)).json).toEqual([]);
        const ids = [await client.createJob(), await client.createJob(), await client.createJob()];
        expect(listOf((await client.get(JOBS)).json).map(({ id }) => id)).toEqual(ids.toReversed());
      },
    ],
    [
      'only the caller’s jobs are listed',
      async (server) => {
        const [anna, bert] = [await server.newClient(), await server.newClient()];
        const id = await anna.createJob();
        await bert.createJob();
        expect(listOf((await anna.get(JOBS)).json).map((job) => job['id'])).toEqual([id]);
      },
    ],
    [
      'jobs of every status are listed',
      async (server) => {
        const client = await server.newClient();
        for (const content of ['{"a": "Hello"}', '{"a": "Hello", "b": "FAIL"}', '{"a": "FAIL"}']) {
          await server.ended(await client.createJob({ content }));
        }
        const release = server.hold();
        const running = await client.createJob({ content: '{"a": "HOLD"}' });
        await server.begun(running);
        const waiting = await client.createJob();
        const jobs = listOf((await client.get(JOBS)).json);
        release();
        await server.ended(waiting);
        expect(jobs.map(({ status }) => status)).toEqual([
          // If there are several servers, another one takes this job at once, and may finish it.
          server.replicas > 1 ? expect.stringMatching(/^(?:pending|processing|completed)$/) : 'pending',
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
      '200: the job with its translated files, for an id in any letter case',
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
      '404: job not found, also for another owner’s job (design) and for an invalid id',
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

/** The upload, in a certain encoding and layout, and the parts that every translation must preserve. */
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
      'a UTF-16 file stays in UTF-16, and a .properties file in ASCII stays in ASCII (design)',
      async (server) => {
        const client = await server.newClient();
        const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('"a" = "Open";\r\n', 'utf16le')]);
        const strings = await client.createJob({ filename: 'a.strings', content: new Uint8Array(utf16) });
        const ascii = await client.createJob({ filename: 'a.properties', content: 'a=Open\n' });
        await server.ended(strings);
        await server.ended(ascii);
        const { bytes } = await client.download(strings);
        expect(bytes.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xfe]));
        expect(bytes.subarray(2).toString('utf16le')).toMatch(/^"a" = "(?!Open").+";\r\n$/);
        const { text } = await client.download(ascii);
        expect(text).toMatch(/^a=(?!Open\n)[\u0020-\u007e]+\n$/);
        expect(text).toContain('\\u');
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
      'every download returns the same bytes',
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
      '404 without a translated file for that language: not requested, not finished, or failed',
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
      '404 for a job that does not exist, or belongs to another owner (design)',
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
      'deletion is permanent: record, original, translated files and their metadata are removed, and charges are not refunded',
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
