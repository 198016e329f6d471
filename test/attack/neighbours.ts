import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { comesTrue } from '../chaos/site.ts';
import type { Client } from '../server/specification/client.ts';
import type { AttackRow, Trial } from './row.ts';

/**
 * One account tries to occupy the whole server, or to get work for free, next to an account with a few small requests.
 */

/** The 95th percentile. */
const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? Infinity;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Small jobs of another account, one after the other; returns the duration of each. */
async function smallJobs(client: Client, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    times.push(
      await timed(async () => {
        const id = await client.createJob({ content: `{"a": "Hello ${i}"}` });
        const isOver = async (): Promise<boolean> => (await client.status(id))['completed_at'] !== null;
        if (!(await comesTrue(isOver, 60_000))) throw new Error('a small job did not end within a minute');
      }),
    );
  }
  return times;
}

async function answers(trial: Trial, client: Client, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++)
    times.push(
      await timed(async () => {
        trial.equals(
          'the status of the other account',
          (await client.translate({ text: `Hello ${i}` })).status,
          200,
        );
        trial.equals('the health', (await client.send('/health')).status, 200);
      }),
    );
  return times;
}

const LONG_VALUE = 9_900_000;

export const neighbourRows: readonly AttackRow[] = [
  {
    attack: 'jobs of one account, each a file of 10 MB with one key',
    expected: "95 % of another account's small jobs end within 3 s, and 95 % of its requests within 1 s",
    async run(trial) {
      const server = await trial.room.serve(['--rate-limit', '0']);
      const [eve, anna] = [await server.newClient(100_000_000), await server.newClient()];
      const content = JSON.stringify({ a: 'Hello world, how are you? '.repeat(LONG_VALUE / 26) });
      for (let i = 0; i < 4; i++)
        trial.equals(
          'the status of a large job',
          (await eve.upload({ content, target_languages: 'fr,de,es' })).status,
          201,
        );
      const [jobs, requests] = await Promise.all([smallJobs(anna, 12), answers(trial, anna, 40)]);
      trial.holds('small jobs end within 3 s', p95(jobs) < 3_000, jobs.map(Math.round));
      trial.holds('requests are answered within 1 s', p95(requests) < 1_000, requests.map(Math.round));
      return `jobs ${Math.round(p95(jobs))} ms, requests ${Math.round(p95(requests))} ms`;
    },
  },
  {
    attack: 'YAML lists of 10 MB uploaded by an account without credits, which are refused after inspection',
    expected: "another account's upload is answered within 3 s",
    async run(trial) {
      const server = await trial.room.serve(['--rate-limit', '0']);
      const [eve, anna] = [await server.newClient(1), await server.newClient()];
      const content = '- a\n'.repeat(2_500_000);
      const uploads = Promise.all(
        Array.from({ length: 6 }, () => eve.upload({ content, filename: 'a.yaml' })),
      );
      await delay(300);
      const times: number[] = [];
      for (let i = 0; i < 8; i++)
        times.push(
          await timed(async () => trial.equals('the status of an upload', (await anna.upload()).status, 201)),
        );
      const refused = await uploads;
      trial.holds(
        'no large upload is accepted',
        refused.every(({ status }) => status >= 400),
        refused.map(({ status }) => status),
      );
      trial.holds('uploads are answered within 3 s', p95(times) < 3_000, times.map(Math.round));
      return `${Math.round(p95(times))} ms for an upload`;
    },
  },
  {
    attack: '60 slow bodies of 8 MiB from one account, and from an account without credits',
    expected: 'the accounts get 429, 408 or 402; others are served',
    async run(trial) {
      const server = await trial.room.serve(['--rate-limit', '0']);
      const [eve, poor, anna] = [
        await server.newClient(),
        await server.newClient(0),
        await server.newClient(),
      ];
      const port = Number(new URL(server.url).port);
      const sockets = Array.from({ length: 60 }, (_, i) => {
        const { key } = i < 50 ? eve : poor;
        const socket = connect(port, '127.0.0.1');
        const slow = Object.assign(socket, { received: '' });
        socket.on('error', () => undefined);
        socket.on('data', (part: Buffer) => (slow.received += part.toString()));
        socket.write(
          `POST /v2/translate/batch HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${8 << 20}\r\n\r\n{`,
        );
        socket.write(Buffer.alloc(7 << 20, ' '));
        return slow;
      });
      trial.room.onClose(() => sockets.forEach((socket) => socket.destroy()));
      await delay(1_500);
      const times = await answers(trial, anna, 40);
      const body = JSON.stringify({
        texts: ['Hello'],
        source: 'en',
        target: 'fr',
        padding: 'x'.repeat(4 << 20),
      });
      const large = await anna.post('/v2/translate/batch', body);
      trial.holds(
        'a large body of another account is read',
        large.status !== 503 && large.status !== 429,
        large.status,
      );
      trial.holds('requests are answered within 1 s', p95(times) < 1_000, times.map(Math.round));
      const statuses = sockets.map(({ received }) => /^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 'none');
      trial.holds(
        'the requests that hold memory are refused',
        statuses.slice(0, 50).includes('429'),
        statuses.join(' '),
      );
      trial.equals('the statuses for the account without credits', [...new Set(statuses.slice(50))], ['402']);
      trial.lacks('the statuses', statuses.join(' '), /50\d/);
      return `${statuses.filter((status) => status === '429').length} got 429, 10 got 402`;
    },
  },
  {
    attack: 'batches whose client disconnects before the answer, 20 times',
    expected: "the engine's answers are charged once",
    async run(trial) {
      const { room } = trial;
      const script = `require('node:readline').createInterface({input: process.stdin}).on('line', (line) => {
        const {id, texts} = JSON.parse(line);
        require('node:fs').appendFileSync(process.env.ATTACK_LOG, texts.join('\\n') + '\\n');
        setTimeout(() => console.log(JSON.stringify({id, translations: texts.map((t) => t + ' fr')})), 300);
      });`;
      const home = room.checkout({ 'engine.cjs': script, log: '' });
      const engine = ['--engine', 'exec', '--engine-command', `"${process.execPath}" "${home}/engine.cjs"`];
      const server = await room.serve(['--rate-limit', '0'], { engine, env: { ATTACK_LOG: `${home}/log` } });
      const client = await server.newClient();
      // The program has started, so each batch is at the engine when its client disconnects.
      await client.translate({ text: 'Begin' });
      for (let i = 0; i < 20; i++) {
        const texts = Array.from({ length: 10 }, (_, at) => `Text ${i} ${at}`);
        const aborted = AbortSignal.timeout(200);
        await fetch(`${server.url}/v2/translate/batch`, {
          method: 'POST',
          headers: { 'X-API-KEY': client.key, 'Content-Type': 'application/json' },
          body: JSON.stringify({ texts, source: 'en', target: 'fr' }),
          signal: aborted,
        }).catch(() => undefined);
      }
      await delay(2_000);

      const asked = readFileSync(`${home}/log`, 'utf8').trim().split('\n').length;
      const used = Number((await client.summary())['credits_used']);
      trial.holds('the engine was called', asked >= 100, asked);
      trial.equals('the charged credits', used, asked);
      return `${asked} texts asked for, ${used} charged`;
    },
  },
];
