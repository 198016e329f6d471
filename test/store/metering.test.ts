import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { isShortage, type Instance, type Reservation, type Store } from '../../src/store/store.ts';
import { audit, openStore, register, STORES, type TestPlace, type TestStore } from './harness.ts';
import { runs } from '../property-runs.ts';

/**
 * Everything that clients, jobs and operators can do with credits, done at once through several processes on one store.
 * After each round, the tables agree with each other and with a model that only adds up the answers.
 */

const ACCOUNTS = 2;
/** Two live processes, and one that is dead but still acts: its row exists, but its lock does not. */
const PROCESSES = 3;
const GHOST = 2;

type Action =
  | { readonly kind: 'reserve'; readonly process: number; readonly account: number; readonly amount: number }
  | {
      readonly kind: 'charge';
      readonly process: number;
      readonly account: number;
      readonly amount: number;
      readonly successful: boolean;
    }
  | { readonly kind: 'settle'; readonly choice: number; readonly share: number; readonly successful: boolean }
  | { readonly kind: 'grant'; readonly account: number; readonly amount: number }
  | {
      readonly kind: 'count';
      readonly process: number;
      readonly account: number;
      readonly successful: boolean;
    }
  | { readonly kind: 'job'; readonly process: number; readonly account: number; readonly keys: number }
  | { readonly kind: 'unit'; readonly process: number; readonly share: number }
  | { readonly kind: 'delete'; readonly process: number; readonly choice: number };

const account = fc.nat(ACCOUNTS - 1);
const process_ = fc.nat(PROCESSES - 1);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('reserve' as const),
      process: process_,
      account,
      amount: fc.nat(12),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('charge' as const),
      process: process_,
      account,
      amount: fc.nat(6),
      successful: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      choice: fc.nat(),
      share,
      successful: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('grant' as const), account, amount: fc.nat(30) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('count' as const),
      process: process_,
      account,
      successful: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('job' as const), process: process_, account, keys: fc.nat(6) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('unit' as const), process: fc.nat(GHOST - 1), share }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), process: process_, choice: fc.nat() }),
  },
);

/** Concurrent actions, and whether dead processes are searched for afterwards. */
const rounds = fc.array(fc.record({ actions: fc.array(action, { maxLength: 12 }), reap: fc.boolean() }), {
  minLength: 1,
  maxLength: 8,
});

interface Held {
  readonly account: number;
  readonly process: number;
  readonly reservation: Reservation;
}

interface ModelJob {
  readonly account: number;
  readonly id: string;
  reserved: number;
}

class World {
  readonly granted = [0, 0];
  readonly charged = [0, 0];
  readonly successful = [0, 0];
  readonly failed = [0, 0];
  held: Held[] = [];
  jobs: ModelJob[] = [];
  readonly ids: string[] = [];
  readonly emails: string[] = [];
  readonly place: TestPlace;
  readonly store: Store;
  readonly instances: readonly Instance[];

  constructor(place: TestPlace, store: Store, instances: readonly Instance[]) {
    this.place = place;
    this.store = store;
    this.instances = instances;
  }

  static async open({ store, ...place }: TestStore, instances: readonly Instance[]): Promise<World> {
    const world = new World(place, store, instances);
    for (let i = 0; i < ACCOUNTS; i++) {
      const email = `${randomUUID()}@example.org`;
      world.emails.push(email);
      const made = await world.store.accounts.create({ email, fullName: 'A', credits: 20 });
      world.ids.push(made.account.id);
      world.granted[i] = 20;
    }
    await world.raiseGhost();
    return world;
  }

  get ghost(): Instance {
    return this.instances[GHOST]!;
  }

  async raiseGhost(): Promise<void> {
    // A process that noticed that it was declared dead has already registered again.
    await vi.waitFor(() => this.ghost.ready(), { timeout: 10_000 });
    await this.place.bury(this.ghost.id);
  }

  async close(): Promise<void> {
    for (const { id } of this.jobs) await this.#delete(id);
    await this.reap();
    for (const { reservation } of this.held) {
      await reservation.settle(0, { operation: 'translate', reference: 'end', successful: true });
    }
    await audit(this.place);
  }

  /**
   * Prepares an action. Takes what it needs from the model immediately, so that no other action of the round chooses
   * the same.
   */
  begin(action: Action): () => Promise<void> {
    switch (action.kind) {
      case 'reserve':
        return () => this.#reserve(action);
      case 'charge':
        return () => this.#charge(action);
      case 'settle': {
        const [held] = this.held.splice(action.choice % Math.max(1, this.held.length), 1);
        return async () => held && this.#settle(held, action.share, action.successful);
      }
      case 'grant':
        return async () => {
          await this.store.accounts.grant(this.emails[action.account]!, action.amount);
          this.granted[action.account]! += action.amount;
        };
      case 'count':
        return async () => {
          const { metering } = this.instances[action.process]!;
          await metering.countRequest(this.ids[action.account]!, action.successful);
          (action.successful ? this.successful : this.failed)[action.account]! += 1;
        };
      case 'job':
        return () => this.#createJob(action);
      case 'unit':
        return () => this.#endUnit(action);
      case 'delete':
      default: {
        const job = this.jobs[action.choice % Math.max(1, this.jobs.length)];
        return async () => job && this.#delete(job.id, action.process);
      }
    }
  }

  async #reserve({ process, account, amount }: Action & { kind: 'reserve' }): Promise<void> {
    const answer = await this.instances[process]!.metering.reserve(this.ids[account]!, amount);
    if (isShortage(answer)) expect(answer.remaining).toBeLessThan(amount);
    else this.held.push({ account, process, reservation: answer });
  }

  async #charge({ process, account, amount, successful }: Action & { kind: 'charge' }): Promise<void> {
    const { metering } = this.instances[process]!;
    const entry = { operation: 'translate', reference: 'request', successful };
    if (!(await metering.charge(this.ids[account]!, amount, entry))) return;
    this.charged[account]! += amount;
    (successful ? this.successful : this.failed)[account]! += 1;
  }

  async #settle({ account, reservation }: Held, share: number, successful: boolean): Promise<void> {
    const charge = Math.floor(reservation.amount * share);
    await reservation.settle(charge, { operation: 'translate', reference: 'request', successful });
    this.charged[account]! += charge;
    (successful ? this.successful : this.failed)[account]! += 1;
  }

  async #createJob({ process, account, keys }: Action & { kind: 'job' }): Promise<void> {
    const id = randomUUID();
    const shortage = await this.instances[process]!.jobs.insert({
      id,
      accountId: this.ids[account]!,
      filename: 'a.json',
      fileType: 'json',
      sourceLanguage: 'en',
      targetLanguages: ['fr', 'de'],
      totalKeys: keys,
      bytes: 10,
      webhookUrl: 'https://hooks.example/',
      now: 0,
    });
    if (shortage) expect(shortage.remaining).toBeLessThan(2 * keys);
    else this.jobs.push({ account, id, reserved: 2 * keys });
  }

  async #endUnit({ process, share }: Action & { kind: 'unit' }): Promise<void> {
    const { jobs } = this.instances[process]!;
    const unit = await jobs.claimUnit(0);
    if (!unit) return;
    const translatedKeys = Math.floor(unit.totalKeys * share);
    await jobs.recordProgress(unit, translatedKeys, 0);
    const ended = await jobs.endUnit({
      claim: unit,
      end: { translatedKeys, failedKeys: null, errorMessage: null, file: { id: randomUUID(), size: 1 } },
      judge: () => ({ status: 'partial', translated_keys: 0, failed_keys: 0, error_message: null }),
      now: 0,
    });
    // Another action of the round has deleted it.
    if (ended === 'lost') return;
    const job = this.jobs.find(({ id }) => id === unit.jobId);
    if (job) job.reserved -= unit.totalKeys;
    this.charged[this.ids.indexOf(unit.accountId)]! += translatedKeys;
  }

  async #delete(id: string, process = 0): Promise<void> {
    const job = this.jobs.find((one) => one.id === id);
    if (!job || !(await this.instances[process]!.jobs.delete(this.ids[job.account]!, id, 0))) return;
    this.jobs = this.jobs.filter((one) => one.id !== id);
  }

  /**
   * Both processes search for the dead one, which is found once. Its reservations can no longer be settled.
   */
  async reap(): Promise<void> {
    const found = await Promise.all(this.instances.slice(0, GHOST).map((instance) => instance.reap()));
    expect(found.flat()).toEqual([this.ghost.id]);
    const lost = this.held.filter(({ process }) => process === GHOST);
    this.held = this.held.filter(({ process }) => process !== GHOST);
    for (const { reservation } of lost.filter(({ reservation }) => reservation.amount > 0)) {
      const entry = { operation: 'translate', reference: 'late', successful: true };
      await expect(reservation.settle(reservation.amount, entry)).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:internal|store_unavailable)$/) as string,
      });
    }
    await this.raiseGhost();
  }

  async check(): Promise<void> {
    await audit(this.place);
    const rows = await this.place.database.sql.selectFrom('accounts').selectAll().execute();
    for (const [i, id] of this.ids.entries()) {
      const row = rows.find((one) => one.id === id);
      const held = this.held
        .filter(({ account }) => account === i)
        .map(({ reservation }) => reservation.amount);
      const jobs = this.jobs.filter(({ account }) => account === i).map(({ reserved }) => reserved);
      expect(row).toMatchObject({
        granted: this.granted[i],
        balance: this.granted[i]! - this.charged[i]!,
        reserved: [...held, ...jobs].reduce((sum, amount) => sum + amount, 0),
        requests_successful: this.successful[i],
        requests_failed: this.failed[i],
      });
    }
  }
}

describe.each(STORES)('metering ($name)', ({ place }) => {
  it('never loses, invents or overspends a credit under concurrency', async () => {
    const opened = await openStore(place);
    const instances: Instance[] = [];
    while (instances.length < PROCESSES) instances.push(await register(await opened.open()));
    await fc.assert(
      fc.asyncProperty(rounds, async (rounds) => {
        const world = await World.open(opened, instances);
        try {
          for (const { actions, reap } of rounds) {
            await Promise.all(actions.map((action) => world.begin(action)()));
            await world.check();
            if (reap) {
              await world.reap();
              await world.check();
            }
          }
        } finally {
          await world.close();
        }
      }),
      { numRuns: runs(30) },
    );
  });
});
