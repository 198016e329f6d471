import { sql, type Kysely } from 'kysely';
import { DragomanError } from '../../base/errors.ts';
import type { Database } from '../shared/database.ts';
import type { Schema } from '../shared/schema.ts';
import { createTables } from '../shared/tables.ts';

/**
 * In their order, for ever. Releases run side by side while replicas are updated one after the other: a step only adds
 * what older programs can do without, and one that takes away comes a release later, with the first program that may
 * still read the store afterwards in `oldestReader`.
 */
const MIGRATIONS: readonly Migration[] = [{ oldestReader: 1, run: createStore }];

/** The number of the first of them: those before it were joined into it before the first release. */
const FIRST = 7;

interface Migration {
  /** The number of the first migration whose programs can work on the tables after this one. */
  readonly oldestReader: number;
  readonly run: (kysely: Kysely<Schema>) => Promise<void>;
}

/** What the tables need that this program works on. */
const NEWEST = FIRST + MIGRATIONS.length - 1;

export interface StoreVersion {
  /** The number of the migrations that it has had; 0 for an empty database. */
  readonly version: number;
  readonly oldestReader: number;
}

/**
 * Brings the tables to this version of the program, wholly or not at all, also when several do it at once. A store that a
 * newer program has brought further is left as it is.
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

/** What {@link migrate} would do. */
export async function plannedMigration({
  sql,
}: Database): Promise<{ readonly from: number; readonly to: number }> {
  const { version } = await versionOf(sql);
  return { from: version, to: Math.max(version, NEWEST) };
}

/** @throws DragomanError `configuration` where this program cannot work on the tables as they are. */
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
    // By the clock of the database; 0 looks dead.
    'alter table instances add column beat_at bigint not null default 0',
    // The batches of the metering, by the connection that sends them one after the other: the number and the answer of
    // the last one, for the case that the answer is lost. Without its rows a process charges nothing any more.
    `create table instance_lanes (
      instance_id text not null references instances (id) on delete cascade,
      lane text not null,
      batch bigint not null default 0,
      answer jsonb,
      primary key (instance_id, lane))`,
    // A crash of the database empties it: then all windows begin anew.
    'alter table rate_windows drop constraint rate_windows_key_id_fkey',
    'alter table rate_windows set unlogged',
    'create index running_units on job_units (instance_id) where instance_id is not null',
    // Written before the row that names the file, so that there is none yet to refer to.
    `create table file_chunks (
      job_id text not null,
      file_id text not null,
      n integer not null,
      written_at bigint not null,
      content bytea not null,
      primary key (job_id, file_id, n))`,
    // What is compressed cannot be read in pieces, and most files are small.
    'alter table file_chunks alter column content set storage external',
  ];
  for (const text of statements) await sql.raw(text).execute(kysely);
}
