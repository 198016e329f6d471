import { expect } from 'vitest';
import * as v from 'valibot';
import { job, jobWithFiles } from '../../../src/contract/jobs.ts';
import { expectNames, listOf, type Fields } from './answer.ts';
import { JOBS, type Client } from './client.ts';
import type { Row, Section } from './row.ts';
import type { SpecifiedServer } from './server.ts';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
export const JOB_FIELDS = [
  'id',
  'job_id',
  'status',
  'original_filename',
  'file_type',
  'source_language',
  'target_languages',
  'total_keys',
  'translated_keys',
  'failed_keys',
  'error_message',
  'created_at',
  'updated_at',
  'completed_at',
];
export const FILE_FIELDS = ['id', 'language_code', 'file_url', 'file_size', 'created_at'];

/** Three keys, one of which fails. */
export const PARTLY = '{"a": "Hello", "b": "FAIL", "c": "Goodbye"}';

/** A small file of each extension, with its `file_type`. */
export const FILES: readonly (readonly [extension: string, type: string, content: string])[] = [
  ['.json', 'json', '{"a": "Hello"}'],
  ['.yaml', 'yaml', 'a: Hello\n'],
  ['.yml', 'yaml', 'a: Hello\n'],
  [
    '.po',
    'po',
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Hello"\nmsgstr ""\n',
  ],
  [
    '.pot',
    'po',
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Hello"\nmsgstr ""\n',
  ],
  ['.properties', 'properties', 'a=Hello\n'],
  ['.strings', 'strings', '"a" = "Hello";\n'],
  ['.xml', 'xml', '<resources>\n  <string name="a">Hello</string>\n</resources>\n'],
];

interface Ended {
  readonly client: Client;
  readonly id: string;
  readonly job: Fields;
  readonly files: readonly Fields[];
}

async function endedJob(
  server: SpecifiedServer,
  form: Parameters<Client['createJob']>[0] = {},
): Promise<Ended> {
  const client = await server.newClient();
  const id = await client.createJob(form);
  await server.ended(id);
  const shown = await client.status(id);
  return { client, id, job: shown, files: listOf(shown['translated_files']) };
}

/** A job of three keys into two languages, one key of which fails in both. */
function onJob(check: (ended: Ended) => void): Row[1] {
  return async (server) =>
    check(await endedJob(server, { content: PARTLY, filename: 'app.json', target_languages: 'fr, zh-CN' }));
}

export const jobRows: Section = {
  title: 'i18n job',
  rows: [
    [
      'a job has these fields, and its status also has translated_files',
      onJob(({ job: shown }) => {
        expectNames(shown, ...JOB_FIELDS, 'translated_files');
        expect(v.parse(jobWithFiles, shown)).toEqual(shown);
      }),
    ],
    [
      'id is a UUID',
      onJob(({ job: shown, id }) => expect([id, shown['id']]).toEqual([expect.stringMatching(UUID), id])),
    ],
    ['job_id is the same as id', onJob(({ job: shown }) => expect(shown['job_id']).toBe(shown['id']))],
    ['status is one of the five', onJob(({ job: shown }) => expect(shown['status']).toBe('partial'))],
    [
      'original_filename is the name of the uploaded file',
      onJob(({ job: shown }) => expect(shown['original_filename']).toBe('app.json')),
    ],
    [
      'file_type is one of six, determined by the extension',
      async (server) => {
        const client = await server.newClient();
        for (const [extension, type, content] of FILES) {
          const id = await client.createJob({ filename: `app${extension}`, content });
          expect(await client.status(id)).toMatchObject({
            file_type: type,
            original_filename: `app${extension}`,
          });
        }
      },
    ],
    [
      'source_language is a language code',
      onJob(({ job: shown }) => expect(shown['source_language']).toBe('en')),
    ],
    [
      'source_language of a job with auto is the detected code',
      async (server) => {
        const content = '{"a": "Wo ist bitte der Bahnhof?", "b": "Ich möchte ein Zimmer mit Frühstück."}';
        const { job: shown } = await endedJob(server, { content, source_language: undefined });
        expect(shown['source_language']).toBe('de');
      },
    ],
    [
      'target_languages are the codes, in their order',
      onJob(({ job: shown }) => expect(shown['target_languages']).toEqual(['fr', 'zh-CN'])),
    ],
    [
      'total_keys counts each translatable key of the file once',
      onJob(({ job: shown }) => expect(shown['total_keys']).toBe(3)),
    ],
    [
      'translated_keys are the keys that every language has',
      onJob(({ job: shown }) => expect(shown['translated_keys']).toBe(2)),
    ],
    ['failed_keys are the other keys', onJob(({ job: shown }) => expect(shown['failed_keys']).toBe(1))],
    [
      'error_message is null if the job did not fail',
      onJob(({ job: shown }) => expect(shown['error_message']).toBeNull()),
    ],
    [
      'error_message is set when the job failed',
      async (server) => {
        const { job: shown } = await endedJob(server, { content: '{"a": "FAIL"}' });
        expect(shown).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/./) });
      },
    ],
    [
      'created_at is an ISO 8601 time',
      onJob(({ job: shown }) => expect(shown['created_at']).toMatch(ISO_8601)),
    ],
    [
      'updated_at is an ISO 8601 time',
      onJob(({ job: shown }) => expect(shown['updated_at']).toMatch(ISO_8601)),
    ],
    [
      'completed_at is an ISO 8601 time',
      onJob(({ job: shown }) => expect(shown['completed_at']).toMatch(ISO_8601)),
    ],
    [
      'completed_at is null while the job is not finished',
      async (server) => {
        const client = await server.newClient();
        const release = server.hold();
        const id = await client.createJob({ content: '{"a": "HOLD"}' });
        expect(await client.status(id)).toMatchObject({
          completed_at: null,
          translated_keys: 0,
          failed_keys: 0,
        });
        release();
        await server.ended(id);
      },
    ],
    [
      'items of the list have the same fields without translated_files',
      async (server) => {
        const { client, job: shown } = await endedJob(server, { content: PARTLY });
        const list = (await client.get(JOBS)).json;
        expect(v.parse(v.array(v.strictObject(job.entries)), list)).toEqual(list);
        const { translated_files: _, ...fields } = shown;
        expect(list).toEqual([fields]);
      },
    ],
  ],
};

export const fileRows: Section = {
  title: 'Translated file',
  rows: [
    [
      'a translated file has these five fields',
      onJob(({ files }) => files.forEach((file) => expectNames(file, ...FILE_FIELDS))),
    ],
    [
      'there is one entry per language that has a file, and each id is a different UUID',
      onJob(({ files }) => {
        expect(files.map(({ id }) => id)).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
        expect(files[0]?.['id']).not.toBe(files[1]?.['id']);
      }),
    ],
    [
      'language_code is the target language',
      onJob(({ files }) => expect(files.map((file) => file['language_code'])).toEqual(['fr', 'zh-CN'])),
    ],
    [
      'file_url is the absolute URL of the download endpoint for this job and language',
      async (server) => {
        const { client, id, files } = await endedJob(server, { target_languages: 'fr,zh-CN' });
        for (const { file_url: address, language_code: code } of files) {
          const url = new URL(String(address));
          expect([url.origin, url.pathname]).toEqual([server.url, `${JOBS}/${id}/download`]);
          const direct = await client.get(url.pathname + url.search);
          expect(direct.bytes).toEqual((await client.download(id, String(code))).bytes);
        }
      },
    ],
    [
      'file_url requires authentication',
      async (server) => {
        const { client, files } = await endedJob(server);
        const { pathname, search } = new URL(String(files[0]?.['file_url']));
        expect((await client.send(pathname + search, { headers: { 'X-API-KEY': '' } })).status).toBe(401);
      },
    ],
    [
      'file_size is the number of bytes',
      async (server) => {
        const content = '{"a": "Grüße 👋"}';
        const { client, id, files } = await endedJob(server, { content, source_language: 'de' });
        const { bytes } = await client.download(id);
        expect(files[0]?.['file_size']).toBe(bytes.length);
        expect(bytes.length).toBeGreaterThan(bytes.toString().length);
      },
    ],
    [
      'created_at is an ISO 8601 time',
      onJob(({ files }) => files.forEach((file) => expect(file['created_at']).toMatch(ISO_8601))),
    ],
  ],
};
