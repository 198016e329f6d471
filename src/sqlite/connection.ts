import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'libsql';
import { requireDatabaseFile, requireOwnJournal } from './database-file.ts';
import { sqliteCode } from './error.ts';

export interface ConnectionOptions {
  /** How long to wait for another writing process, in milliseconds; default 5,000. Blocks this process. */
  readonly busyMs?: number | undefined;
  /**
   * Checks a file's content before anything is written; throws to reject it. Default: another connection of this
   * program has checked it.
   */
  readonly check?: ((connection: Sqlite.Database) => void | Promise<void>) | undefined;
}

const BUSY_MS = 5_000;
const WAL_RETRY_MS = 20;

/**
 * Opens a database that several processes may open. Creates its file, for its owner only, and missing directories. The
 * code that opens it closes it.
 *
 * Rejects with system or SQLite errors, because only callers can describe the file to the user; with
 * `not_a_file` if the path is not a file.
 */
export async function openConnection(
  file: string,
  { busyMs = BUSY_MS, check }: ConnectionOptions,
): Promise<Sqlite.Database> {
  requireDatabaseFile(file);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await createFile(file);
  const connection = connect(file);
  try {
    connection.exec(`pragma busy_timeout = ${busyMs}`);
    await check?.(connection);
    await enterWalMode(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Opens a file that may come from anyone, such as a memory in a repository: nothing in its schema is executed, and its
 * pages are checked on reading. libsql reports no error codes before the connection exists.
 */
export function connect(file: string): Sqlite.Database {
  requireOwnJournal(file);
  let connection: Sqlite.Database;
  try {
    connection = new Sqlite(file);
  } catch (error) {
    throw Object.assign(new Error('no connection', { cause: error }), { code: 'SQLITE_CANTOPEN' });
  }
  connection.exec('pragma trusted_schema = off; pragma cell_size_check = on');
  return connection;
}

/**
 * Creates the database file with permissions for its owner only: SQLite copies them to the files next to it. An
 * existing file is not opened, because closing it would release this process's locks on it.
 */
async function createFile(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** SQLite does not wait when several processes switch the same new file to WAL mode. */
async function enterWalMode(connection: Sqlite.Database): Promise<void> {
  const deadline = Date.now() + BUSY_MS;
  for (;;) {
    try {
      connection.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (sqliteCode(error) !== 'SQLITE_BUSY' || Date.now() >= deadline) throw error;
    }
    await wait(WAL_RETRY_MS);
  }
}
