import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { s3PlaceOf } from '../../src/store/s3/place.ts';
import { s3Files } from '../../src/store/s3/s3-files.ts';
import type { StoredFiles } from '../../src/store/store.ts';
import { hasPostgres } from '../postgres/cluster.ts';
import { openInstance, postgresPlace, sqlitePlace, temporaryDirectory, type TestPlace } from './harness.ts';
import { S3Server } from './s3-server.ts';

interface OpenFiles {
  readonly files: StoredFiles;
  /** Inserts a job with a translation, or removes it. */
  readonly add: (jobId: string, fileId: string) => Promise<void>;
  readonly write: (jobId: string, fileId: string, content: Uint8Array) => Promise<void>;
}

async function startS3(): Promise<S3Server> {
  const server = await S3Server.start();
  onTestFinished(() => server.stop());
  return server;
}

async function openFiles(
  makePlace: () => Promise<TestPlace>,
  filesOf: (place: Awaited<ReturnType<typeof openInstance>>) => StoredFiles | undefined,
): Promise<OpenFiles> {
  const opened = await openInstance(makePlace);
  const files = filesOf(opened);
  if (!files) throw new Error('the store has no files');
  const { account } = await opened.store.accounts.create({ email: 'a@b.c', fullName: 'A', credits: 9 });
  const directory = temporaryDirectory();
  return {
    files,
    async add(id, fileId) {
      const job = {
        id,
        accountId: account.id,
        filename: 'a.json',
        fileType: 'json',
        sourceLanguage: 'en',
      } as const;
      const rest = { targetLanguages: ['fr'], totalKeys: 1, bytes: 1, webhookUrl: undefined, now: 9 };
      await opened.instance.jobs.insert({ ...job, ...rest });
      await opened.database.write((sql) =>
        sql.updateTable('job_units').set({ file_id: fileId }).where('job_id', '=', id).execute(),
      );
    },
    async write(jobId, fileId, content) {
      const path = join(directory, 'file');
      await writeFile(path, content);
      await files.write(jobId, fileId, path);
    },
  };
}

async function openS3(server: S3Server, address = 's3://bucket/some/prefix/'): Promise<OpenFiles> {
  return openFiles(sqlitePlace, ({ instance }) => s3Files(s3PlaceOf(address, server.env), instance.jobs));
}

async function contentOf(files: StoredFiles, jobId: string, fileId: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of await files.read(jobId, fileId)) parts.push(part);
  return Buffer.concat(parts);
}

const PLACES: readonly (readonly [string, () => Promise<OpenFiles>])[] = [
  ['a bucket', async () => openS3(await startS3())],
  ['a bucket without a prefix', async () => openS3(await startS3(), 's3://bucket')],
  ...(hasPostgres
    ? [['PostgreSQL', () => openFiles(postgresPlace, ({ instance }) => instance.files)] as const]
    : []),
];

describe.each(PLACES)('files in %s', (_, open) => {
  it('are returned unchanged, at any length', async () => {
    const { files, write } = await open();
    const contents = [0, 1, 3 * 256 * 1024, 1_500_001].map((size) =>
      Buffer.from(Array.from({ length: size }, (__, i) => (i * 7 + (i >> 8)) % 256)),
    );
    for (const [i, content] of contents.entries()) await write('j', `f${i}`, content);
    // The answer to the first may have been lost.
    await write('j', 'f1', contents[1] ?? Buffer.alloc(0));
    for (const [i, content] of contents.entries())
      expect((await contentOf(files, 'j', `f${i}`)).equals(content)).toBe(true);
    await expect(files.read('j', 'f9')).rejects.toMatchObject({ code: 'not_found' });
    await expect(files.read('k', 'f1')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are removed unless a row names them', async () => {
    const { files, add, write } = await open();
    await add('there', 'f1');
    for (const id of ['there', 'gone'])
      for (const file of ['source', 'f1', 'f2', 'f3', 'f4']) await write(id, file, Buffer.from(id + file));
    const left = async (id: string): Promise<string> => {
      const names: string[] = [];
      for (const file of ['source', 'f1', 'f2', 'f3', 'f4'])
        if (await contentOf(files, id, file).catch(() => undefined)) names.push(file);
      return names.join(' ');
    };
    await files.removeFile('there', 'f1');
    await files.removeFile('there', 'f2');
    await files.remove('there');
    expect(await left('there')).toBe('source f1 f3 f4');
    await files.sweep(60_000);
    expect([await left('there'), await left('gone')]).toEqual(['source f1 f3 f4', 'source f1 f2 f3 f4']);
    // Times in a bucket are whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    await write('fresh', 'source', Buffer.from('x'));
    await files.sweep(2_000);
    expect([await left('there'), await left('gone'), await left('fresh')]).toEqual([
      'source f1',
      '',
      'source',
    ]);
    await files.remove('fresh');
    expect(await left('fresh')).toBe('');
  });
});

describe('a bucket', () => {
  const content = Buffer.from('0123456789'.repeat(100_000));

  it('that is busy, cuts or loses its answers is retried', async () => {
    const server = await startS3();
    const { files, write } = await openS3(server);
    server.faults.push(503, 429, 'lost');
    await write('j', 'f', content);
    server.faults.push('tag');
    await write('j', 'f', content);
    expect(server.requests).toHaveLength(6);
    server.faults.push(503, 'cut', 503, 'cut');
    expect((await contentOf(files, 'j', 'f')).equals(content)).toBe(true);
  });

  it('that stays busy is abandoned', async () => {
    const server = await startS3();
    const { files, write } = await openS3(server);
    server.faults.push(503, 503, 503, 503);
    await expect(write('j', 'f', content)).rejects.toMatchObject({ code: 'store_unavailable' });
    server.faults.push('tag', 'tag', 'tag', 'tag');
    await expect(write('j', 'f', content)).rejects.toMatchObject({ code: 'store_unavailable' });
    server.faults.push('cut', 'cut', 'cut', 'cut');
    await expect(contentOf(files, 'j', 'f')).rejects.toMatchObject({ code: 'store_unavailable' });
    server.faults.push('damaged');
    await expect(contentOf(files, 'j', 'f')).rejects.toThrow('has changed since it was written');
    await server.stop();
    await expect(write('j', 'f', content)).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('that refuses is not retried, and its redirects are not followed', async () => {
    const server = await startS3();
    const { write } = await openS3(server);
    for (const fault of [403, 'redirect'] as const) {
      server.requests.length = 0;
      server.faults.push(fault);
      await expect(write('j', 'f', content)).rejects.toMatchObject({ code: 'configuration' });
      expect(server.requests).toHaveLength(1);
    }
    const other = await openS3(server, 's3://other-bucket');
    await expect(other.files.read('j', 'f')).rejects.toThrow('NoSuchBucket');
    const env = { ...server.env, AWS_SECRET_ACCESS_KEY: 'wrong' };
    const { instance } = await openInstance(sqlitePlace);
    const wrong = s3Files(s3PlaceOf('s3://bucket', env), instance.jobs);
    await expect(wrong.read('j', 'f')).rejects.toThrow('SignatureDoesNotMatch');
  });

  it('with objects of others keeps all of them', async () => {
    const server = await startS3();
    const { files, write } = await openS3(server);
    const names = ['..', '%2e%2e', '..\\..\\..\\..\\..\\other\\x', '?acl', 'b#c', 'b?c=d', 'e/f'];
    const outside = ['backup/a', 'some/prefix/other', 'jobs/a/b'];
    const foreign = [...names.map((name) => `some/prefix/jobs/gone/${name}`), ...outside];
    for (const key of foreign) server.objects.set(key, { body: content, headers: {}, modified: 0 });
    // A store that lists more than requested.
    server.foreign.push(...outside);
    await write('gone', 'f1', content);
    server.requests.length = 0;
    await files.remove('gone');
    await files.sweep(1_000);
    const removed = server.requests.filter((request) => request.startsWith('DELETE'));
    expect(removed).toEqual(['DELETE /bucket/some/prefix/jobs/gone/f1']);
    expect([...server.objects.keys()].sort()).toEqual(foreign.toSorted());
  });

  it('whose list has no end is not listed forever', async () => {
    const server = await startS3();
    const { files } = await openS3(server);
    server.faults.push('repeated', 'repeated', 'repeated');
    await expect(files.sweep(0)).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('its list has no end') as string,
    });
    expect(server.requests).toHaveLength(2);
  });

  it('has a validated address', () => {
    const env = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_REGION: 'eu-west-1' };
    expect(s3PlaceOf('s3://my-bucket/a//b/', env)).toMatchObject({
      name: 's3://my-bucket/a/b',
      url: 'https://my-bucket.s3.eu-west-1.amazonaws.com',
      prefix: 'a/b/',
    });
    expect(s3PlaceOf('s3://my.bucket', env).url).toBe('https://s3.eu-west-1.amazonaws.com/my.bucket');
    const endpoint = { ...env, AWS_ENDPOINT_URL: 'https://objects.example.org/s3/' };
    expect(s3PlaceOf('s3://bucket', endpoint).url).toBe('https://objects.example.org/s3/bucket');
    const open = { ...env, AWS_ENDPOINT_URL: 'http://objects.example.org' };
    expect(() => s3PlaceOf('s3://bucket', open)).toThrow('without encryption');
    expect(() => s3PlaceOf('s3://bucket', { ...env, AWS_SECRET_ACCESS_KEY: '' })).toThrow('incomplete');
    const others = ['s3://', 'https://bucket', 's3://Bucket', 's3://bucket/a?b', 's3://bucket/ä'];
    for (const address of [...others, 's3://bucket/a/../../other', 's3://bucket/.'])
      expect(() => s3PlaceOf(address, env)).toThrow('does not name a bucket');
  });

  it('of the tests accepts requests signed by the AWS client', async ({ skip }) => {
    const python = '/usr/bin/python3';
    const run = promisify(execFile);
    const has =
      existsSync(python) &&
      (await run(python, ['-c', 'import boto3']).then(
        () => true,
        () => false,
      ));
    if (!has) skip('python3-boto3 is not installed');
    const server = await startS3();
    const script = `
import boto3, os
s3 = boto3.client('s3', endpoint_url=os.environ['AWS_ENDPOINT_URL_S3'])
for i in range(5): s3.put_object(Bucket='bucket', Key='jobs/a b/%d' % i, Body=b'x' * i)
pages = s3.get_paginator('list_objects_v2').paginate(Bucket='bucket', Prefix='jobs/a b/')
print([o['Key'] for page in pages for o in page['Contents']])
print(s3.get_object(Bucket='bucket', Key='jobs/a b/3')['Body'].read())
s3.delete_object(Bucket='bucket', Key='jobs/a b/3')
`;
    const { stdout } = await run(python, ['-c', script], {
      env: {
        ...server.env,
        AWS_DEFAULT_REGION: 'eu-test-1',
        AWS_REQUEST_CHECKSUM_CALCULATION: 'when_required',
      },
    });
    expect(stdout).toBe("['jobs/a b/0', 'jobs/a b/1', 'jobs/a b/2', 'jobs/a b/3', 'jobs/a b/4']\nb'xxx'\n");
    expect([...server.objects.keys()]).toHaveLength(4);
  });
});
