import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { accountStore } from '../../src/store/shared/accounts.ts';
import type { Database } from '../../src/store/shared/database.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { fieldsOf, listOf, type Fields } from '../server/specification/answer.ts';
import { Client, JOBS } from '../server/specification/client.ts';
import { startReceiver, status, type Received } from '../webhooks/receiver.ts';
import { Expected, localizationFiles } from './localization-files.ts';
import { startServing, type Served } from './served.ts';

const KILLS = 30;
const RUNNING_JOBS = 20;
const LANGUAGES = ['fr', 'de', 'zh-CN', 'ar'];
const KEYS = 800;
const CREDITS = 1_000_000;
/**
 * Counted from the moment when the server listens. One life in five is counted from its start, so that some servers are
 * killed while they open the store.
 */
const LONGEST_LIFE_MS = 450;

const root = mkdtempSync(join(tmpdir(), 'dragoman-server-kill-'));
const directory = join(root, 'data');
const FILES = localizationFiles(KEYS);
const argv = ['--webhook-allow-private', '--rate-limit', '1000000', '--log-level', 'error'];

/** The answers that a client received before its server was killed. */
interface Told {
  readonly jobs: Map<string, (typeof FILES)[number]>;
  /** Texts whose translation was received. */
  readonly answered: number[];
  remaining?: { readonly value: number; readonly reset: string };
  /** The number of rate-limit windows that continued after the server was killed. */
  windowsSeen: number;
}

/** The same moments in every run: lifetimes of the server in milliseconds, and whether they count from its start. */
const [lives = []] = fc.sample(
  fc.array(fc.tuple(fc.integer({ min: 0, max: LONGEST_LIFE_MS }), fc.integer({ min: 0, max: 4 })), {
    minLength: KILLS,
    maxLength: KILLS,
  }),
  { numRuns: 1, seed: 20_261_121 },
);

class World {
  readonly told: Told = { jobs: new Map(), answered: [], windowsSeen: 0 };
  readonly clients: Client[] = [];
  readonly #env: Readonly<Record<string, string>>;
  readonly #webhookUrl: string;
  server: Served | undefined;
  /** The number of requested texts. */
  asked = 0;
  problem: Error | undefined;

  constructor(webhookUrl: string, caFile: string) {
    this.#env = { NODE_EXTRA_CA_CERTS: caFile };
    this.#webhookUrl = webhookUrl;
  }

  start(): Served {
    return (this.server = startServing(directory, argv, this.#env));
  }

  /** The account of the jobs, at a server. */
  owner(url: string): Client {
    const [client] = this.clients;
    if (!client) throw new Error('there is no account');
    return client.with({ url });
  }

  /** Creates the jobs, and kills the server as soon as all have been acknowledged. */
  async beginJobs(): Promise<void> {
    const server = this.start();
    const owner = this.owner((await server.ready) ?? '');
    await Promise.all(Array.from({ length: RUNNING_JOBS }, (_, i) => this.#create(owner, i)));
    await server.kill();
  }

  /** One life: a client creates another job and translates texts until the server is gone. */
  async live([ms, kind]: readonly [number, number]): Promise<void> {
    const server = this.start();
    const clients = server.ready.then((url) => (url === undefined ? undefined : this.#use(url)));
    if (kind > 0) await server.ready;
    await delay(ms);
    await server.kill();
    await clients;
  }

  async #use(url: string): Promise<void> {
    const owner = this.owner(url);
    const looked = this.#look(owner);
    // A request to a server that is killed before it answers may or may not have been processed.
    await Promise.allSettled([looked, this.#create(owner, this.told.jobs.size), this.#translate(owner)]);
    if (this.problem) throw this.problem;
  }

  async #create(client: Client, index: number): Promise<void> {
    const file = FILES[index % FILES.length];
    if (!file) throw new Error('there are no files');
    const form = {
      filename: file.name,
      content: file.content,
      target_languages: LANGUAGES.join(','),
      webhook_url: `${this.#webhookUrl}/${index}`,
    };
    const id = await client.createJob(form);
    this.told.jobs.set(id, file);
  }

  async #translate(client: Client): Promise<void> {
    this.asked++;
    const answer = await client.translate();
    if (answer.status === 200) this.told.answered.push(this.asked);
  }

  /** The window of the rate limit continues, unless it has ended meanwhile. */
  async #look(client: Client): Promise<void> {
    const { headers } = await client.get('/v2/supported-languages');
    const value = Number(headers['x-ratelimit-remaining']);
    const reset = String(headers['x-ratelimit-reset']);
    const last = this.told.remaining;
    if (last?.reset === reset) {
      if (value >= last.value) this.problem = new Error('requests were forgotten');
      this.told.windowsSeen++;
    }
    this.told.remaining = { value, reset };
  }
}

/** Waits for the final state of a server that is not killed. */
async function untilDone(database: Database, limitMs: number): Promise<void> {
  const limit = Date.now() + limitMs;
  for (;;) {
    const { open } = await database.sql
      .selectFrom('jobs')
      .select(({ fn }) => fn.countAll<number>().as('open'))
      .where('completed_at', 'is', null)
      .executeTakeFirstOrThrow();
    const { unsent } = await database.sql
      .selectFrom('webhook_deliveries')
      .select(({ fn }) => fn.countAll<number>().as('unsent'))
      .where('status', '!=', 'delivered')
      .executeTakeFirstOrThrow();
    if (open === 0 && unsent === 0) return;
    if (Date.now() > limit) throw new Error(`still open: ${open} jobs, ${unsent} webhooks`);
    await delay(50);
  }
}

async function checkBooks(database: Database, { told, asked }: World): Promise<void> {
  const ledger = await database.sql.selectFrom('ledger').selectAll().execute();
  for (const account of await accountStore(database).list()) {
    const sum = ledger
      .filter((row) => row.account_id === account.id)
      .reduce((total, { amount }) => total + amount, 0);
    expect([account.email, account.balance, account.reserved]).toEqual([account.email, sum, 0]);
  }
  expect(await database.sql.selectFrom('holds').select('amount').where('amount', '!=', 0).execute()).toEqual(
    [],
  );
  const jobs = await database.sql.selectFrom('jobs').select(['id', 'reserved']).execute();
  for (const { id, reserved } of jobs) {
    expect(reserved).toBe(0);
    const charges = ledger.filter(({ reference }) => reference === id).map(({ amount }) => amount);
    expect(charges).toEqual(LANGUAGES.map(() => -KEYS));
  }
  const texts = ledger.filter(({ operation }) => operation === 'translate');
  expect(texts.length).toBeGreaterThanOrEqual(told.answered.length);
  expect(texts.length).toBeLessThanOrEqual(asked);
}

function checkWebhooks(received: readonly Received[], secret: string, jobs: readonly Fields[]): void {
  const bodies = new Map<string, Set<string>>();
  for (const { headers, body } of received) {
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
    const { job_id: id } = fieldsOf(JSON.parse(body.toString()));
    const calls = bodies.get(String(id)) ?? new Set();
    bodies.set(String(id), calls.add(`${String(headers['webhook-id'])} ${body.toString()}`));
  }
  expect([...bodies.keys()].sort()).toEqual(jobs.map((job) => String(job['id'])).sort());
  // Repeated calls had identical bodies, byte for byte.
  expect([...bodies.values()].filter(({ size }) => size !== 1)).toEqual([]);
}

/** Half-written files of a killed process are kept until no process can still be writing them. */
async function expectNoRemains(jobIds: readonly string[]): Promise<void> {
  const old = Date.now() / 1000 - 3_600;
  const jobs = join(directory, 'jobs');
  for (const id of readdirSync(jobs)) {
    for (const name of readdirSync(join(jobs, id))) utimesSync(join(jobs, id, name), old, old);
    utimesSync(join(jobs, id), old, old);
  }
  const server = startServing(directory, argv);
  await server.ready;
  await server.end();
  expect(readdirSync(jobs).sort()).toEqual(jobIds.toSorted());
  for (const id of jobIds) expect(readdirSync(join(jobs, id))).toHaveLength(1 + LANGUAGES.length);
}

describe('a server that is killed at thirty moments while it runs twenty jobs', () => {
  it('ends every job once, with the right files, credits and webhooks', { timeout: 180_000 }, async () => {
    mkdirSync(directory);
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const receiver = await startReceiver(status(200));
    const caFile = join(root, 'ca.pem');
    writeFileSync(caFile, receiver.ca);
    const world = new World(receiver.url, caFile);
    onTestFinished(() => world.server?.kill());
    const database = await openDatabase(directory);
    onTestFinished(() => database.close());

    const addAccount = async (i: number): Promise<void> => {
      const email = `user${i}@example.org`;
      const { account, key } = await accountStore(database).create({
        email,
        fullName: 'U',
        credits: CREDITS,
      });
      world.clients.push(new Client('', { accountId: account.id, email, key }));
    };
    await addAccount(0);
    await world.beginJobs();
    for (const [i, life] of lives.slice(1).entries()) {
      await addAccount(i + 1);
      await world.live(life);
    }
    const server = world.start();
    const url = (await server.ready) ?? '';
    const owner = world.owner(url);
    await untilDone(database, 240_000);

    const jobs = listOf((await owner.get(JOBS)).json);
    const ids = jobs.map(({ id }) => String(id));
    expect(ids).toEqual(expect.arrayContaining([...world.told.jobs.keys()]));
    expect(ids.length).toBeLessThanOrEqual(RUNNING_JOBS + KILLS);
    const expected = new Expected(root);
    for (const { id, original_filename: name } of jobs) {
      const shown = await owner.status(String(id));
      expect(shown).toMatchObject({
        error_message: null,
        status: 'completed',
        translated_keys: KEYS,
        failed_keys: 0,
      });
      const files = listOf(shown['translated_files']);
      expect(files.map((file) => file['language_code'])).toEqual(LANGUAGES);
      const source = FILES.find((file) => file.name === name) ?? fail();
      for (const code of LANGUAGES) {
        const { bytes } = await owner.download(String(id), code);
        expect(bytes.equals(await expected.of(source, code)), `${String(name)} ${code}`).toBe(true);
      }
    }
    await checkBooks(database, world);
    const { webhook_secret: secret } = await database.sql
      .selectFrom('accounts')
      .select('webhook_secret')
      .where('id', '=', owner.accountId)
      .executeTakeFirstOrThrow();
    checkWebhooks(receiver.received, secret, jobs);
    for (const client of world.clients) {
      expect((await client.with({ url }).summary())['email']).toBe(client.email);
    }
    expect(world.told.windowsSeen).toBeGreaterThan(0);
    const begun = await database.sql.selectFrom('job_units').select('attempts').execute();
    // Otherwise no kill has hit any work, and the test proves nothing.
    expect(begun.filter(({ attempts }) => attempts > 1).length).toBeGreaterThan(KILLS / 6);
    expect(await server.end()).toBe(0);
    await expectNoRemains(ids);
  });
});

function fail(): never {
  throw new Error('there is no such file');
}
