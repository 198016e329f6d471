import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';

/** Longest time of a connection's beginning, and of a statement: what takes longer has a dead network before it. */
const CONNECT_MS = 5_000;
const QUERY_MS = 15_000;
/** Of a process, beside the connections of its metering and its registration. */
const MAX_POOLED = 4;

const WHOLE_NUMBERS = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/** Amounts and times are whole numbers that JavaScript has exactly; so are sums of them. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format): unknown {
    return WHOLE_NUMBERS.has(oid) ? Number : pg.types.getTypeParser(oid, format);
  },
};

/** Makes connections to one database, all in the same way. Whoever makes it closes it. */
export class PostgresConnections {
  readonly #config: pg.ClientConfig;
  readonly #pool: pg.Pool;

  constructor({ connectionString = '', password }: pg.ClientConfig) {
    this.#config = {
      types,
      application_name: 'dragoman',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: QUERY_MS,
      // Parsed here, since the driver takes the password of an address that has none for the only one.
      ...parseIntoClientConfig(connectionString),
      ...(password !== undefined && { password }),
    };
    this.#pool = new pg.Pool({ ...this.#config, max: MAX_POOLED, idleTimeoutMillis: 30_000 });
    // A connection that breaks while nobody uses it: the pool makes another.
    this.#pool.on('error', () => undefined);
    // One that breaks between two statements of a transaction: the second gets the error.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /**
   * A connection out of the pool, as Kysely uses it. One that is broken does not go back there.
   *
   * @throws DragomanError `store_unavailable`, `configuration`
   */
  async borrow(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw databaseError(error);
    });
    return new BorrowedConnection(client);
  }

  /** A connection of its own, for as long as the caller keeps it. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config);
    // Whoever uses it next gets the error.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      void client.end().catch(() => undefined);
      throw databaseError(error);
    }
  }

  async end(): Promise<void> {
    if (!this.#pool.ended) await this.#pool.end();
  }
}

class BorrowedConnection implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  #isBroken = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query(text: unknown, values: readonly unknown[] = []): unknown {
    return this.#query(String(text), [...values]);
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  async #query(text: string, values: unknown[]): Promise<pg.QueryResult> {
    try {
      return await this.#client.query(text, values);
    } catch (error) {
      const failure = databaseError(error);
      this.#isBroken ||= failure !== error;
      throw failure;
    }
  }
}

/** Ends a connection whose other end may be gone. */
export async function endConnection(client: pg.Client): Promise<void> {
  const isEnded = client.end().catch(() => undefined);
  await Promise.race([isEnded, delay(1_000, undefined, { ref: false })]);
}

/** Runs a statement on a connection of its own. @throws DragomanError `store_unavailable` where that is broken */
export async function query<Row extends pg.QueryResultRow>(
  client: pg.Client,
  config: pg.QueryConfig,
): Promise<readonly Row[]> {
  try {
    return (await client.query<Row>(config)).rows;
  } catch (error) {
    throw databaseError(error);
  }
}

/**
 * SQLSTATEs of a server that cannot do what it otherwise can: no connection, no resources, an operator's intervention, a
 * standby that may only be read, a transaction that waited too long for its process, an error of its system or of itself, as
 * when a full disk keeps a connection from beginning.
 */
const UNAVAILABLE = /^(?:08|53|57|58|XX|25006|25P03)/;
/** What was wrong with the connection's settings: who connects, and to which database. */
const MISCONFIGURED = /^(?:28|3D|42501|3F)/;
/** The transaction was ended so that another could go on: done again, it succeeds. */
const REPEATABLE = new Set(['40001', '40P01']);

export function isRepeatable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && REPEATABLE.has(error.code ?? '');
}

export function isUnavailable(error: unknown): error is DragomanError {
  return error instanceof DragomanError && error.code === 'store_unavailable';
}

/**
 * The error of a call of the driver as callers get it: typed where the server or the way to it is at fault. What the
 * server has no code for came from the connection.
 */
function databaseError(error: unknown): unknown {
  if (error instanceof DragomanError) return error;
  if (!(error instanceof pg.DatabaseError)) return unavailable(reasonOf(error), error);
  const code = error.code ?? '';
  if (UNAVAILABLE.test(code)) return unavailable(error.message, error);
  if (!MISCONFIGURED.test(code)) return error;
  return new DragomanError('configuration', `the database refuses dragoman: ${error.message}`, {
    hint: 'Check the user and the database in --store, and its password in PGPASSWORD or PGPASSFILE.',
    cause: error,
  });
}

export function unavailable(reason: string, cause?: unknown): DragomanError {
  return new DragomanError('store_unavailable', `the database does not answer: ${reason}`, {
    hint: 'Check that PostgreSQL runs and can be reached; then try again.',
    cause,
  });
}
