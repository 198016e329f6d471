import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { migratePostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { startServing } from '../crash/served.ts';
import { Cluster, hasPostgres } from '../postgres/cluster.ts';
import { ask } from '../postgres/store.ts';

const CLIENTS = 32;
const LEAST_ANSWERS = 2_000;
/** The promise of docs/operation.md, with an allowance for a busy machine. */
const LATEST_MS = 12_000;

interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly detail: string;
}

async function translate(url: string, key: string): Promise<Answer> {
  const begun = performance.now();
  const answer = await fetch(`${url}/v2/translate`, {
    method: 'POST',
    headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
    body: '{"text": "Hello", "source": "en", "target": "fr"}',
    signal: AbortSignal.timeout(90_000),
  });
  const { detail = '' } = (await answer.json()) as { detail?: string };
  return { status: answer.status, ms: performance.now() - begun, detail };
}

/** One account is charged after the work; the other reserves its credits before the work. */
async function createKeys(url: string): Promise<readonly string[]> {
  const store = await openStore({ url });
  const accounts = [100_000_000, 9_999].map((credits, i) =>
    store.accounts.create({ email: `a${i}@example.org`, fullName: 'A', credits }),
  );
  const keys = (await Promise.all(accounts)).map(({ key }) => key);
  await store.close();
  return keys;
}

it.skipIf(!hasPostgres)(
  'while a database is unavailable, requests get 503 within 12 seconds and cost nothing, and /health takes one second',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'dragoman-crash-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    // PostgreSQL runs as its own user.
    chmodSync(directory, 0o755);
    const cluster = await Cluster.start(join(directory, 'cluster'));
    onTestFinished(() => cluster.remove());
    await migratePostgresStore({ url: cluster.url() });
    const keys = await createKeys(cluster.url());
    const flags = ['--public-url', 'http://127.0.0.1', '--rate-limit', '0', '--log-level', 'warn'];
    const server = startServing(directory, flags, { store: cluster.url() });
    onTestFinished(() => server.kill());
    const url = (await server.ready) ?? '';

    const answers: Answer[] = [];
    const refusedOf = Array.from({ length: CLIENTS }, () => 0);
    const over = new AbortController();
    const clients = refusedOf.map(async (_, client) => {
      while (!over.signal.aborted) {
        const answer = await translate(url, keys[client % 2] ?? '');
        answers.push(answer);
        if (answer.status === 503) refusedOf[client] = (refusedOf[client] ?? 0) + 1;
      }
    });
    await expect.poll(() => answers.length, { timeout: 20_000 }).toBeGreaterThan(300);
    await cluster.control('stop');
    const crashedAt = performance.now();
    const health = await fetch(`${url}/health`);
    const healthMs = performance.now() - crashedAt;
    await expect.poll(() => Math.min(...refusedOf), { timeout: 150_000 }).toBeGreaterThan(1);
    await cluster.control('start', `port=${cluster.port}`, 'fsync=off');
    await expect.poll(() => answers.at(-1)?.status, { timeout: 60_000 }).toBe(200);
    // A second restart, such as an operator would do.
    await cluster.control('fast restart');
    const enough = answers.length + LEAST_ANSWERS;
    await expect.poll(() => answers.length, { timeout: 100_000 }).toBeGreaterThan(enough);
    over.abort();
    await Promise.all(clients);

    expect(health.status).toBe(503);
    expect(await health.json()).toMatchObject({ status: 'unhealthy', detail: 'the store does not answer' });
    expect(healthMs).toBeLessThan(1_500);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
    // This many answers show that fewer than one in a thousand is late: none of them was.
    expect(answers.length).toBeGreaterThan(LEAST_ANSWERS);
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(LATEST_MS);
    const details = new Set(answers.filter(({ status }) => status === 503).map(({ detail }) => detail));
    expect([...details]).toEqual(['the database does not answer; try again later']);

    const charged = answers.filter(({ status }) => status === 200).length;
    const books = `select -sum(amount)::int as charged from ledger where operation = 'translate'`;
    const left = 'select sum(reserved)::int as reserved from accounts';
    await expect
      .poll(async () => [...(await ask(cluster.url(), books)), ...(await ask(cluster.url(), left))], {
        timeout: 10_000,
      })
      .toEqual([{ charged }, { reserved: 0 }]);
  },
  300_000,
);
