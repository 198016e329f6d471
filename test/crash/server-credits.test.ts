import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountStore } from '../../src/store/shared/accounts.ts';
import type { Database } from '../../src/store/shared/database.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import type { Answer } from '../server/specification/answer.ts';
import { Client } from '../server/specification/client.ts';
import { startServing, type Served } from './served.ts';

/** Two servers on one data directory, and clients of both. */
const directory = mkdtempSync(join(tmpdir(), 'dragoman-two-servers-'));
const argv = ['--rate-limit', '0', '--max-concurrency', '200', '--log-level', 'error'];
const CREDITS = 100;
const CLIENTS = 50;

let database: Database;
let servers: readonly Served[] = [];
let urls: readonly string[] = [];

beforeAll(async () => {
  database = await openDatabase(directory);
  servers = [startServing(directory, argv), startServing(directory, argv)];
  urls = await Promise.all(servers.map(async ({ ready }) => (await ready) ?? ''));
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await database?.close();
  rmSync(directory, { recursive: true, force: true });
});

let accounts = 0;

/** One account, at each of the servers. */
async function newAccount(credits: number): Promise<readonly [Client, Client]> {
  const email = `user${++accounts}@example.org`;
  const { account, key } = await accountStore(database).create({ email, fullName: 'U', credits });
  const client = new Client('', { accountId: account.id, email, key });
  return [client.with({ url: urls[0] ?? '' }), client.with({ url: urls[1] ?? '' })];
}

/** The charges of an account, row by row. The books must be consistent. */
async function chargesOf({ accountId }: Client): Promise<readonly { operation: string; amount: number }[]> {
  const account = await accountStore(database).find(accountId);
  const rows = await database.sql
    .selectFrom('ledger')
    .select(['operation', 'amount'])
    .where('account_id', '=', accountId)
    .execute();
  expect(account).toMatchObject({ balance: rows.reduce((sum, { amount }) => sum + amount, 0), reserved: 0 });
  return rows
    .filter(({ amount }) => amount < 0)
    .map(({ operation, amount }) => ({ operation, amount: -amount }));
}

const pair = { source: 'en', target: 'fr' };
const cue = (i: number): string => `${i}\n00:00:0${i},000 --> 00:00:0${i},500\nHello\n`;

interface Priced {
  readonly operation: string;
  readonly credits: number;
  ask(client: Client): Promise<Answer>;
}

const translate: Priced = { operation: 'translate', credits: 1, ask: (client) => client.translate() };
const priced: readonly Priced[] = [
  {
    operation: 'translateBatch',
    credits: 7,
    ask: (client) => client.post('/v2/translate/batch', { texts: Array<string>(7).fill('Hello'), ...pair }),
  },
  {
    operation: 'translateEmail',
    credits: 4,
    ask: (client) =>
      client.post('/v2/translate/email', { subject: 'Hi', email_body: '<p>a<b>b</b>c</p>', ...pair }),
  },
  {
    operation: 'translateSubtitles',
    credits: 3,
    ask: (client) =>
      client.post('/v2/translate/subtitles', {
        format: 'srt',
        content: [1, 2, 3].map(cue).join('\n'),
        ...pair,
      }),
  },
  translate,
];

/** Fifty concurrent clients with four requests each: even clients use the first server, odd clients the second. */
async function askAll(
  at: readonly [Client, Client],
  choose: (i: number) => Priced,
): Promise<readonly { readonly one: Priced; readonly status: number }[]> {
  const ask = async (who: number) => {
    const answers = [];
    for (let turn = 0; turn < 4; turn++) {
      const one = choose(who + turn);
      const { status, text } = await one.ask(at[who % 2] ?? at[0]);
      expect([200, 402], text).toContain(status);
      answers.push({ one, status });
    }
    return answers;
  };
  return (await Promise.all(Array.from({ length: CLIENTS }, (_, who) => ask(who)))).flat();
}

describe('fifty clients on one account with 100 credits, at two servers', () => {
  it('get exactly 100 translations', async () => {
    const at = await newAccount(CREDITS);
    const answers = await askAll(at, () => translate);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(CREDITS);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(4 * CLIENTS - CREDITS);
    expect(await chargesOf(at[0])).toEqual(
      Array.from({ length: CREDITS }, () => ({ operation: 'translate', amount: 1 })),
    );
    for (const client of at) {
      expect(await client.summary()).toMatchObject({ credits_used: CREDITS, credits_remaining: 0 });
    }
  });

  it('get exactly 100 credits’ worth of operations of different cost', async () => {
    const at = await newAccount(CREDITS);
    const answers = [...(await askAll(at, (i) => priced[i % priced.length] ?? translate))];
    // The remaining credits may still pay for a text, which is the cheapest operation.
    answers.push(...(await askAll(at, () => translate)));
    const done = answers.filter(({ status }) => status === 200).map(({ one }) => one);
    expect(done.reduce((sum, { credits }) => sum + credits, 0)).toBe(CREDITS);
    const order = (a: string, b: string): number => (a < b ? -1 : 1);
    const charged = (await chargesOf(at[0])).map(({ operation, amount }) => `${operation} ${amount}`);
    expect(charged.toSorted(order)).toEqual(
      done.map(({ operation, credits }) => `${operation} ${credits}`).toSorted(order),
    );
    expect((await at[1].summary())['credits_remaining']).toBe(0);
  });

  it('get as many jobs as the credits allow, each run once', async () => {
    const at = await newAccount(CREDITS);
    const content = '{"a": "Hello", "b": "Goodbye", "c": "Again"}';
    const uploads = Array.from({ length: 20 }, (_, i) =>
      (at[i % 2] ?? at[0]).upload({ content, target_languages: 'fr,de,es' }),
    );
    const answers = await Promise.all(uploads);
    const created = answers.filter(({ status }) => status === 201);
    // Each job costs nine credits.
    expect(created).toHaveLength(11);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(9);
    const ids = created.map((answer) => String(answer.object(201)['job_id']));
    for (const id of ids) {
      await expect
        .poll(async () => (await at[0].status(id))['status'], { interval: 50, timeout: 20_000 })
        .toBe('completed');
      const files = await Promise.all(at.map((client) => client.download(id, 'de')));
      expect(files[0]?.bytes).toEqual(files[1]?.bytes);
    }
    const charges = await chargesOf(at[0]);
    expect(charges).toEqual(Array.from({ length: 33 }, () => ({ operation: 'i18n', amount: 3 })));
    expect((await at[0].summary())['credits_remaining']).toBe(1);
  });
});
