import { join } from 'node:path';
import {
  Kysely,
  sql,
  type SqliteDatabase as Statements,
  SqliteDialect,
  type SqliteStatement,
  CompiledQuery,
} from 'kysely';
import Sqlite from 'libsql';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
import { openConnection } from '../../sqlite/connection.ts';
import { sqliteReason, writeError } from '../../sqlite/error.ts';
import { readSchema, requireSchema, type SchemaParts } from '../../sqlite/schema.ts';
import type { Coordination, Database, WriteOptions } from '../shared/database.ts';
import type { Schema } from '../shared/schema.ts';
import { createTables } from '../shared/tables.ts';
import type { StoreNews } from '../store.ts';

export interface DatabaseOptions {
  /** How long to wait for another writing process, in milliseconds; default 5,000. Blocks this process. */
  readonly busyMs?: number;
}

export interface SqliteDatabase extends Database {
  /** Calls `listener` with this process's announcements once they are committed. */
  onAnnounced(listener: (news: StoreNews) => void): void;
}

/** The database's file in the data directory. SQLite creates other files next to it while it is open. */
export const DATABASE_FILE = 'dragoman.db';

/**
 * Opens the embedded database of a data directory, which several processes may open; creates both if missing. A
 * committed transaction survives if the process is killed; a durable one survives a power cut too.
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
  // The announcements of the current work; only one piece of work runs at a time.
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

/** SQLite runs one write transaction at a time, so no locks are needed. */
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
    // Readable only by its owner, because it has the keys' hashes, webhook secrets and users' files.
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

/** More statements than the program has, because the text of an insert depends on its number of rows. */
const MAX_STATEMENTS = 1_000;

/**
 * Cached, because preparing a statement costs as much as running it. Kysely writes the same text for the same query.
 */
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

/** The list is never reordered: a store records how many were applied. */
const MIGRATIONS: readonly ((sql: Kysely<Schema>) => Promise<void>)[] = [
  (kysely) => createTables(kysely, 'primary key autoincrement'),
];

/** The number of the first migration: earlier ones were merged into it before the first release. */
const FIRST = 9;
const NEWEST = FIRST + MIGRATIONS.length - 1;

/**
 * Upgrades the tables to this program's version, each migration in a transaction, even if several processes open
 * the store concurrently.
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
 * A data directory may come from elsewhere, so its tables are checked. {@link migrate} rejects newer versions.
 *
 * @throws DragomanError `unreadable_input` if its tables differ from those of this program
 */
async function checkTables(connection: Sqlite.Database): Promise<void> {
  // Another process may be creating the tables, so all reads must see one state.
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

// Created once, because they make up most of a small transaction's text.
const BEGIN = CompiledQuery.raw('begin immediate');
const COMMIT = CompiledQuery.raw('commit');
const ROLLBACK = CompiledQuery.raw('rollback');
const SAVEPOINT = CompiledQuery.raw('savepoint work');
const ROLLBACK_TO_SAVEPOINT = CompiledQuery.raw('rollback to savepoint work');
const RELEASE_SAVEPOINT = CompiledQuery.raw('release savepoint work');

interface Write {
  readonly durable: boolean;
  /** Does the work, and returns the function to call after the commit. */
  readonly perform: (sql: Kysely<Schema>) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: writes of one tick share a transaction, because waiting for the disk takes longest. Transactions, and
 * the writes within one, run in sequence.
 */
class WriteQueue {
  readonly #sql: Kysely<Schema>;
  readonly #setDurable: (durable: boolean) => void;
  #waiting: Write[] = [];
  #running: Promise<void> | undefined;
  #durable: boolean | undefined;

  constructor(kysely: Kysely<Schema>, setDurable: (durable: boolean) => void) {
    this.#sql = kysely;
    this.#setDurable = setDurable;
  }

  run<T>(work: (sql: Kysely<Schema>) => Promise<T>, { durable = true }: WriteOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const perform = async (sql: Kysely<Schema>): Promise<() => void> => {
        const value = await work(sql);
        return () => resolve(value);
      };
      this.#waiting.push({ durable, perform, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when nothing is queued or running. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Waits for all work of the current tick, to put it in one transaction.
      await new Promise((resolve) => setImmediate(resolve));
      const writes = this.#waiting;
      this.#waiting = [];
      await this.#commit(writes);
    }
    this.#running = undefined;
  }

  async #commit(writes: readonly Write[]): Promise<void> {
    const done: (() => void)[] = [];
    try {
      await this.#sql.connection().execute(async (connection) => {
        this.#require(writes.some(({ durable }) => durable));
        await connection.executeQuery(BEGIN);
        try {
          const [only] = writes;
          // A write that is alone needs no savepoint: the transaction fails with it.
          if (only && writes.length === 1) done.push(await only.perform(connection));
          else for (const write of writes) await perform(write, connection, done);
          await connection.executeQuery(COMMIT);
        } catch (error) {
          await rollBack(connection);
          throw error;
        }
      });
    } catch (error) {
      for (const { reject } of writes) reject(writeError(error));
      return;
    }
    for (const settle of done) settle();
  }

  #require(durable: boolean): void {
    if (this.#durable === durable) return;
    this.#setDurable(durable);
    this.#durable = durable;
  }
}

/** Rolls back only this write if it fails, so that others in the transaction are not affected. */
async function perform(write: Write, connection: Kysely<Schema>, done: (() => void)[]): Promise<void> {
  await connection.executeQuery(SAVEPOINT);
  try {
    done.push(await write.perform(connection));
  } catch (error) {
    await connection.executeQuery(ROLLBACK_TO_SAVEPOINT).catch(() => {
      // This error ended the transaction, so all its work fails with it.
      throw error;
    });
    done.push(() => write.reject(writeError(error)));
  }
  await connection.executeQuery(RELEASE_SAVEPOINT);
}

/** If the disk is full or fails, SQLite has already rolled back, and the original error must be kept. */
async function rollBack(connection: Kysely<Schema>): Promise<void> {
  await connection.executeQuery(ROLLBACK).catch(() => undefined);
}
