import { join } from 'node:path';
import { Kysely, sql, type SqliteDatabase as Statements, SqliteDialect, type SqliteStatement } from 'kysely';
import Sqlite from 'libsql';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
import { openConnection } from '../../sqlite/connection.ts';
import { sqliteReason, writeError } from '../../sqlite/error.ts';
import { readSchema, requireSchema, type SchemaParts } from '../../sqlite/schema.ts';
import type { Coordination, Database } from '../shared/database.ts';
import type { Schema } from '../shared/schema.ts';
import { createTables } from '../shared/tables.ts';
import type { StoreNews } from '../store.ts';
import { rollBack, WriteQueue } from './write-queue.ts';

export interface DatabaseOptions {
  /** How long to wait for another writing process, in milliseconds; default 5,000. Blocks this process. */
  readonly busyMs?: number;
}

export interface SqliteDatabase extends Database {
  /** Calls `listener` with what this process has announced, once it is committed. */
  onAnnounced(listener: (news: StoreNews) => void): void;
}

/** The database's file in the data directory. SQLite creates others next to it while it is open. */
export const DATABASE_FILE = 'dragoman.db';

/**
 * Opens the embedded database of a data directory, which several processes may open; creates both if missing. A
 * committed transaction survives a kill of the process; a durable one survives a power cut too.
 *
 * @throws DragomanError `unwritable_output` if the directory is unusable, `configuration` if a newer version of this
 * program wrote it
 */
export async function openDatabase(
  directory: string,
  { busyMs }: DatabaseOptions = {},
): Promise<SqliteDatabase> {
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
  const listeners = new Set<(news: StoreNews) => void>();
  // Of the work that is being done: there is one at a time.
  let announced: StoreNews[] = [];
  return {
    sql: kysely,
    coordination: {
      ...ONE_WRITER,
      announce(_, news) {
        announced.push(news);
        return Promise.resolve();
      },
    },
    async write(work, options) {
      let own: StoreNews[] = [];
      const value = await queue.run((sql) => {
        own = announced = [];
        return work(sql);
      }, options);
      for (const news of own) for (const listener of listeners) listener(news);
      return value;
    },
    onAnnounced: (listener) => void listeners.add(listener),
    async close() {
      await queue.idle();
      await kysely.destroy();
    },
  };
}

function queriesOn(connection: Sqlite.Database): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database: cacheStatements(connection) }) });
}

/** Write transactions are sequential. */
const ONE_WRITER: Omit<Coordination, 'announce'> = {
  lock: (query) => query,
  lockFree: (query) => query,
  requireRegistered: () => Promise.resolve(),
  takeTurn: () => Promise.resolve(),
};

async function connect(directory: string, busyMs: number | undefined): Promise<Sqlite.Database> {
  const file = join(directory, DATABASE_FILE);
  let connection: Sqlite.Database | undefined;
  try {
    // Only its owner may read the keys' hashes, webhook secrets and users' files.
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
function cacheStatements(connection: Sqlite.Database): Statements {
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

/** In a fixed order: a store records how many were applied. */
const MIGRATIONS: readonly ((sql: Kysely<Schema>) => Promise<void>)[] = [
  (kysely) => createTables(kysely, 'primary key autoincrement'),
];

/** The number of the first migration: earlier ones were merged into it before the first release. */
const FIRST = 9;
const NEWEST = FIRST + MIGRATIONS.length - 1;

/**
 * Upgrades the tables to this program's version, each migration in a transaction, even if several processes open the
 * store at once.
 *
 * @throws DragomanError `configuration` if the store has a newer version
 */
export async function migrate(kysely: Kysely<Schema>): Promise<void> {
  if ((await versionOf(kysely)) === NEWEST) return;
  await kysely.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      // Another process may have upgraded while this one waited.
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
 * A data directory may come from elsewhere. {@link migrate} rejects newer versions.
 *
 * @throws DragomanError `unreadable_input` if its tables differ from those of this program
 */
async function checkTables(connection: Sqlite.Database): Promise<void> {
  // Another process may be creating the tables: all reads must see one state.
  connection.exec('begin');
  const parts = readSchema(connection);
  const version = await versionOf(queriesOn(connection));
  connection.exec('commit');
  if (version <= NEWEST) requireSchema(parts, await partsOf(version));
}

/** The schema objects of a version. */
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
