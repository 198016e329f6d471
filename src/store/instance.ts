import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Database, Sql } from './database.ts';
import { lockNames, takeLock, type ProcessLock } from './process-lock.ts';

/** This process, as one of those that work on a store. Whoever registers it closes it, before the database. */
export interface Instance {
  readonly id: string;
  /** Finds processes that died and gives back what they had: their credits, units of work and deliveries. */
  reap(): Promise<readonly string[]>;
  /** Gives back what is left, and the registration. */
  close(): Promise<void>;
}

/**
 * Registers a process that works on the store of a data directory; finds the dead ones first. Nothing that a process
 * holds is lost when it is killed: the next one to start, or to reap, gives it back.
 *
 * All that is done to locks is done in a write transaction of the database, of which there is one at a time: nobody
 * can take the lock of a process that is just being registered, or remove the file of one that has just taken it.
 */
export async function registerInstance(database: Database, directory: string): Promise<Instance> {
  const locks = join(directory, 'instances');
  await reap(database, locks, undefined);
  const id = randomUUID();
  const lock = await register(database, locks, id);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    // The lock goes last: a process without a lock counts as dead.
    await database.write((sql) => forget(sql, id), { durable: false });
    lock.release();
  };
  return {
    id,
    reap: () => reap(database, locks, id),
    close: () => (closing ??= close()),
  };
}

async function register(database: Database, locks: string, id: string): Promise<ProcessLock> {
  let lock: ProcessLock | undefined;
  try {
    return await database.write(
      async (sql) => {
        lock = takeLock(locks, id);
        if (!lock) throw new Error('the lock of a new instance is taken');
        await sql.insertInto('instances').values({ id, started_at: Date.now() }).execute();
        return lock;
      },
      // A power cut ends the process as well: with its row goes all that refers to it.
      { durable: false },
    );
  } catch (error) {
    lock?.release();
    throw error;
  }
}

async function reap(database: Database, locks: string, own: string | undefined): Promise<readonly string[]> {
  const rows = await database.sql.selectFrom('instances').select('id').execute();
  // A file without a row was made by a process that died while it registered.
  const ids = new Set([...rows.map((row) => row.id), ...lockNames(locks)]);
  if (own !== undefined) ids.delete(own);
  const dead: string[] = [];
  for (const id of ids) {
    const wasRegistered = await database.write((sql) => reapOne(sql, locks, id), { durable: false });
    if (wasRegistered) dead.push(id);
  }
  return dead;
}

/** Whether it was registered, and dead. */
async function reapOne(sql: Sql, locks: string, id: string): Promise<boolean> {
  const lock = takeLock(locks, id);
  if (!lock) return false;
  try {
    return await forget(sql, id);
  } finally {
    // Before the commit: a row without a file is found dead all the same.
    lock.release();
  }
}

/** Gives back all that a process has, and removes it; whether it was there. */
async function forget(sql: Sql, id: string): Promise<boolean> {
  const held = await sql
    .selectFrom('holds')
    .select(['account_id', 'amount'])
    .where('instance_id', '=', id)
    .execute();
  for (const { account_id, amount } of held) {
    if (amount === 0) continue;
    await sql
      .updateTable('accounts')
      .set((eb) => ({ reserved: eb('reserved', '-', amount) }))
      .where('id', '=', account_id)
      .execute();
  }
  await sql.deleteFrom('holds').where('instance_id', '=', id).execute();
  await sql
    .updateTable('job_units')
    .set({ status: 'pending', instance_id: null })
    .where('status', '=', 'running')
    .where('instance_id', '=', id)
    .execute();
  await sql
    .updateTable('webhook_deliveries')
    .set({ instance_id: null })
    .where('status', '=', 'pending')
    .where('instance_id', '=', id)
    .execute();
  const { numDeletedRows } = await sql.deleteFrom('instances').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
