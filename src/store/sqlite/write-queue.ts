import { CompiledQuery, type Kysely } from 'kysely';
import type { WriteOptions } from '../shared/database.ts';
import type { Schema } from '../shared/schema.ts';
import { writeError } from '../../sqlite/error.ts';

// Created once: they are most of the text of a small transaction.
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
 * Group commit: the works of one tick share a transaction, because waiting for the disk takes longest. Transactions are
 * sequential, as are the works within one.
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
      // Waits for all works of the current tick, to put them in one transaction.
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
          // If a work has the transaction to itself, the transaction fails with it.
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

/** Rolls back only this work if it fails: others of the transaction are not affected. */
async function perform(write: Write, connection: Kysely<Schema>, done: (() => void)[]): Promise<void> {
  await connection.executeQuery(SAVEPOINT);
  try {
    done.push(await write.perform(connection));
  } catch (error) {
    await connection.executeQuery(ROLLBACK_TO_SAVEPOINT).catch(() => {
      // This error ended the transaction, so all its works fail with it.
      throw error;
    });
    done.push(() => write.reject(writeError(error)));
  }
  await connection.executeQuery(RELEASE_SAVEPOINT);
}

/** If the disk is full or fails, SQLite has already rolled back: the original error must be kept. */
export async function rollBack(connection: Kysely<Schema>): Promise<void> {
  await connection.executeQuery(ROLLBACK).catch(() => undefined);
}
