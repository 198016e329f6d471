import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../../src/plugins/contract/random.ts';
import type { Cluster } from '../postgres/cluster.ts';
import type { Client } from '../server/specification/client.ts';
import { isAtRest } from './audit.ts';
import { underLoad, type Outcome } from './load.ts';
import { comesTrue, type Replica, type Site } from './site.ts';
import type { Traffic } from './traffic.ts';

/** Clients that disconnect before they are answered, and delete running jobs, while servers are killed. */

const ENGINE = join(import.meta.dirname, 'counting-engine.mjs');
const ENGINE_MS = 150;
/** A request sent this long before its server was killed has ended. */
const SETTLED_MS = 15_000;
const REST_MS = 120_000;
const LANES = 6;

/** A request or job that is charged for the texts that the engine has answered. */
interface PaidWork {
  /** Its reference in the ledger: the id of the request or job. */
  readonly reference: string;
  /** Occurs in all of its texts, which are numbered. */
  readonly tag: string;
  /** Whether the whole request costs 1 credit if any text was answered. */
  readonly isWhole: boolean;
  /** Undefined for a job, which any server may run. */
  readonly replica: Replica | undefined;
  readonly sentAt: number;
  readonly kind: string;
}

interface Operation {
  readonly path: string;
  readonly isWhole: boolean;
  readonly body: (texts: readonly string[]) => object;
  /** The price of this many texts. */
  readonly credits: (texts: number) => number;
}

const OPERATIONS: readonly Operation[] = [
  { path: '/v2/translate', isWhole: true, body: ([text]) => ({ text }), credits: () => 1 },
  { path: '/v1/translate', isWhole: true, body: ([text]) => ({ text }), credits: () => 1 },
  { path: '/v2/translate/batch', isWhole: false, body: (texts) => ({ texts }), credits: (count) => count },
  { path: '/v2/translate/html', isWhole: true, body: (texts) => ({ html: page(texts) }), credits: () => 1 },
  {
    path: '/v2/translate/email',
    isWhole: false,
    body: ([subject, ...texts]) => ({ subject, email_body: page(texts) }),
    credits: (count) => count,
  },
  {
    path: '/v2/translate/subtitles',
    isWhole: false,
    body: (texts) => ({ format: 'srt', content: texts.map(cue).join('\n') }),
    credits: (count) => count,
  },
];

function page(texts: readonly string[]): string {
  return texts.map((text) => `<p>${text}</p>`).join('');
}

function cue(text: string, i: number): string {
  const time = `00:${String(Math.floor(i / 60)).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}`;
  return `${i + 1}\n${time},000 --> ${time},900\n${text}\n`;
}

/** Kills random servers `kills` times while clients abort; then compares the charges with the engine's answers. */
export async function abortClients(
  place: Cluster | { readonly directory: string },
  kills: number,
  seed: number,
): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), 'dragoman-aborts-'));
  const log = join(directory, 'answered');
  const command = `"${process.execPath}" "${ENGINE}" "${log}" ${ENGINE_MS}`;
  const argv = ['--engine', 'exec', '--engine-command', command];
  try {
    return await underLoad(
      place,
      { replicas: 3, seed, lanes: 0, site: { argv } },
      async (site, traffic, note) => {
        const clients = new AbortingClients(site, traffic, seed);
        await clients.during(() => killSome(site, clients, kills, seed));
        await rest(site, log);
        const charged = await chargesOf(site);
        return `${kills} kills, ${clients.audit(readAnswered(log), charged, note)}`;
      },
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function killSome(site: Site, clients: AbortingClients, kills: number, seed: number): Promise<void> {
  const random = new Random(seed + 1);
  for (let i = 0; i < kills; i++) {
    await delay(500 + random.below(1_000));
    const victim = random.pick(site.replicas);
    if (!victim) continue;
    clients.killed.set(victim, performance.now());
    await site.kill(victim);
    await site.start();
  }
  // If no server was killed, the charges are certain.
  await delay(SETTLED_MS / 3);
}

class AbortingClients {
  readonly killed = new Map<Replica, number>();
  readonly #site: Site;
  readonly #traffic: Traffic;
  readonly #random: Random;
  readonly #works: PaidWork[] = [];
  #isOver = false;

  constructor(site: Site, traffic: Traffic, seed: number) {
    this.#site = site;
    this.#traffic = traffic;
    this.#random = new Random(seed);
  }

  async during(work: () => Promise<void>): Promise<void> {
    // Credits for batches of 100 are reserved; shorter batches are charged after the work.
    const clients = await this.#site.newClients(LANES);
    const lanes = clients.map((client) => this.#send(client));
    await work();
    this.#isOver = true;
    await Promise.all(lanes);
  }

  /** @param answered texts, with their target, by tag */
  audit(
    answered: ReadonlyMap<string, ReadonlySet<string>>,
    charged: ReadonlyMap<string, number>,
    note: (wrong: string) => void,
  ): string {
    let compared = 0;
    const wrong = new Map<string, { works: number; answered: number; charged: number }>();
    for (const work of this.#works) {
      const found = answered.get(work.tag)?.size ?? 0;
      const due = work.isWhole ? Math.min(1, found) : found;
      const paid = charged.get(work.reference) ?? 0;
      const isCertain = !this.#mayBeLost(work);
      if (isCertain) compared++;
      if (isCertain ? paid === due : paid <= due) continue;
      const sum = wrong.get(work.kind) ?? { works: 0, answered: 0, charged: 0 };
      wrong.set(work.kind, {
        works: sum.works + 1,
        answered: sum.answered + due,
        charged: sum.charged + paid,
      });
    }
    for (const [kind, sum] of wrong)
      note(`${sum.works} × ${kind}: ${sum.answered} items were answered, and ${sum.charged} charged`);
    return `${this.#works.length} works, ${compared} exact`;
  }

  /** Whether a killed server may have had answers for this work. */
  #mayBeLost({ replica, sentAt }: PaidWork): boolean {
    return [...this.killed].some(
      ([victim, at]) => (!replica || victim === replica) && at > sentAt && at < sentAt + SETTLED_MS,
    );
  }

  async #send(client: Client): Promise<void> {
    while (!this.#isOver) {
      const replica = this.#random.pick(this.#site.replicas);
      const operation = this.#random.pick(OPERATIONS);
      if (!replica || !operation) await delay(20);
      else if (this.#random.below(6) === 0) await this.#deleteJob(client.with({ url: replica.url }));
      else await this.#abort(client, replica, operation);
    }
  }

  async #abort(client: Client, replica: Replica, operation: Operation): Promise<void> {
    const { path, isWhole, body, credits } = operation;
    const reference = randomUUID();
    const tag = tagOf(reference);
    const count = this.#random.below(2) === 0 ? 100 : 5 + this.#random.below(60);
    const texts = textsOf(tag, count);
    const leave = new AbortController();
    this.#works.push({ reference, tag, isWhole, replica, sentAt: performance.now(), kind: path });
    // Some clients wait for the answer.
    const timer = setTimeout(() => leave.abort(), this.#random.below(ENGINE_MS * 3));
    const status = await fetch(replica.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-KEY': client.key, 'X-Request-Id': reference },
      body: JSON.stringify({ ...body(texts), source: 'en', target: 'fr' }),
      signal: leave.signal,
    }).then(
      async (answer) => {
        await answer.arrayBuffer().catch(() => undefined);
        return answer.status;
      },
      () => undefined,
    );
    clearTimeout(timer);
    const { statuses, texts: sent } = this.#traffic;
    const name = status === undefined ? 'broken' : String(status);
    if (!leave.signal.aborted) statuses.set(name, (statuses.get(name) ?? 0) + 1);
    sent.push({ id: reference, credits: credits(count), status });
  }

  async #deleteJob(client: Client): Promise<void> {
    const tag = tagOf(randomUUID());
    const entries = textsOf(tag, 60).map((text, i) => [`key${i}`, text]);
    const form = { content: JSON.stringify(Object.fromEntries(entries)), target_languages: 'fr,de' };
    const sentAt = performance.now();
    const created = await client.upload(form).catch(() => undefined);
    if (created?.status !== 201) return;
    const { job_id: reference } = created.json as { job_id: string };
    await delay(this.#random.below(ENGINE_MS * 4));
    const deleted = await client.remove(reference).catch(() => undefined);
    // Remaining jobs are checked by the final audit.
    if (deleted?.status !== 200) return;
    this.#works.push({ reference, tag, isWhole: false, replica: undefined, sentAt, kind: 'a deleted job' });
  }
}

/** Letters and digits only: other characters could form placeholders. */
function tagOf(id: string): string {
  return `T${id.replaceAll('-', '')}T`;
}

function textsOf(tag: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `Good morning ${tag} number ${i}.`);
}

/** The texts that the engine has answered, by tag, each with its target. */
function readAnswered(log: string): ReadonlyMap<string, ReadonlySet<string>> {
  const answered = new Map<string, Set<string>>();
  for (const line of existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []) {
    const tag = /T[0-9a-f]{32}T/.exec(line)?.[0];
    if (tag !== undefined) answered.set(tag, (answered.get(tag) ?? new Set()).add(line));
  }
  return answered;
}

async function chargesOf(site: Site): Promise<ReadonlyMap<string, number>> {
  const rows = await site.ask<{ reference: string; amount: number }>(`
    select reference, cast(sum(-amount) as integer) as amount from ledger
    where operation <> 'grant' group by reference`);
  return new Map(rows.map(({ reference, amount }) => [reference, amount]));
}

/** Waits until nothing is in progress: the engine is idle, and no credit is reserved. */
async function rest(site: Site, log: string): Promise<void> {
  const sizeOf = (): number => (existsSync(log) ? readFileSync(log).length : 0);
  await comesTrue(async () => {
    const size = sizeOf();
    await delay(3_000);
    return sizeOf() === size && (await isAtRest(site));
  }, REST_MS);
}
