import { randomUUID } from 'node:crypto';
import type { CallLimits, ClaimedDelivery, DeliveryState, DeliveryStore } from '../delivery-store.ts';
import type { Coordination, Database, Sql } from './database.ts';

/** @param ownId returns the current id of this process */
export function deliveryStore(database: Database, ownId: () => string): DeliveryStore {
  const { sql, coordination } = database;
  const mine = (sql: Sql, id: string) =>
    sql.updateTable('webhook_deliveries').where('id', '=', id).where('instance_id', '=', ownId());
  return {
    claimDue: async (limits, now) => {
      // Most checks find nothing, so they use no transaction.
      if ((await findDue(sql, { ...NOBODY_BUSY, now, perReceiver: 1, limit: 1 })).length === 0) return [];
      // The write is not durable, because claims lost in a power cut are made again.
      return database.write((sql) => claimDue(sql, coordination, { instanceId: ownId(), limits, now }), {
        durable: false,
        once: true,
      });
    },

    async nextAt(now) {
      const row = await sql
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.min('next_attempt_at').as('at'))
        .where('status', '=', 'pending')
        .where('instance_id', 'is', null)
        .where('next_attempt_at', '>', now)
        .executeTakeFirst();
      return row?.at ?? undefined;
    },

    async storeBody(id, body) {
      const { numUpdatedRows } = await database.write((sql) =>
        mine(sql, id)
          .set({ body })
          .where((row) => row.or([row('body', 'is', null), row('body', '=', body)]))
          .executeTakeFirst(),
      );
      return numUpdatedRows > 0n;
    },

    async delivered(id, now) {
      await database.write((sql) =>
        mine(sql, id)
          .set((row) => ({
            status: 'delivered',
            instance_id: null,
            attempts: row('attempts', '+', 1),
            last_error: null,
            delivered_at: now,
          }))
          .execute(),
      );
    },

    async failed(id, { error, retryAt }) {
      await database.write((sql) =>
        mine(sql, id)
          .set((row) => ({
            status: retryAt === undefined ? 'failed' : 'pending',
            instance_id: null,
            attempts: row('attempts', '+', 1),
            last_error: error,
            ...(retryAt === undefined ? {} : { next_attempt_at: retryAt }),
          }))
          .execute(),
      );
    },

    async release(running = []) {
      await database.write(async (sql) => {
        let stranded = sql
          .updateTable('webhook_deliveries')
          .set({ instance_id: null })
          .where('instance_id', '=', ownId())
          .where('status', '=', 'pending');
        if (running.length > 0) stranded = stranded.where('id', 'not in', running);
        await stranded.execute();
      });
    },
  };
}

/**
 * Records the webhook call for a job's end, in the transaction `sql` that ends it. The first attempt is due
 * immediately. `url` was validated with `checkWebhookUrl`.
 */
export async function enqueueDelivery(
  sql: Sql,
  { accountId, jobId, url, now }: { accountId: string; jobId: string; url: string; now: number },
): Promise<void> {
  await sql
    .insertInto('webhook_deliveries')
    .values({
      id: `msg_${randomUUID()}`,
      account_id: accountId,
      job_id: jobId,
      url,
      origin: new URL(url).origin,
      body: null,
      status: 'pending',
      instance_id: null,
      attempts: 0,
      next_attempt_at: now,
      last_error: null,
      created_at: now,
      delivered_at: null,
    })
    .execute();
}

export async function deliveryOf(sql: Sql, jobId: string): Promise<DeliveryState | undefined> {
  const row = await sql
    .selectFrom('webhook_deliveries')
    .select(['status', 'attempts', 'last_error', 'next_attempt_at'])
    .where('job_id', '=', jobId)
    .executeTakeFirst();
  return (
    row && {
      status: row.status,
      attempts: row.attempts,
      lastError: row.last_error ?? undefined,
      nextAt: row.status === 'pending' ? row.next_attempt_at : undefined,
    }
  );
}

/** A pending call stays unchanged, because it has already been restarted. */
export async function redeliver(database: Database, jobId: string, now: number): Promise<boolean> {
  const { coordination } = database;
  const found = await database.write(async (sql) => {
    // Prevents an expiring job from being removed meanwhile.
    await coordination.lock(sql.selectFrom('jobs').select('id').where('id', '=', jobId)).execute();
    await sql
      .updateTable('webhook_deliveries')
      .set({ status: 'pending', attempts: 0, next_attempt_at: now, delivered_at: null })
      .where('job_id', '=', jobId)
      .where('instance_id', 'is', null)
      .execute();
    await coordination.announce(sql, 'deliveries');
    return deliveryOf(sql, jobId);
  });
  return found !== undefined;
}

interface DeliveryClaiming {
  readonly instanceId: string;
  readonly limits: CallLimits;
  readonly now: number;
}

/** Only one process claims at a time, so that all processes together stay within the limits. */
async function claimDue(
  sql: Sql,
  coordination: Coordination,
  { instanceId, limits, now }: DeliveryClaiming,
): Promise<readonly ClaimedDelivery[]> {
  await coordination.requireRegistered(sql, instanceId);
  await coordination.takeTurn(sql);
  const running = await callsUnderWay(sql);
  const free = limits.total - running.filter((call) => call.instanceId === instanceId).length;
  if (free <= 0) return [];
  const full = new PendingCalls(running).full(limits);
  const due = await findDue(sql, {
    now,
    perReceiver: limits.perOrigin,
    limit: 2 * limits.total,
    busyAccounts: full.accounts,
    busyOrigins: full.origins,
  });
  const chosen = chooseFairly(due, running, { ...limits, total: running.length + free });
  if (chosen.length === 0) return [];
  const ids = chosen.map(({ id }) => id);
  await sql
    .updateTable('webhook_deliveries')
    .set({ instance_id: instanceId })
    .where('id', 'in', ids)
    .where('status', '=', 'pending')
    .where('instance_id', 'is', null)
    .execute();
  const rows = await sql
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('accounts', 'accounts.id', 'delivery.account_id')
    .select(['delivery.id', 'account_id', 'origin', 'job_id', 'url', 'body', 'attempts', 'webhook_secret'])
    .where('delivery.id', 'in', ids)
    .where('instance_id', '=', instanceId)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    origin: row.origin,
    jobId: row.job_id,
    url: row.url,
    body: row.body ?? undefined,
    attempts: row.attempts,
    secret: row.webhook_secret,
  }));
}

async function callsUnderWay(sql: Sql): Promise<readonly (Owner & { readonly instanceId: string | null })[]> {
  const rows = await sql
    .selectFrom('webhook_deliveries')
    .select(['account_id', 'origin', 'instance_id'])
    .where('status', '=', 'pending')
    .where('instance_id', 'is not', null)
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    origin: row.origin,
    instanceId: row.instance_id,
  }));
}

interface DueQuery {
  readonly now: number;
  /** Maximum per account and receiver, longest due first. */
  readonly perReceiver: number;
  readonly limit: number;
  /** Receivers and accounts that have reached their limit of pending calls. */
  readonly busyOrigins: readonly string[];
  readonly busyAccounts: readonly string[];
}

const NOBODY_BUSY = { busyOrigins: [], busyAccounts: [] } as const;

/**
 * The due calls, with one for every receiver before a second one for any, so that a long queue does not hide others.
 */
async function findDue(sql: Sql, query: DueQuery): Promise<readonly DueDelivery[]> {
  const rows = await sql
    .with('due', (cte) => {
      let due = cte
        .selectFrom('webhook_deliveries')
        .select(['id', 'account_id', 'origin', 'next_attempt_at'])
        .select(({ fn }) =>
          fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy(['account_id', 'origin']).orderBy('next_attempt_at'))
            .as('place'),
        )
        .where('status', '=', 'pending')
        .where('instance_id', 'is', null)
        .where('next_attempt_at', '<=', query.now);
      if (query.busyOrigins.length > 0) due = due.where('origin', 'not in', query.busyOrigins);
      if (query.busyAccounts.length > 0) due = due.where('account_id', 'not in', query.busyAccounts);
      return due;
    })
    .selectFrom('due')
    .select(['id', 'account_id', 'origin'])
    .where('place', '<=', query.perReceiver)
    .orderBy('place')
    .orderBy('next_attempt_at')
    .limit(query.limit)
    .execute();
  return rows.map(({ id, account_id, origin }) => ({ id, accountId: account_id, origin }));
}

/** A call that is due and unclaimed. */
export interface DueDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly origin: string;
}

/** The owner of a pending call. */
type Owner = Pick<DueDelivery, 'accountId' | 'origin'>;

/**
 * Chooses the due calls to start. Each time, takes the account with the fewest pending calls, and among its receivers
 * the one with the fewest; otherwise keeps the order of `due`.
 */
export function chooseFairly(
  due: readonly DueDelivery[],
  running: Iterable<Owner>,
  limits: CallLimits,
): readonly DueDelivery[] {
  const load = new PendingCalls(running);
  const waiting = new Set(due);
  const chosen: DueDelivery[] = [];
  while (load.total < limits.total) {
    let best: DueDelivery | undefined;
    for (const one of waiting) {
      const isFull = load.ofAccount(one) >= limits.perAccount || load.ofOrigin(one) >= limits.perOrigin;
      if (!isFull && (best === undefined || load.isLess(one, best))) best = one;
    }
    if (best === undefined) break;
    waiting.delete(best);
    load.add(best);
    chosen.push(best);
  }
  return chosen;
}

/** Counts pending calls by account and receiver. */
export class PendingCalls {
  readonly #accounts = new Map<string, number>();
  readonly #origins = new Map<string, number>();
  total = 0;

  constructor(running: Iterable<Owner>) {
    for (const owner of running) this.add(owner);
  }

  add({ accountId, origin }: Owner): void {
    this.total++;
    this.#accounts.set(accountId, (this.#accounts.get(accountId) ?? 0) + 1);
    this.#origins.set(origin, (this.#origins.get(origin) ?? 0) + 1);
  }

  ofAccount({ accountId }: Owner): number {
    return this.#accounts.get(accountId) ?? 0;
  }

  ofOrigin({ origin }: Owner): number {
    return this.#origins.get(origin) ?? 0;
  }

  isLess(one: Owner, other: Owner): boolean {
    const difference =
      this.ofAccount(one) - this.ofAccount(other) || this.ofOrigin(one) - this.ofOrigin(other);
    return difference < 0;
  }

  /** The accounts and receivers that have reached a limit. */
  full({ perAccount, perOrigin }: CallLimits): { accounts: readonly string[]; origins: readonly string[] } {
    const keysFrom = (counts: ReadonlyMap<string, number>, limit: number): readonly string[] =>
      [...counts].filter(([, count]) => count >= limit).map(([key]) => key);
    return { accounts: keysFrom(this.#accounts, perAccount), origins: keysFrom(this.#origins, perOrigin) };
  }
}
