import { closing } from '../../base/closing.ts';
import { sql } from 'kysely';
import { accountStore } from '../shared/accounts.ts';
import { NUMBERED, requireAlone, type StoreContents, TABLE_NAMES } from '../shared/contents.ts';
import type { Database } from '../shared/database.ts';
import { deliveryOf, redeliver } from '../shared/deliveries.ts';
import { resourceStore } from '../shared/resources.ts';
import type { Store } from '../store.ts';
import { PostgresConnections } from './connections.ts';
import { openDatabase } from './database.ts';
import { readFile, writeChunks } from './file-chunks.ts';
import { LIVENESS, type Liveness, reap, registerInstance } from './instance.ts';
import { migrate, plannedMigration, requireReadable } from './migrations.ts';
import { describePlace, type PostgresPlace, settingsOf } from './place.ts';

/**
 * A store in a PostgreSQL database, which processes on several machines may open.
 *
 * @throws DragomanError `usage` for an unusable address, `store_unavailable` if the database does not answer,
 * `configuration` if it refuses this program or its tables have an incompatible version
 */
export async function openPostgresStore(place: PostgresPlace, liveness: Liveness = LIVENESS): Promise<Store> {
  const connections = new PostgresConnections(settingsOf(place));
  const database = await openReadable(connections);
  return {
    accounts: accountStore(database),
    resources: resourceStore(database),
    redeliver: (jobId, now) => redeliver(database, jobId, now),
    hasDelivery: async (jobId) => (await deliveryOf(database.sql, jobId)) !== undefined,
    warnings: () => warningsOf(database),
    register: (options = {}) => registerInstance(database, connections, options, liveness),
    close: () => database.close(),
  };
}

async function openReadable(connections: PostgresConnections): Promise<Database> {
  const database = openDatabase(connections);
  try {
    await requireReadable(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Settings that can lose an acknowledged commit, and the consequences. */
const PROMISES = [
  { setting: 'fsync', lost: 'a power cut can damage the database' },
  { setting: 'full_page_writes', lost: 'a power cut can damage the database' },
  { setting: 'synchronous_commit', lost: 'a crash can undo charges and jobs that were answered' },
];

async function warningsOf(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where setting = 'off'`.execute(database.sql);
  const off = new Set(rows.map(({ name }) => name));
  return PROMISES.filter(({ setting }) => off.has(setting)).map(
    ({ setting, lost }) => `The database has ${setting} = off: ${lost}.`,
  );
}

/** Upgrades the tables of a database to this program's version, or only reports the changes: see `migrate`. */
export async function migratePostgresStore(
  place: PostgresPlace,
  { dryRun = false }: { readonly dryRun?: boolean | undefined } = {},
): Promise<{ readonly from: number; readonly to: number }> {
  return closing(
    openDatabase(new PostgresConnections(settingsOf(place))),
    dryRun ? plannedMigration : migrate,
  );
}

/** The contents of a store in a PostgreSQL database, including job files as chunks. */
export async function openPostgresContents(place: PostgresPlace): Promise<StoreContents> {
  const database = await openReadable(new PostgresConnections(settingsOf(place)));
  return {
    async hold(work) {
      await reap(database, LIVENESS, undefined);
      return database.write(
        async (transaction) => {
          // This transaction waits for the other store of a copy.
          await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
          // Blocks all writers, including a server that starts, because only servers write files.
          const tables = sql.join(TABLE_NAMES.map((name) => sql.table(name)));
          await sql`lock table ${tables} in share row exclusive mode`.execute(transaction);
          await requireAlone(transaction, describePlace(place));
          return work({
            sql: transaction,
            read: (jobId, fileId) => readFile(transaction, jobId, fileId),
            write: (jobId, fileId, content) => writeChunks(transaction, jobId, fileId, content),
            async continueNumbers() {
              for (const { name, number } of NUMBERED) {
                await sql`
                  select setval(pg_get_serial_sequence(${name}, ${number}), coalesce(max(${sql.ref(number)}), 0) + 1, false)
                  from ${sql.table(name)}`.execute(transaction);
              }
            },
          });
        },
        { once: true },
      );
    },
    close: () => database.close(),
  };
}
