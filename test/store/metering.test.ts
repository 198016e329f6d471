import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAccount, grantCredits } from '../../src/store/accounts.ts';
import {
  chargeReserved,
  Credits,
  isShortage,
  reserveFor,
  type Reservation,
} from '../../src/store/credits.ts';
import type { Database } from '../../src/store/database.ts';
import { registerInstance, type Instance } from '../../src/store/instance.ts';
import { audit, jobRow, openStore, temporaryDirectory } from './harness.ts';

/**
 * What clients, jobs and operators can do to credits, done at once by several users of one store. After each round the
 * tables agree with each other and with a model that only adds up what was answered.
 */

const ACCOUNTS = 2;
/** Two live processes, and one that is dead but does not know: its row is there, its lock is not. */
const PROCESSES = 3;
const GHOST = 2;

type Action =
  | { readonly kind: 'reserve'; readonly process: number; readonly account: number; readonly amount: number }
  | { readonly kind: 'settle'; readonly choice: number; readonly share: number; readonly successful: boolean }
  | { readonly kind: 'grant'; readonly account: number; readonly amount: number }
  | {
      readonly kind: 'count';
      readonly process: number;
      readonly account: number;
      readonly successful: boolean;
    }
  | { readonly kind: 'job'; readonly process: number; readonly account: number; readonly amount: number }
  | { readonly kind: 'unit'; readonly choice: number; readonly share: number }
  | { readonly kind: 'fail'; readonly process: number; readonly account: number; readonly amount: number };

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
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('job' as const),
      process: process_,
      account,
      amount: fc.nat(20),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unit' as const), choice: fc.nat(), share }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('fail' as const),
      process: process_,
      account,
      amount: fc.nat(5),
    }),
  },
);

/** Actions at once, and whether dead processes are looked for afterwards. */
const rounds = fc.array(fc.record({ actions: fc.array(action, { maxLength: 12 }), reap: fc.boolean() }), {
  minLength: 1,
  maxLength: 8,
});

interface Held {
  readonly account: number;
  readonly process: number;
  readonly reservation: Reservation;
}

interface Job {
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
  jobs: Job[] = [];
  readonly ids: string[] = [];
  readonly emails: string[] = [];
  readonly databases: readonly Database[];
  readonly instances: Instance[] = [];
  readonly credits: Credits[] = [];

  constructor(databases: readonly Database[]) {
    this.databases = databases;
  }

  static async open(databases: readonly Database[], directory: string): Promise<World> {
    const world = new World(databases);
    for (let i = 0; i < ACCOUNTS; i++) {
      const email = `${randomUUID()}@example.org`;
      world.emails.push(email);
      const made = await createAccount(world.databases[0]!, { email, fullName: 'A', credits: 20 });
      world.ids.push(made.account.id);
      world.granted[i] = 20;
    }
    for (let i = 0; i < GHOST; i++) {
      world.instances.push(await registerInstance(world.databases[i]!, directory));
      world.credits.push(new Credits(world.databases[i]!, world.instances[i]!.id));
    }
    world.credits.push(new Credits(world.databases[GHOST]!, 'ghost'));
    await world.raiseGhost();
    return world;
  }

  async raiseGhost(): Promise<void> {
    await this.databases[0]!.write((sql) =>
      sql.insertInto('instances').values({ id: 'ghost', started_at: 0 }).execute(),
    );
  }

  async close(): Promise<void> {
    await this.instances[0]!.reap();
    for (const instance of this.instances) await instance.close();
    await audit(this.databases[0]!);
  }

  /** What an action is to do; what it takes away from the model is taken before others of the round can choose it. */
  begin(action: Action): () => Promise<void> {
    switch (action.kind) {
      case 'reserve':
        return () => this.#reserve(action);
      case 'settle': {
        const [held] = this.held.splice(action.choice % Math.max(1, this.held.length), 1);
        return async () => held && this.#settle(held, action.share, action.successful);
      }
      case 'grant':
        return async () => {
          await grantCredits(this.databases[0]!, this.emails[action.account]!, action.amount);
          this.granted[action.account]! += action.amount;
        };
      case 'count':
        return async () => {
          await this.credits[action.process]!.countRequest(this.ids[action.account]!, action.successful);
          (action.successful ? this.successful : this.failed)[action.account]! += 1;
        };
      case 'job':
        return () => this.#createJob(action);
      case 'unit': {
        const job = this.jobs[action.choice % Math.max(1, this.jobs.length)];
        const part = job ? Math.ceil(job.reserved / 2) : 0;
        if (job) job.reserved -= part;
        return async () => job && this.#endUnit(job, part, Math.floor(part * action.share));
      }
      case 'fail':
      default:
        return () => this.#fail(action);
    }
  }

  async #fail({ process, account, amount }: Action & { kind: 'fail' }): Promise<void> {
    const failing = this.databases[process]!.write(async (sql) => {
      await reserveFor(sql, this.ids[account]!, amount);
      throw new Error('the work fails');
    });
    await expect(failing).rejects.toThrow('the work fails');
  }

  async #reserve({ process, account, amount }: Action & { kind: 'reserve' }): Promise<void> {
    const answer = await this.credits[process]!.reserve(this.ids[account]!, amount);
    if (isShortage(answer)) expect(answer.remaining).toBeLessThan(amount);
    else this.held.push({ account, process, reservation: answer });
  }

  async #settle({ account, reservation }: Held, share: number, successful: boolean): Promise<void> {
    const charge = Math.floor(reservation.amount * share);
    await reservation.settle(charge, { operation: 'translate', reference: 'request', successful });
    this.charged[account]! += charge;
    (successful ? this.successful : this.failed)[account]! += 1;
  }

  async #createJob({ process, account, amount }: Action & { kind: 'job' }): Promise<void> {
    const id = randomUUID();
    const shortage = await this.databases[process]!.write(async (sql) => {
      const refused = await reserveFor(sql, this.ids[account]!, amount);
      if (refused) return refused;
      await sql
        .insertInto('jobs')
        .values(jobRow(id, this.ids[account]!, amount))
        .execute();
      return undefined;
    });
    if (shortage) expect(shortage.remaining).toBeLessThan(amount);
    else this.jobs.push({ account, id, reserved: amount });
  }

  async #endUnit({ account, id }: Job, reserved: number, charge: number): Promise<void> {
    await this.databases[1]!.write(async (sql) => {
      const entry = { operation: 'i18n', reference: id, now: 0 };
      await chargeReserved(sql, { accountId: this.ids[account]!, reserved, charge, ...entry });
      await sql
        .updateTable('jobs')
        .set((eb) => ({ reserved: eb('reserved', '-', reserved) }))
        .where('id', '=', id)
        .execute();
    });
    this.charged[account]! += charge;
  }

  /** The dead process is found, by both that look for it but only once. What it held cannot be settled any more. */
  async reap(): Promise<void> {
    const found = await Promise.all(this.instances.map((instance) => instance.reap()));
    expect(found.flat()).toEqual(['ghost']);
    const lost = this.held.filter(({ process }) => process === GHOST);
    this.held = this.held.filter(({ process }) => process !== GHOST);
    for (const { reservation } of lost.filter(({ reservation }) => reservation.amount > 0)) {
      const entry = { operation: 'translate', reference: 'late', successful: true };
      await expect(reservation.settle(reservation.amount, entry)).rejects.toMatchObject({ code: 'internal' });
    }
    await this.raiseGhost();
  }

  async check(): Promise<void> {
    await audit(this.databases[GHOST]!);
    const rows = await this.databases[1]!.sql.selectFrom('accounts').selectAll().execute();
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

describe('metering', () => {
  it('never loses, invents or overspends a credit, whatever is done at once', async () => {
    const directory = temporaryDirectory();
    const databases: Database[] = [];
    for (let i = 0; i < PROCESSES; i++) databases.push(await openStore(directory));
    await fc.assert(
      fc.asyncProperty(rounds, async (rounds) => {
        const world = await World.open(databases, directory);
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
      { numRuns: 30 },
    );
  });
});
