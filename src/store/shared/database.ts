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
   * Whether the work must not be repeated if the answer to its commit was lost: the caller then gets the error. Default
   * false, for idempotent work.
   */
  readonly once?: boolean | undefined;
}

/** A database with the tables of the schema, for the statements of this directory. The opener closes it. */
export interface Database {
  /** For reading. Sees committed data; outside a transaction, including concurrent commits. */
  readonly sql: Sql;
  readonly coordination: Coordination;
  /**
   * Runs `work` in a write transaction that it may share with others of the same tick: work that throws is rolled back
   * alone. Resolves when the transaction is committed. `work` must only wait for the database, and may be run again.
   */
  write<T>(work: (sql: Sql) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Commits what is queued, and closes. */
  close(): Promise<void>;
}

/**
 * The measures that a transaction needs against concurrent writers. On SQLite there are none, so these do nothing. Rows
 * are locked in the order instance, units, job, account, deliveries, and within a table by id: the database would abort
 * deadlocked transactions, which takes a second each.
 */
export interface Coordination {
  /** Locks the rows of a query until the end of the transaction, and returns their current state. */
  lock<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O>;
  /** Same as {@link lock}, for rows that are not locked. */
  lockFree<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O>;
  /**
   * Prevents other processes from releasing this one's holdings until the end of the transaction: otherwise its new
   * claims would belong to no process.
   *
   * @throws DragomanError `store_unavailable` if they were released
   */
  requireRegistered(sql: Sql, instanceId: string): Promise<void>;
  /** Lets one process at a time select deliveries, so that all together stay within the limits. */
  takeTurn(sql: Sql): Promise<void>;
  /** Notifies all processes when the transaction is committed. */
  announce(sql: Sql, news: StoreNews): Promise<void>;
}
