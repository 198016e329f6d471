import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { StoreNews } from '../store.ts';
import type { Schema } from './schema.ts';

/** What SQL is written with: the connection itself, or a transaction on it. */
export type Sql = Kysely<Schema>;

export interface WriteOptions {
  /**
   * Whether the commit is on the disk when it is acknowledged, so that a power cut cannot undo it. A killed process
   * loses nothing either way. Default true.
   */
  readonly durable?: boolean | undefined;
  /**
   * Whether the work must not be done again when the answer to its commit was lost: the caller gets the error then.
   * Default false: done twice, the work is as if done once.
   */
  readonly once?: boolean | undefined;
}

/** A database with the tables of the schema, as the statements of this directory use it. Whoever opens it closes it. */
export interface Database {
  /** For reading. It sees what is committed, and inside no transaction what other processes commit meanwhile. */
  readonly sql: Sql;
  readonly coordination: Coordination;
  /**
   * Runs `work` in a write transaction that it may share with other works of the same tick: work that throws is undone
   * alone. Resolves when the transaction is committed. `work` must wait for nothing but the database, and may be run again.
   */
  write<T>(work: (sql: Sql) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Commits what is queued, and closes. */
  close(): Promise<void>;
}

/**
 * What a transaction needs where others write at the same time. On SQLite they do not, and nothing of it does anything.
 * Rows are locked in the order instance, units, job, account, deliveries, and those of one table in the order of their
 * ids: transactions that wait for each other are ended by the database and done again, which takes a second each.
 */
export interface Coordination {
  /** Locks the rows of a query until the end of the transaction, and gives them as they are then. */
  lock<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O>;
  /** The same for rows that nobody else has locked. */
  lockFree<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O>;
  /**
   * Keeps others from giving back what this process has, until the end of the transaction: what it takes on now would be
   * nobody's after that.
   *
   * @throws DragomanError `store_unavailable` when that has happened.
   */
  requireRegistered(sql: Sql, instanceId: string): Promise<void>;
  /** Lets one process at a time choose deliveries, so that all together stay within the bounds. */
  takeTurn(sql: Sql): Promise<void>;
  /** Has all processes hear of it when the transaction is committed. */
  announce(sql: Sql, news: StoreNews): Promise<void>;
}
