import { CompiledQuery, type Kysely } from 'kysely';
import type { WriteOptions } from '../shared/database.ts';
import type { Schema } from '../shared/schema.ts';
import { writeError } from '../../sqlite/error.ts';

// Made once: they are most of what a small transaction says.
const BEGIN = CompiledQuery.raw('begin immediate');
const COMMIT = CompiledQuery.raw('commit');
const ROLLBACK = CompiledQuery.raw('rollback');
const SAVEPOINT = CompiledQuery.raw('savepoint work');
const ROLLBACK_TO_SAVEPOINT = CompiledQuery.raw('rollback to savepoint work');
const RELEASE_SAVEPOINT = CompiledQuery.raw('release savepoint work');

interface Write {
  readonly durable: boolean;
  /** Does the work, and gives what is to be called when it is committed. */
  readonly perform: (sql: Kysely<Schema>) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: what arrives in one tick shares a transaction, because waiting for the disk takes longer than all else.
 * Transactions follow one another; within one, works do too.
 */
export class WriteQueue {
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
      // All that the current tick brings is to be in one transaction.
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
          // A work that has the transaction for itself takes it along when it fails.
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

/** Undoes the work alone when it fails: the others of the transaction are not affected. */
async function perform(write: Write, connection: Kysely<Schema>, done: (() => void)[]): Promise<void> {
  await connection.executeQuery(SAVEPOINT);
  try {
    done.push(await write.perform(connection));
  } catch (error) {
    await connection.executeQuery(ROLLBACK_TO_SAVEPOINT).catch(() => {
      // The transaction has ended, because of this error: it is that of all its works.
      throw error;
    });
    done.push(() => write.reject(writeError(error)));
  }
  await connection.executeQuery(RELEASE_SAVEPOINT);
}

/** Where the disk is full or fails, SQLite has ended the transaction itself: the reason must not be lost over that. */
export async function rollBack(connection: Kysely<Schema>): Promise<void> {
  await connection.executeQuery(ROLLBACK).catch(() => undefined);
}
