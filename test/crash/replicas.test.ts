import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Store } from '../../src/store/store.ts';
import { Cluster } from '../postgres/cluster.ts';
import { describeWith } from '../postgres/requirements.ts';
import { ask, createStore } from '../postgres/store.ts';
import { Client } from '../server/specification/client.ts';
import { startServing, type Served } from './served.ts';

/** Servers as processes on one database of their own, which is stopped and restarted, and which they are killed over. */

const argv = ['--rate-limit', '0', '--log-level', 'warn', '--public-url', 'https://translate.example.org'];
const LANGUAGES = ['fr', 'de', 'it', 'es'];
const WAIT_MS = 100_000;

let root: string;
let cluster: Cluster;
let url: string;
let store: Store;

/** A replica, gone when the test is over. */
async function startReplica(): Promise<Served & { readonly url: string }> {
  const served = startServing(root, argv, { store: url });
  onTestFinished(() => served.kill());
  const address = await served.ready;
  if (address === undefined) throw new Error(`a replica ended: ${served.log()}`);
  return { ...served, url: address };
}

async function newClient(at: { readonly url: string }, credits: number): Promise<Client> {
  const email = `${Math.random()}@example.org`;
  const { account, key } = await store.accounts.create({ email, fullName: 'Anna', credits });
  return new Client(at.url, { accountId: account.id, email, key });
}

const rows = <Row extends Record<string, unknown>>(text: string): Promise<readonly Row[]> =>
  ask<Row>(url, text);

/** Nothing is reserved, and every balance is the sum of its ledger. */
async function expectBooksAtRest(): Promise<void> {
  const wrong = await rows(`
    select id, balance, reserved from accounts
    where reserved <> 0 or balance <> (select coalesce(sum(amount), 0) from ledger where account_id = accounts.id)`);
  expect(wrong).toEqual([]);
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const limit = Date.now() + WAIT_MS;
  while (!(await isSo().catch(() => false))) {
    if (Date.now() > limit) throw new Error(`waited in vain until ${what}`);
    await delay(200);
  }
}

const isEnded = async (client: Client, id: string): Promise<boolean> =>
  (await client.status(id))['completed_at'] !== null;

const messages = (keys: number): string =>
  JSON.stringify(
    Object.fromEntries(Array.from({ length: keys }, (_, i) => [`key${i}`, `Good morning ${i}`])),
  );

describeWith(['postgres'], 'replicas on one database', () => {
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'dragoman-replicas-'));
    // The server of PostgreSQL has a user of its own where the tests run as root.
    chmodSync(root, 0o755);
    cluster = await Cluster.start(join(root, 'cluster'), 'deadlock_timeout=100ms');
  });
  afterAll(async () => {
    await cluster?.remove();
    rmSync(root, { recursive: true, force: true });
  });
  beforeEach(async () => {
    const made = await createStore(cluster);
    ({ url } = made);
    store = await openPostgresStore(made);
    onTestFinished(() => store.close());
  });

  it('serve 100 requests of 200 with 100 credits', async () => {
    const replicas = await Promise.all([1, 2, 3, 4].map(startReplica));
    const client = await newClient({ url: '' }, 100);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => client.with({ url: replicas[i % 4]?.url ?? '' }).translate()),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([...Array<number>(100).fill(200), ...Array<number>(100).fill(402)]);
    expect(await store.accounts.find(client.accountId)).toMatchObject({ balance: 0, reserved: 0 });
    await expectBooksAtRest();
  });

  it('lose no job and charge nothing twice when they are killed', async () => {
    const [first, second] = await Promise.all([startReplica(), startReplica()]);
    const client = await newClient(first, 1_000_000);
    const form = { content: messages(400), target_languages: LANGUAGES.join() };
    const ids = await Promise.all(
      Array.from({ length: 6 }, (_, i) => client.with(i % 2 ? second : first).createJob(form)),
    );
    let answered = 0;
    const isOver = { yet: false };
    const traffic = (async () => {
      while (!isOver.yet) {
        const answer = await client
          .with(second)
          .translate()
          .catch(() => undefined);
        if (answer?.status === 200) answered++;
        else expect(answer?.status ?? 503).toBe(503);
      }
    })();
    await delay(500);
    await first.kill();
    const third = await startReplica();
    for (const id of ids) await until(() => isEnded(client.with(third), id), `job ${id} ends`);
    isOver.yet = true;
    await traffic;
    await until(
      async () => (await rows('select 1 from holds where amount > 0')).length === 0,
      'nothing is held',
    );
    await until(async () => (await rows('select 1 from instances')).length === 2, 'the dead one is found');
    const charges = await rows<{ reference: string; times: string; amount: string }>(`
      select reference, count(*) as times, sum(-amount) as amount from ledger
      where operation = 'i18n' group by reference`);
    expect(charges.map(({ times, amount }) => [Number(times), Number(amount)])).toEqual(
      ids.map(() => [LANGUAGES.length, 400 * LANGUAGES.length]),
    );
    const [texts] = await rows<{ count: string }>(
      `select count(*) from ledger where operation = 'translate'`,
    );
    expect(Number(texts?.count)).toBe(answered);
    for (const id of ids) {
      const { json } = await client.with(third).download(id, 'de');
      expect(Object.keys(json as object)).toHaveLength(400);
    }
    await expectBooksAtRest();
  });

  it('answer 503 while the database is away, and go on without a double charge when it is back', async () => {
    const replicas = await Promise.all([startReplica(), startReplica()]);
    const client = await newClient({ url: '' }, 1_000_000);
    const { fail, ok } = { fail: new Set<number>(), ok: [] as number[] };
    const isOver = { yet: false };
    const traffic = Array.from({ length: 8 }, async (_, i) => {
      while (!isOver.yet) {
        const { status } = await client.with({ url: replicas[i % 2]?.url ?? '' }).translate();
        if (status === 200) ok.push(Date.now());
        else fail.add(status);
      }
    });
    for (let restart = 0; restart < 3; restart++) {
      await delay(700);
      await cluster.control('restart');
    }
    const back = Date.now();
    await until(() => Promise.resolve(ok.some((time) => time > back)), 'a request is answered');
    isOver.yet = true;
    await Promise.all(traffic);
    const logs = replicas.map((replica) => replica.log()).join('\n');
    expect(
      [...fail].filter((status) => status !== 503),
      logs,
    ).toEqual([]);
    await until(
      async () => (await rows('select 1 from holds where amount > 0')).length === 0,
      'nothing is held',
    );
    const [texts] = await rows<{ count: string; references: string }>(
      `select count(*), count(distinct reference) as references from ledger where operation = 'translate'`,
    );
    expect(texts?.count).toBe(texts?.references);
    expect(Number(texts?.count)).toBe(ok.length);
    await expectBooksAtRest();
  });

  it('give back once what a job has reserved that is deleted while it ends', async () => {
    const replicas = await Promise.all([startReplica(), startReplica()]);
    const [first, second] = replicas;
    const client = await newClient(first ?? { url: '' }, 1_000_000);
    for (let round = 0; round < 10; round++) {
      const id = await client.createJob({ content: messages(40), target_languages: LANGUAGES.join() });
      await delay(round * 30);
      const answers = await Promise.all(replicas.map((replica) => client.with(replica).remove(id)));
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 404]);
    }
    await until(async () => (await rows('select 1 from file_chunks')).length === 0, 'all files are gone');
    expect(second?.log()).not.toMatch(/could not be ended/);
    await expectBooksAtRest();
  });
});
