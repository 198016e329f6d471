import { expect, describe, it, onTestFinished } from 'vitest';
import { dragoman, temporaryDirectory } from '../cli/harness.ts';
import { until } from '../jobs/room.ts';
import { hasPostgres } from '../postgres/cluster.ts';
import { ask, makeStore } from '../postgres/store.ts';
import { S3Server } from '../store/s3-server.ts';
import { serve } from './served.ts';

describe.skipIf(!hasPostgres)('servers with files in a bucket', () => {
  it('share them, and refuse to start with a different location from the others', async () => {
    const bucket = await S3Server.start();
    onTestFinished(() => bucket.stop());
    const url = await makeStore();
    const store = ['--store', url];
    const { stdout } = await dragoman([
      'keys',
      'create',
      ...store,
      '--email',
      'a@example.org',
      '--credits',
      '9',
    ]);
    const own = [...store, '--public-url', 'http://127.0.0.1:1', '--engine', 'pseudo'];
    const files = ['--files', 's3://bucket/prefix'];
    const start = async (...args: readonly string[]) => {
      const server = await serve([...own, ...args], temporaryDirectory(), bucket.env);
      onTestFinished(async () => void (await server.stop()));
      return server;
    };
    const [first, second] = [await start(...files), await start(...files)];
    const headers = { 'X-API-KEY': stdout.trim() };
    const form = new FormData();
    form.set('file', new Blob(['{"a":"Hello"}']), 'a.json');
    form.set('source_language', 'en');
    form.set('target_languages', 'fr');
    const jobs = '/v2/translate/i18n/jobs';
    const created = await fetch(first.url + jobs.replace('/jobs', ''), {
      method: 'POST',
      body: form,
      headers,
    });
    expect(created.status).toBe(201);
    const { job_id: id } = (await created.json()) as { job_id: string };
    const download = () => fetch(`${second.url}${jobs}/${id}/download?language_code=fr`, { headers });
    const file = await until(async () => {
      const answer = await download();
      return answer.status === 200 && answer;
    }, 'the translation can be downloaded');
    expect(JSON.parse(await file.text())).toHaveProperty('a');
    expect([...bucket.objects.keys()].filter((key) => key.startsWith(`prefix/jobs/${id}/`))).toHaveLength(2);
    expect(await ask(url, 'select count(*)::int as n from file_chunks')).toEqual([{ n: 0 }]);
    bucket.faults.push(503, 503, 503, 503);
    expect((await download()).status).toBe(503);
    await expect(start()).rejects.toThrow(
      'the job files of the store are not in the place that --files names',
    );
    const removed = await fetch(`${second.url}${jobs}/${id}`, { method: 'DELETE', headers });
    expect(removed.ok).toBe(true);
    await until(() => Promise.resolve(bucket.objects.size === 0), 'the files are removed');
  });

  it('need a database', async () => {
    const alone = await dragoman(['serve', '--data-dir', temporaryDirectory(), '--files', 's3://bucket']);
    expect(alone).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Leave out --files') as string,
    });
  });
});
