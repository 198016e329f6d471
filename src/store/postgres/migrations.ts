import { sql, type Kysely } from 'kysely';
import { DragomanError } from '../../base/errors.ts';
import type { Database } from '../shared/database.ts';
import type { Schema } from '../shared/schema.ts';
import { createTables } from '../shared/tables.ts';

/**
 * In a fixed order. Releases run in parallel while replicas are updated one by one: a migration only adds what older
 * programs can ignore. A removal comes a release later, with the first program that can still read the store in
 * `oldestReader`.
 */
const MIGRATIONS: readonly Migration[] = [{ oldestReader: 1, run: createStore }];

/** The number of the first migration: earlier ones were merged into it before the first release. */
const FIRST = 7;

interface Migration {
  /** The number of the first migration whose programs can use the tables after this one. */
  readonly oldestReader: number;
  readonly run: (kysely: Kysely<Schema>) => Promise<void>;
}

/** The version of this program. */
const NEWEST = FIRST + MIGRATIONS.length - 1;

export interface StoreVersion {
  /** The number of applied migrations; 0 for an empty database. */
  readonly version: number;
  readonly oldestReader: number;
}

/**
 * Upgrades the tables to this program's version in one transaction, even if several processes do so. A store of a newer
 * version stays unchanged.
 */
export async function migrate(database: Database): Promise<{ readonly from: number; readonly to: number }> {
  return database.write(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('dragoman migrations', 0))`.execute(transaction);
    const { version } = await versionOf(transaction);
    if (version >= NEWEST) return { from: version, to: version };
    for (const { run } of MIGRATIONS.slice(Math.max(0, version - FIRST + 1))) await run(transaction);
    const oldestReader = Math.max(...MIGRATIONS.map((migration) => migration.oldestReader));
    await sql`create table if not exists store_version (version integer not null, oldest_reader integer not null)`.execute(
      transaction,
    );
    await sql`delete from store_version`.execute(transaction);
    await sql`insert into store_version values (${NEWEST}, ${oldestReader})`.execute(transaction);
    return { from: version, to: NEWEST };
  });
}

/** The changes that {@link migrate} would make. */
export async function plannedMigration({
  sql,
}: Database): Promise<{ readonly from: number; readonly to: number }> {
  const { version } = await versionOf(sql);
  return { from: version, to: Math.max(version, NEWEST) };
}

/** @throws DragomanError `configuration` if this program cannot use the tables */
export async function requireReadable(database: Database): Promise<void> {
  const { version, oldestReader } = await versionOf(database.sql);
  if (version < NEWEST) {
    const what =
      version === 0 ? 'the database has no tables of dragoman yet' : 'the tables of the database are older';
    throw new DragomanError('configuration', what, {
      hint: 'Run dragoman store migrate with the same --store.',
    });
  }
  if (oldestReader > NEWEST) {
    throw new DragomanError(
      'configuration',
      'a newer version of dragoman has changed the tables of the database',
      {
        hint: 'Update dragoman.',
      },
    );
  }
}

async function versionOf(kysely: Kysely<Schema>): Promise<StoreVersion> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass('store_version') is not null as exists`.execute(kysely);
  if (found[0]?.exists !== true) return { version: 0, oldestReader: 0 };
  const { rows } = await sql<StoreVersion>`
    select version, oldest_reader as "oldestReader" from store_version`.execute(kysely);
  return rows[0] ?? { version: 0, oldestReader: 0 };
}

async function createStore(kysely: Kysely<Schema>): Promise<void> {
  await createTables(kysely, (column) => column.generatedByDefaultAsIdentity());
  const statements = [
    // A ledger outgrows 2^31 rows.
    'alter table ledger alter column id type bigint',
    'alter table jobs alter column seq type bigint',
    'alter table unit_answers alter column id type bigint',
    // By the database's clock; 0 looks dead.
    'alter table instances add column beat_at bigint not null default 0',
    // The metering's batches, by the connection that sends them in sequence: number and answer of the last one, in case
    // the answer is lost. Without its rows a process cannot charge.
    `create table instance_lanes (
      instance_id text not null references instances (id) on delete cascade,
      lane text not null,
      batch bigint not null default 0,
      answer jsonb,
      primary key (instance_id, lane))`,
    // A database crash empties it: all windows then restart.
    'alter table rate_windows drop constraint rate_windows_key_id_fkey',
    'alter table rate_windows set unlogged',
    'create index running_units on job_units (instance_id) where instance_id is not null',
    // Written before the row that names the file, so no foreign key is possible.
    `create table file_chunks (
      job_id text not null,
      file_id text not null,
      n integer not null,
      written_at bigint not null,
      content bytea not null,
      primary key (job_id, file_id, n))`,
    // Compressed values cannot be read in pieces, and most files are small.
    'alter table file_chunks alter column content set storage external',
  ];
  for (const text of statements) await sql.raw(text).execute(kysely);
}
