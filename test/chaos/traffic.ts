import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../../src/plugins/contract/random.ts';
import type { Answer } from '../server/specification/answer.ts';
import type { Client } from '../server/specification/client.ts';
import type { Site } from './site.ts';

/** A request that is charged separately, with its own reference. */
export interface SentText {
  readonly id: string;
  readonly credits: number;
  /** Undefined if the connection broke before an answer. */
  readonly status: number | undefined;
}

export interface SentJob {
  readonly client: Client;
  readonly keys: number;
  readonly languages: readonly string[];
  readonly hasWebhook: boolean;
  /** `unknown` if the result of a deletion was lost. */
  fate: 'kept' | 'deleted' | 'unknown';
  deletions: number;
}

export interface TrafficOptions {
  readonly clients: readonly Client[];
  readonly seed: number;
  /** The number of concurrent requests. */
  readonly lanes?: number;
  /** The maximum number of jobs. */
  readonly jobs?: number;
  readonly webhookUrl?: string;
}

const LANGUAGES = ['fr', 'de', 'it', 'es'];
const KEYS = 40;
const PAUSE_MS = 20;

/** Clients that send requests to all replicas of a site, and their records of the answers. */
export class Traffic {
  readonly #site: Site;
  readonly #options: TrafficOptions;
  readonly #random: Random;
  readonly #lanes: Promise<void>[] = [];
  #isOver = false;
  readonly texts: SentText[] = [];
  /** The acknowledged jobs, by id. */
  readonly jobs = new Map<string, SentJob>();
  /** The number of answers with each status, and `broken` for lost ones. */
  readonly statuses = new Map<string, number>();

  constructor(site: Site, options: TrafficOptions) {
    this.#site = site;
    this.#options = options;
    this.#random = new Random(options.seed);
  }

  get answered(): number {
    return this.texts.filter(({ status }) => status === 200).length;
  }

  /** Sends requests until stopped. */
  start(): this {
    const { lanes = 6 } = this.#options;
    for (let i = 0; i < lanes; i++) this.#lanes.push(this.#send());
    return this;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#lanes);
  }

  async translate(client: Client): Promise<void> {
    const body = { text: 'Good morning', source: 'en', target: 'fr' };
    await this.#sendText(client, '/v2/translate', body, 1);
  }

  async translateBatch(client: Client): Promise<void> {
    // The first account's credits are reserved; the second account pays after the work.
    const count = this.#random.below(2) === 0 ? 100 : 1 + this.#random.below(9);
    const texts = Array.from({ length: count }, (_, i) => `Good morning ${i}`);
    const body = { texts, source: 'en', target: 'de' };
    await this.#sendText(client, '/v2/translate/batch', body, texts.length);
  }

  async createJob(client: Client): Promise<void> {
    const languages = LANGUAGES.slice(this.#random.below(LANGUAGES.length));
    const { webhookUrl } = this.#options;
    const answer = await this.#count(
      this.#reach(client)?.upload({
        content: messages(KEYS),
        target_languages: languages.join(),
        webhook_url: webhookUrl,
      }),
    );
    if (answer?.status !== 201) return;
    const { job_id: id } = answer.json as { job_id: string };
    const hasWebhook = webhookUrl !== undefined;
    this.jobs.set(id, { client, keys: KEYS, languages, hasWebhook, fate: 'kept', deletions: 0 });
  }

  async deleteJob(): Promise<void> {
    const found = this.#random.pick([...this.jobs]);
    if (!found || found[1].fate === 'deleted') return;
    const [id, job] = found;
    job.deletions++;
    job.fate = 'unknown';
    const answer = await this.#reach(job.client)
      ?.remove(id)
      .catch(() => undefined);
    if (answer?.status === 200) job.fate = 'deleted';
    // The job may have been deleted even if the answer was lost, or by another, possibly concurrent, request.
    else if (answer?.status === 404 && job.deletions === 1) this.#note('404 for a job that existed');
    if (answer?.status !== 404) this.#note(String(answer?.status ?? 'broken'));
  }

  async #send(): Promise<void> {
    const { clients, jobs = 0 } = this.#options;
    while (!this.#isOver) {
      const client = this.#random.pick(clients);
      if (!client) return;
      const turn = this.#random.below(60);
      if (turn < 6 && this.jobs.size < jobs) await this.createJob(client);
      else if (turn === 6 && jobs > 0) await this.deleteJob();
      else if (turn < 15) await this.translateBatch(client);
      else await this.translate(client);
    }
  }

  async #sendText(client: Client, path: string, body: object, credits: number): Promise<void> {
    const id = randomUUID();
    const headers = { 'Content-Type': 'application/json', 'X-Request-Id': id };
    const sent = this.#reach(client)?.send(path, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = await this.#count(sent);
    if (sent) this.texts.push({ id, credits, status: answer?.status });
  }

  /** The client of any replica; undefined while there is none. */
  #reach(client: Client): Client | undefined {
    const replica = this.#random.pick(this.#site.replicas);
    return replica && client.with({ url: replica.url });
  }

  async #count(sent: Promise<Answer> | undefined): Promise<Answer | undefined> {
    const answer = await sent?.catch(() => undefined);
    if (sent) this.#note(String(answer?.status ?? 'broken'));
    if (answer?.status === 503 && answer.headers['retry-after'] === undefined) {
      this.#note('503 without Retry-After');
    }
    if (!answer || answer.status > 299) await delay(PAUSE_MS);
    return answer;
  }

  #note(status: string): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }
}

export function messages(keys: number): string {
  const entries = Array.from({ length: keys }, (_, i) => [`key${i}`, `Good morning ${i}`]);
  return JSON.stringify(Object.fromEntries(entries));
}
