import { randomUUID } from 'node:crypto';
import type { ClaimedUnit, Instance, JobStore, Store } from '../../src/store/store.ts';

/** Creates accounts and jobs in a store, and runs their units by hand. */
export class JobTools {
  readonly #store: Store;
  readonly #jobs: JobStore;
  clock = 1_000;

  constructor(store: Store, { jobs }: Instance) {
    this.#store = store;
    this.#jobs = jobs;
  }

  async addAccount(credits = 1_000): Promise<string> {
    const email = `${randomUUID()}@example.com`;
    return (await this.#store.accounts.create({ email, fullName: 'A', credits })).account.id;
  }

  async addJob(accountId: string, targets: readonly string[] = ['fr'], keys = 3): Promise<string> {
    const id = randomUUID();
    const file = { filename: 'a.json', fileType: 'json', sourceLanguage: 'en', bytes: 10 } as const;
    const now = ++this.clock;
    const job = {
      id,
      accountId,
      ...file,
      targetLanguages: targets,
      totalKeys: keys,
      webhookUrl: undefined,
      now,
    };
    if (await this.#jobs.insert(job)) throw new Error('too few credits');
    return id;
  }

  async claim(by = this.#jobs): Promise<ClaimedUnit> {
    const unit = await by.claimUnit(++this.clock);
    if (!unit) throw new Error('nothing to claim');
    return unit;
  }
}

/** All stored answers of a unit. */
export async function keptBy(jobs: JobStore, unit: ClaimedUnit): Promise<readonly string[]> {
  const kept: string[] = [];
  for await (const answers of jobs.keptAnswers(unit)) kept.push(answers);
  return kept;
}
