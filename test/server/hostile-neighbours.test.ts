import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { startServing, type Served } from '../crash/served.ts';
import { hostileClients } from './hostile-clients.ts';
import { send } from './specification/answer.ts';
import { Client } from './specification/client.ts';

/** One server, as users run it, for two accounts, one of which is hostile. */
const directory = mkdtempSync(join(tmpdir(), 'dragoman-neighbours-'));
let server: Served;
let url = '';

beforeAll(async () => {
  server = startServing(directory, ['--rate-limit', '0', '--log-level', 'warn', '--job-workers', '1']);
  url = (await server.ready) ?? '';
});
afterAll(async () => {
  await server?.kill();
  rmSync(directory, { recursive: true, force: true });
});

let accounts = 0;

async function newClient(credits: number): Promise<Client> {
  const store = await openStore({ directory });
  const email = `user${++accounts}@example.org`;
  const { account, key } = await store.accounts.create({ email, fullName: 'A', credits });
  await store.close();
  return new Client(url, { accountId: account.id, email, key });
}

const ATTACK_MS = 15_000;
const REQUEST_MS = 1_000;
const JOB_MS = 3_000;

/** Repeats a task until the signal aborts; returns each duration. */
async function timesOf(signal: AbortSignal, everyMs: number, once: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const startedAt = performance.now();
    await once();
    times.push(performance.now() - startedAt);
    await delay(everyMs);
  }
  return times;
}

function percentile(times: readonly number[], part: number): number {
  return Math.round(times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? Infinity);
}

async function smallJob(client: Client): Promise<void> {
  const id = await client.createJob({ content: '{"a":"Hello"}' });
  while ((await client.status(id))['completed_at'] === null) await delay(20);
}

describe('while an account sends', () => {
  it.each(hostileClients)('$attack, another one is served', async ({ attack, credits, begin }) => {
    const [hostile, other] = [await newClient(credits), await newClient(1_000_000)];
    // The first request loads code.
    await Promise.all([other.translate(), smallJob(other)]);
    const attacking = new AbortController();
    const statuses = begin(hostile, attacking.signal);
    await delay(2_000);
    const over = AbortSignal.timeout(ATTACK_MS);
    const [requests, health, jobs] = await Promise.all([
      timesOf(over, 50, async () => expect((await other.translate()).status).toBe(200)),
      // The disk of a machine that is busy with the attacks may be too slow for 200, but the server must answer.
      timesOf(over, 200, async () => expect([200, 503]).toContain((await send(`${url}/health`)).status)),
      timesOf(over, 200, () => smallJob(other)),
    ]);
    attacking.abort();
    const figures = {
      answers: Object.fromEntries(await statuses),
      requests: [requests.length, percentile(requests, 0.5), percentile(requests, 0.95)],
      health: [health.length, percentile(health, 0.5), percentile(health, 0.95)],
      jobs: [jobs.length, percentile(jobs, 0.5), percentile(jobs, 0.95)],
    };
    if (process.env['DRAGOMAN_FIGURES'] !== undefined) console.log(attack, JSON.stringify(figures));
    for (const job of fieldsOf(await hostile.get('/v2/translate/i18n/jobs'))) await hostile.remove(job);
    expect(percentile(requests, 0.95)).toBeLessThan(REQUEST_MS);
    expect(percentile(health, 0.95)).toBeLessThan(REQUEST_MS);
    expect(percentile(jobs, 0.95)).toBeLessThan(JOB_MS);
  });
});

function fieldsOf({ json }: { readonly json: unknown }): readonly string[] {
  return Array.isArray(json) ? json.map(({ id }: { id: string }) => id) : [];
}
