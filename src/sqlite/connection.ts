import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'libsql';
import { requireDatabaseFile, requireOwnJournal } from './database-file.ts';
import { sqliteCode } from './error.ts';

export interface ConnectionOptions {
  /** How long to wait for another process that writes, in milliseconds; default 5,000. This process stands still. */
  readonly busyMs?: number | undefined;
  /**
   * Looks at what is in the file before anything is written to it; throws where it is not to be used. Default: another
   * connection of this program has looked.
   */
  readonly check?: ((connection: Sqlite.Database) => void | Promise<void>) | undefined;
}

const BUSY_MS = 5_000;
const WAL_RETRY_MS = 20;

/**
 * Opens a database that several processes may have open at once; makes its file, of its owner's alone, and the
 * directories above it where they are missing. The opener closes it.
 *
 * Rejects with what the system or SQLite says: callers know what the file is to their user; with `not_a_file` where
 * something else has its name.
 */
export async function openConnection(
  file: string,
  { busyMs = BUSY_MS, check }: ConnectionOptions = {},
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
 * Opens a file that may come from anyone, such as a memory in a repository: nothing that its schema names is run, and its
 * pages are checked when they are read. libsql has no code for what SQLite says before there is a connection.
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
 * Makes the database a file of its owner's, also in a directory that others may read: SQLite gives the files beside it
 * the same permissions. A file that is there is not opened: closing it would end the locks that this process has on it.
 */
async function createFile(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** SQLite does not wait by itself where several processes turn the same new file into one with a log. */
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
