import { setTimeout as delay } from 'node:timers/promises';
import { CompiledQuery, Kysely, PostgresDialect, sql as statement } from 'kysely';
import type { Coordination, Database, Sql, WriteOptions } from '../shared/database.ts';
import type { Schema } from '../shared/schema.ts';
import { type PostgresConnections, isRepeatable, isUnavailable, unavailable } from './connections.ts';

/** How long a write retries to reach the database: a restart or failover takes a few seconds. */
const PATIENCE_MS = 10_000;
/** How many times to retry a transaction that the server aborted in favour of another. */
const MAX_REPEATS = 8;
const PAUSE_MS = 20;
const MAX_PAUSE_MS = 1_000;

/**
 * How long a transaction may be idle before the server aborts it and releases its locks: a process that is stopped or
 * unreachable would hold them indefinitely. Less than {@link PATIENCE_MS}, so that a process that was only paused tries
 * again.
 */
const IDLE_MS = 5_000;

const BEGIN = `begin; set local idle_in_transaction_session_timeout = ${IDLE_MS}`;
const BEGIN_DURABLE = CompiledQuery.raw(BEGIN);
/** Other transactions use the server's setting. */
const BEGIN_VOLATILE = CompiledQuery.raw(`${BEGIN}; set local synchronous_commit = off`);
const COMMIT = CompiledQuery.raw('commit');
const ROLLBACK = CompiledQuery.raw('rollback');

/** The channel for notifications between processes. */
export const CHANNEL = 'dragoman';

/** The tables in PostgreSQL, for the statements that all databases share. Does not close `connections`. */
export function openDatabase(connections: PostgresConnections): Database {
  const kysely = new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: { connect: () => connections.borrow(), end: () => connections.end() },
    }),
  });
  return {
    sql: kysely,
    coordination,
    write: (work, options) => write(kysely, work, options),
    close: () => kysely.destroy(),
  };
}

const coordination: Coordination = {
  lock: (query) => query.forNoKeyUpdate(),
  lockFree: (query) => query.forNoKeyUpdate().skipLocked(),
  async requireRegistered(sql, instanceId) {
    const { rows } = await statement`select 1 from instances where id = ${instanceId} for share`.execute(sql);
    if (rows.length === 0) throw unregistered();
  },
  async takeTurn(sql) {
    await statement`select pg_advisory_xact_lock(hashtextextended('dragoman deliveries', 0))`.execute(sql);
  },
  async announce(sql, news) {
    await statement`select pg_notify(${CHANNEL}, ${news})`.execute(sql);
  },
};

/** The error for a process that has not noticed yet that others declared it dead. */
export function unregistered(): Error {
  return unavailable('other processes declared this one dead');
}

/** Runs `work` in a separate transaction, until it is committed or fails. */
async function write<T>(
  kysely: Kysely<Schema>,
  work: (sql: Sql) => Promise<T>,
  { durable = true, once = false }: WriteOptions = {},
): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let repeats = 0; ; repeats++) {
    const transaction = new Transaction(kysely, durable);
    try {
      return await transaction.run(work);
    } catch (error) {
      const isSafe = isRepeatable(error) || !(once && transaction.isCommitting);
      const isWorthIt = isRepeatable(error)
        ? repeats < MAX_REPEATS
        : isUnavailable(error) && performance.now() < deadline;
      if (!isSafe || !isWorthIt)
        throw isRepeatable(error) ? unavailable('too many writers at once', error) : error;
      await pause(repeats);
    }
  }
}

/** Waits longer each time, with a random part so that concurrent failures spread out. */
export async function pause(times: number): Promise<void> {
  await delay(Math.min(MAX_PAUSE_MS, PAUSE_MS * 2 ** times) * (0.5 + Math.random()));
}

class Transaction {
  readonly #kysely: Kysely<Schema>;
  readonly #isDurable: boolean;
  /** After this, a connection error leaves open whether the transaction was committed. */
  isCommitting = false;

  constructor(kysely: Kysely<Schema>, isDurable: boolean) {
    this.#kysely = kysely;
    this.#isDurable = isDurable;
  }

  run<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#kysely.connection().execute(async (connection) => {
      await connection.executeQuery(this.#isDurable ? BEGIN_DURABLE : BEGIN_VOLATILE);
      try {
        const value = await work(connection);
        this.isCommitting = true;
        await connection.executeQuery(COMMIT);
        return value;
      } catch (error) {
        await connection.executeQuery(ROLLBACK).catch(() => undefined);
        throw error;
      }
    });
  }
}
