import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { StoreNews } from '../store.ts';
import type { Schema } from './schema.ts';

/** The connection, or a transaction on it. */
export type Sql = Kysely<Schema>;

export interface WriteOptions {
  /**
   * Whether the commit is on the disk when it is acknowledged, so that a power cut cannot undo it. A killed process
   * loses nothing either way. Default true.
   */
  readonly durable?: boolean | undefined;
  /**
   * Prevents repeating the work if the answer to its commit was lost: the caller gets the error instead. Default:
   * false, for idempotent work.
   */
  readonly once?: boolean | undefined;
}

/** A database with the tables of the schema, for the statements of this directory. The code that opens it closes it. */
export interface Database {
  /** For reading. Sees committed data; outside a transaction, also commits made meanwhile. */
  readonly sql: Sql;
  readonly coordination: Coordination;
  /**
   * Runs `work` in a write transaction, which other work of the same tick may share: if one throws, only its own writes
   * are rolled back. Resolves when the transaction is committed. `work` must only wait for the database, and may be run
   * again.
   */
  write<T>(work: (sql: Sql) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Commits queued work, and closes. */
  close(): Promise<void>;
}

/**
 * Protects transactions from concurrent writers. SQLite has no concurrent writers, so these methods do nothing
 * there. Rows are locked in the order instance, units, job, account, deliveries, and within a table by id:
 * otherwise the database would abort deadlocked transactions, which takes a second each.
 */
export interface Coordination {
  /** Locks the rows of a query until the end of the transaction, and returns their current state. */
  lock<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O>;
  /** Like {@link lock}, but skips rows that are already locked. */
  lockFree<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O>;
  /**
   * Prevents other processes from releasing this one's holdings until the end of the transaction: otherwise its new
   * claims would belong to no process.
   *
   * @throws DragomanError `store_unavailable` if they were released
   */
  requireRegistered(sql: Sql, instanceId: string): Promise<void>;
  /** Lets only one process at a time select deliveries, so that all processes together stay within the limits. */
  takeTurn(sql: Sql): Promise<void>;
  /** Notifies all processes when the transaction is committed. */
  announce(sql: Sql, news: StoreNews): Promise<void>;
}
