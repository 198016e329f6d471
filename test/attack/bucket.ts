import { comesTrue } from '../chaos/site.ts';
import { hasPostgres } from '../postgres/cluster.ts';
import { createStore } from '../postgres/store.ts';
import { exchangeBytes } from '../server/harness.ts';
import type { Client } from '../server/specification/client.ts';
import { S3Server } from '../store/s3-server.ts';
import type { Server } from './room.ts';
import type { AttackRow, Trial } from './row.ts';

/** Servers that keep the files of jobs in a bucket to which others write, too. */

const skipped = hasPostgres ? undefined : 'needs PostgreSQL 15 or newer (Debian: postgresql)';

interface BucketSite {
  readonly bucket: S3Server;
  readonly store: string;
  readonly start: () => Promise<Server>;
}

async function openBucket({ room, site }: Trial): Promise<BucketSite> {
  const bucket = await S3Server.start();
  room.onClose(() => bucket.stop());
  const { url: store, drop } = await createStore(await site.cluster());
  room.onClose(drop);
  const argv = ['--store', store, '--files', 's3://bucket/prefix', '--rate-limit', '0'];
  return {
    bucket,
    store,
    start: () =>
      room.serve([...argv, '--public-url', 'http://127.0.0.1:1'], {
        env: { ...bucket.env, TMPDIR: room.directory() },
      }),
  };
}

/** The addresses of requests by the server to remove objects, as the bucket received them. */
function removed({ requests }: S3Server): readonly string[] {
  return requests.filter((request) => request.startsWith('DELETE ')).map((request) => request.slice(7));
}

async function endedJob(client: Client): Promise<string> {
  const id = await client.createJob({ content: '{"a":"Hello"}' });
  await comesTrue(async () => (await client.status(id))['completed_at'] !== null, 20_000);
  return id;
}

/** The location of a job's objects, found by translating one. */
function objectsOf({ objects }: S3Server, id: string): readonly string[] {
  return [...objects.keys()].filter((key) => key.startsWith(`prefix/jobs/${id}/`));
}

export const bucketRows: readonly AttackRow[] = [
  {
    attack: 'objects whose names lead out of the prefix when the server removes leftovers',
    expected: 'only the objects of jobs are removed',
    skipped,
    async run(trial) {
      const { bucket, start } = await openBucket(trial);
      const old = { body: Buffer.from('x'), headers: {}, modified: 0 };
      const names = [
        'prefix/jobs/left/over',
        'prefix/jobs/a/..',
        'prefix/jobs/a/%2e%2e',
        'prefix/jobs/a/..\\..\\..\\..\\other\\object',
        'prefix/jobs/a/?acl',
        'prefix/jobs/a/b#c',
        'prefix/jobs/a/b?versionId=1&x=y',
        'prefix/jobs/../../other/x',
      ];
      for (const name of [...names, 'prefix/keep', 'keep', 'jobs/a/b']) bucket.objects.set(name, old);
      await start();
      await comesTrue(() => Promise.resolve(!bucket.objects.has('prefix/jobs/left/over')), 10_000);
      trial.holds('the leftovers of a job are removed', !bucket.objects.has('prefix/jobs/left/over'));
      for (const name of ['prefix/keep', 'keep', 'jobs/a/b'])
        trial.holds(`${name} is kept`, bucket.objects.has(name));
      const wild = removed(bucket).filter((path) => !/^\/bucket\/prefix\/jobs\/[\w-]+\/[\w-]+$/.test(path));
      trial.equals('the other addresses that were removed', wild, []);
      return `${removed(bucket).length} removed, ${bucket.objects.size} kept`;
    },
  },
  {
    attack: 'a list that contains objects outside the requested prefix',
    expected: 'these objects are kept when leftovers and jobs are deleted',
    skipped,
    async run(trial) {
      const { bucket, start } = await openBucket(trial);
      const foreign = ['backups/a/b', 'prefix/private/c', 'jobs/x/y', 'other', 'prefix/jobs/other/z'];
      for (const name of foreign)
        bucket.objects.set(name, { body: Buffer.from('x'), headers: {}, modified: Date.now() });
      bucket.foreign.push(...foreign.slice(0, 4));
      const server = await start();
      const client = await server.newClient();
      const id = await endedJob(client);
      trial.equals("the number of the job's objects", objectsOf(bucket, id).length, 2);
      trial.equals('the status of a deletion', (await client.remove(id)).status, 200);
      trial.equals('the remaining objects of the job', objectsOf(bucket, id), []);
      for (const name of foreign) trial.holds(`${name} is kept`, bucket.objects.has(name));
      return `${foreign.length} kept`;
    },
  },
  {
    attack: 'a list that never ends',
    expected: 'the server starts, or reports why it cannot',
    skipped,
    async run(trial) {
      const { bucket, start } = await openBucket(trial);
      for (let i = 0; i < 10_000; i++) bucket.faults.push('repeated');
      const server = await start().catch((error: unknown) => String(error));
      trial.holds('only a few pages are requested', bucket.requests.length < 10, bucket.requests.length);
      if (typeof server === 'string') trial.matches('the message', server, /file store.*\n?.*list/);
      return `${bucket.requests.length} requests`;
    },
  },
  {
    attack: 'a source that never ends',
    expected: 'no more bytes than an upload may have are copied, and the job ends',
    skipped,
    async run(trial) {
      const { bucket, start } = await openBucket(trial);
      const client = await (await start()).newClient();
      // The first answer is to the upload, which is accepted.
      bucket.faults.push(...Array<'endless'>(100).fill('endless'));
      const id = await client.createJob({ content: '{"a":"Hello"}' });
      const hasEnded = async (): Promise<boolean> => (await client.status(id))['completed_at'] !== null;
      trial.holds('the job ends', await comesTrue(hasEnded, 20_000));
      trial.equals('the status of the job', (await client.status(id))['status'], 'failed');
      const poured = bucket.poured / 1024 / 1024;
      trial.holds(
        'the source was requested, and only a small part of it was read',
        poured > 10 && poured < 40,
        poured,
      );
      trial.equals('the health', (await client.send('/health')).status, 200);
      return `${Math.round(poured)} MB read`;
    },
  },
  {
    attack: 'a translation that is longer or shorter than the store recorded',
    expected: 'no byte beyond the recorded length is sent, and a short translation does not look complete',
    skipped,
    async run(trial) {
      const { bucket, start } = await openBucket(trial);
      const server = await start();
      const client = await server.newClient();
      const id = await endedJob(client);
      const key = objectsOf(bucket, id).find((name) => !name.endsWith('/source')) ?? '';
      const object = bucket.objects.get(key);
      const whole = object?.body ?? Buffer.alloc(0);
      const injected = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged';
      bucket.objects.set(key, {
        body: Buffer.concat([whole, Buffer.from(injected)]),
        headers: {},
        modified: 0,
      });
      const request = (more: string): string =>
        `GET /v2/translate/i18n/jobs/${id}/download?language_code=fr HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${client.key}\r\n${more}\r\n`;
      const health = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
      const port = Number(new URL(server.url).port);
      const long = await exchangeBytes(port, request('') + health);
      trial.lacks('the bytes that were received', long, 'forged');
      bucket.objects.set(key, { body: whole.subarray(0, 5), headers: {}, modified: 0 });
      const short = await exchangeBytes(port, request('Connection: close\r\n'));
      const [, length = '0'] = /content-length: (\d+)/i.exec(short) ?? [];
      const [, body = ''] = short.split('\r\n\r\n');
      trial.holds('a short body is shorter than its declared length', body.length < Number(length), short);
      return `${long.length} and ${short.length} bytes came`;
    },
  },
];
