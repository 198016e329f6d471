import { randomUUID } from 'node:crypto';
import type { Database, Sql } from './database.ts';

/** A call of a webhook that this process has taken on. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly jobId: string;
  readonly url: string;
  /** As it was stored before the first try; undefined while there was none. */
  readonly body: string | undefined;
  /** Tries whose failure is known. */
  readonly attempts: number;
  /** What the account signs with: `whsec_…`. */
  readonly secret: string;
}

/** A call that is due and not claimed. */
export interface DueDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly origin: string;
}

export interface DueQuery {
  readonly now: number;
  /** At most so many of one account and receiver, those due for longest. */
  readonly perReceiver: number;
  readonly limit: number;
  /** Receivers and accounts that have as many calls under way as they may. */
  readonly busyOrigins: readonly string[];
  readonly busyAccounts: readonly string[];
}

/**
 * Records that the end of a job has to be delivered, in the transaction `sql` that ends it: both happen or neither.
 * The first try is due at once. `url` has been through `checkWebhookUrl`.
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

/** What is due, one of every receiver before the second of any: a long queue of one hides nothing of the others. */
export async function findDueDeliveries({ sql }: Database, query: DueQuery): Promise<readonly DueDelivery[]> {
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

/** Claims those of `ids` that no other process has claimed meanwhile. */
export async function claimDeliveries(
  database: Database,
  ids: readonly string[],
  instanceId: string,
): Promise<readonly ClaimedDelivery[]> {
  if (ids.length === 0) return [];
  // Not durable: what a power cut undoes is claimed again.
  const claimed = await database.write(
    (transaction) =>
      transaction
        .updateTable('webhook_deliveries')
        .set({ instance_id: instanceId })
        .where('id', 'in', ids)
        .where('status', '=', 'pending')
        .where('instance_id', 'is', null)
        .returning('id')
        .execute(),
    { durable: false },
  );
  if (claimed.length === 0) return [];
  const rows = await database.sql
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('accounts', 'accounts.id', 'delivery.account_id')
    .select(['delivery.id', 'account_id', 'job_id', 'url', 'body', 'attempts', 'webhook_secret'])
    .where(
      'delivery.id',
      'in',
      claimed.map(({ id }) => id),
    )
    .execute();
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    jobId: row.job_id,
    url: row.url,
    body: row.body ?? undefined,
    attempts: row.attempts,
    secret: row.webhook_secret,
  }));
}

/** When the next unclaimed call becomes due, after `now`; undefined when there is none. */
export async function nextDeliveryAt({ sql }: Database, now: number): Promise<number | undefined> {
  const row = await sql
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.min('next_attempt_at').as('at'))
    .where('status', '=', 'pending')
    .where('instance_id', 'is', null)
    .where('next_attempt_at', '>', now)
    .executeTakeFirst();
  return row?.at ?? undefined;
}

/** Stores the body for this and all further tries. False when the delivery is gone, because its job was deleted. */
export async function storeDeliveryBody(
  database: Database,
  { id, instanceId }: Claim,
  body: string,
): Promise<boolean> {
  const { numUpdatedRows } = await database.write((sql) =>
    sql
      .updateTable('webhook_deliveries')
      .set({ body })
      .where('id', '=', id)
      .where('instance_id', '=', instanceId)
      .where('body', 'is', null)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

/** Who has taken on what. All that follows does nothing when it is not so any more. */
export interface Claim {
  readonly id: string;
  readonly instanceId: string;
}

/** The receiver has it. */
export async function recordDelivered(database: Database, claim: Claim, now: number): Promise<void> {
  await database.write((sql) =>
    mine(sql, claim)
      .set((row) => ({
        status: 'delivered',
        instance_id: null,
        attempts: row('attempts', '+', 1),
        last_error: null,
        delivered_at: now,
      }))
      .execute(),
  );
}

/** A try has failed: `retryAt` is when the next is due, undefined when it was the last. */
export async function recordFailure(
  database: Database,
  claim: Claim,
  { error, retryAt }: { error: string; retryAt: number | undefined },
): Promise<void> {
  await database.write((sql) =>
    mine(sql, claim)
      .set((row) => ({
        status: retryAt === undefined ? 'failed' : 'pending',
        instance_id: null,
        attempts: row('attempts', '+', 1),
        last_error: error,
        ...(retryAt === undefined ? {} : { next_attempt_at: retryAt }),
      }))
      .execute(),
  );
}

/** Gives back what this process has taken on, but for `running`: it is due as it was before. */
export async function releaseDeliveries(
  database: Database,
  instanceId: string,
  running: readonly string[] = [],
): Promise<void> {
  await database.write(async (sql) => {
    let stranded = sql
      .updateTable('webhook_deliveries')
      .set({ instance_id: null })
      .where('instance_id', '=', instanceId)
      .where('status', '=', 'pending');
    if (running.length > 0) stranded = stranded.where('id', 'not in', running);
    await stranded.execute();
  });
}

function mine(sql: Sql, { id, instanceId }: Claim) {
  return sql.updateTable('webhook_deliveries').where('id', '=', id).where('instance_id', '=', instanceId);
}
