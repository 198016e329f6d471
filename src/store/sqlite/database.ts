import { join } from 'node:path';
import { Kysely, sql, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import Sqlite from 'libsql';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
import { openConnection } from '../../sqlite/connection.ts';
import { sqliteReason, writeError } from '../../sqlite/error.ts';
import { readSchema, requireSchema, type SchemaParts } from '../../sqlite/schema.ts';
import type { Coordination, Database } from '../shared/database.ts';
import type { Schema } from '../shared/schema.ts';
import { createTables } from '../shared/tables.ts';
import { rollBack, WriteQueue } from './write-queue.ts';

export interface DatabaseOptions {
  /** How long to wait for another process that writes, in milliseconds; default 5,000. This process stands still. */
  readonly busyMs?: number;
}

/** The database's file in the data directory. SQLite has others beside it while it is open. */
export const DATABASE_FILE = 'dragoman.db';

/**
 * Opens the embedded database of a data directory, safe to open from several processes; makes both where they are
 * missing. A transaction that was committed survives a kill of the process; a durable one survives a power cut too.
 *
 * @throws DragomanError `unwritable_output` when the directory cannot be used, `configuration` when a newer version of
 *   this program has written it.
 */
export async function openDatabase(directory: string, { busyMs }: DatabaseOptions = {}): Promise<Database> {
  const connection = await connect(directory, busyMs);
  const kysely = queriesOn(connection);
  try {
    await migrate(kysely);
  } catch (error) {
    await kysely.destroy();
    throw writeError(error);
  }
  const queue = new WriteQueue(kysely, (durable) => {
    connection.exec(`pragma synchronous = ${durable ? 'full' : 'normal'}`);
  });
  return {
    sql: kysely,
    coordination: ONE_WRITER,
    write: (work, options) => queue.run(work, options),
    async close() {
      await queue.idle();
      await kysely.destroy();
    },
  };
}

function queriesOn(connection: Sqlite.Database): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database: cacheStatements(connection) }) });
}

/** Write transactions follow one another, and only this process is woken by what it does. */
const ONE_WRITER: Coordination = {
  lock: (query) => query,
  lockFree: (query) => query,
  requireRegistered: () => Promise.resolve(),
  takeTurn: () => Promise.resolve(),
  announce: () => Promise.resolve(),
};

async function connect(directory: string, busyMs: number | undefined): Promise<Sqlite.Database> {
  const file = join(directory, DATABASE_FILE);
  let connection: Sqlite.Database | undefined;
  try {
    // Only its owner may read the hashes of keys, the secrets of webhooks and the files of users.
    connection = await openConnection(file, { busyMs, check: checkTables });
    connection.exec('pragma foreign_keys = on');
    return connection;
  } catch (error) {
    connection?.close();
    if (error instanceof DragomanError && error.code === 'unreadable_input') {
      const { message, hint } = error;
      throw new DragomanError('unreadable_input', `cannot use the database ${file}: ${message}`, {
        hint,
        cause: error,
      });
    }
    const reason = sqliteReason(error) ?? reasonOf(error);
    throw new DragomanError('unwritable_output', `cannot open the database ${file}: ${reason}`, {
      hint: 'Choose another directory with --data-dir.',
      cause: error,
    });
  }
}

/** More statements than the program has; multi-row inserts have a text per number of rows. */
const MAX_STATEMENTS = 1_000;

/** Preparing a statement costs as much as running it. Kysely writes the same text for the same query. */
function cacheStatements(connection: Sqlite.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare(text) {
      const known = statements.get(text);
      if (known) return known;
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      const prepared = connection.prepare(text);
      const statement: SqliteStatement = {
        reader: prepared.reader,
        all: (parameters) => prepared.all(parameters),
        run: (parameters) => prepared.run(parameters),
        iterate: (parameters) => prepared.iterate(parameters),
      };
      statements.set(text, statement);
      return statement;
    },
    close() {
      connection.close();
    },
  };
}

/** In their order, for ever: a store remembers how many of them it has had. */
const MIGRATIONS: readonly ((sql: Kysely<Schema>) => Promise<void>)[] = [
  (kysely) => createTables(kysely, (column) => column.autoIncrement()),
];

/** The number of the first of them: those before it were joined into it before the first release. */
const FIRST = 9;
const NEWEST = FIRST + MIGRATIONS.length - 1;

/**
 * Brings the tables to this version of the program, each step wholly or not at all, also when several processes open
 * the store at once.
 *
 * @throws DragomanError `configuration` when the store is of a newer version.
 */
export async function migrate(kysely: Kysely<Schema>): Promise<void> {
  if ((await versionOf(kysely)) === NEWEST) return;
  await kysely.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      // Another process may have done it while this one waited.
      const version = await versionOf(connection);
      if (version > NEWEST) throw newerStore();
      for (const step of MIGRATIONS.slice(Math.max(0, version - FIRST + 1))) await step(connection);
      await sql`pragma user_version = ${sql.lit(NEWEST)}`.execute(connection);
      await sql`commit`.execute(connection);
    } catch (error) {
      await rollBack(connection);
      throw error;
    }
  });
}

/**
 * A data directory may have come from somewhere else, too. One of a newer version {@link migrate} refuses.
 *
 * @throws DragomanError `unreadable_input` when its tables are not those that this program makes.
 */
async function checkTables(connection: Sqlite.Database): Promise<void> {
  // Another process may be making the tables: what is read is of one moment.
  connection.exec('begin');
  const parts = readSchema(connection);
  const version = await versionOf(queriesOn(connection));
  connection.exec('commit');
  if (version <= NEWEST) requireSchema(parts, await partsOf(version));
}

/** What a database of a version is made of. */
async function partsOf(version: number): Promise<SchemaParts> {
  const made = new Sqlite(':memory:');
  const kysely = queriesOn(made);
  try {
    for (const step of MIGRATIONS.slice(0, Math.max(0, version - FIRST + 1))) await step(kysely);
    return readSchema(made);
  } finally {
    await kysely.destroy();
  }
}

async function versionOf(kysely: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(kysely);
  return rows[0]?.user_version ?? 0;
}

function newerStore(): DragomanError {
  return new DragomanError('configuration', 'a newer version of dragoman has written this data directory', {
    hint: 'Update dragoman, or choose another directory with --data-dir.',
  });
}
