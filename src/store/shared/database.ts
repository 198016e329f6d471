import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** What SQL is written with: the connection itself, or a transaction on it. */
export type Sql = Kysely<Schema>;

export interface WriteOptions {
  /**
   * Whether the commit is on the disk when it is acknowledged, so that a power cut cannot undo it. A killed process
   * loses nothing either way. Default true.
   */
  readonly durable?: boolean | undefined;
}

/** A database with the tables of the schema, as the statements of this directory use it. Whoever opens it closes it. */
export interface Database {
  /** For reading. It sees what is committed, and inside no transaction what other processes commit meanwhile. */
  readonly sql: Sql;
  /**
   * Runs `work` in a write transaction that it may share with other works of the same tick: work that throws is undone
   * alone. Resolves when the transaction is committed. `work` must wait for nothing but the database.
   */
  write<T>(work: (sql: Sql) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Commits what is queued, and closes. */
  close(): Promise<void>;
}
