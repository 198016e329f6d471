import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';

/** Time limit for connecting, and for a statement: anything slower indicates a broken network. */
const CONNECT_MS = 5_000;
const QUERY_MS = 15_000;
/** Per process, in addition to the connections for metering and registration. */
const MAX_POOLED = 4;

const WHOLE_NUMBERS = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/** Amounts and times are integers within JavaScript's exact range, as are their sums. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format): unknown {
    return WHOLE_NUMBERS.has(oid) ? Number : pg.types.getTypeParser(oid, format);
  },
};

/** Creates connections to one database with common settings. The code that creates it closes it. */
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
      // Parsed here, because otherwise the driver would not look for a password if the address has none.
      ...parseIntoClientConfig(connectionString),
      ...(password !== undefined && { password }),
    };
    this.#pool = new pg.Pool({ ...this.#config, max: MAX_POOLED, idleTimeoutMillis: 30_000 });
    // Ignores a broken idle connection, which the pool replaces.
    this.#pool.on('error', () => undefined);
    // If the connection breaks between two statements of a transaction, the second one gets the error.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /**
   * A connection from the pool for Kysely. A broken one is not returned to the pool.
   *
   * @throws DragomanError `store_unavailable`, `configuration`
   */
  async borrow(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw databaseError(error);
    });
    return new BorrowedConnection(client);
  }

  /** A separate connection, which the caller owns. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config);
    // The connection's next user gets the error.
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

/** Ends a connection whose other end may be unreachable. */
export async function endConnection(client: pg.Client): Promise<void> {
  const isEnded = client.end().catch(() => undefined);
  await Promise.race([isEnded, delay(1_000, undefined, { ref: false })]);
}

/** Runs a statement on a separate connection. @throws DragomanError `store_unavailable` if it is broken */
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
 * SQLSTATEs of a temporarily unavailable server: no connection, no resources, operator intervention, a read-only
 * standby, a transaction that exceeded the idle limit, and internal errors, for example because a full disk prevents a
 * connection.
 */
const UNAVAILABLE = /^(?:08|53|57|58|XX|25006|25P03)/;
/** SQLSTATEs of wrong connection settings, such as user, password or database. */
const MISCONFIGURED = /^(?:28|3D|42501|3F)/;
/** The server aborted the transaction in favour of another; a retry succeeds. */
const REPEATABLE = new Set(['40001', '40P01']);

export function isRepeatable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && REPEATABLE.has(error.code ?? '');
}

export function isUnavailable(error: unknown): error is DragomanError {
  return error instanceof DragomanError && error.code === 'store_unavailable';
}

/**
 * Converts an error of the driver: typed if the server or connection is the cause. Errors without a code come from the
 * connection.
 */
function databaseError(error: unknown): unknown {
  if (error instanceof DragomanError) return error;
  if (!(error instanceof pg.DatabaseError)) return unavailable(reasonOf(error), error);
  const code = error.code ?? '';
  if (UNAVAILABLE.test(code)) return unavailable(error.message, error);
  if (!MISCONFIGURED.test(code)) return error;
  return new DragomanError('configuration', `the database rejected the connection: ${error.message}`, {
    hint: 'Check the user and the database in --store, and the password in PGPASSWORD or PGPASSFILE.',
    cause: error,
  });
}

export function unavailable(reason: string, cause?: unknown): DragomanError {
  return new DragomanError('store_unavailable', `the database does not answer: ${reason}`, {
    hint: 'Check that PostgreSQL is running and can be reached; then try again.',
    cause,
  });
}
