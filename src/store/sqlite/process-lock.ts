import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'libsql';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
import { connect } from '../../sqlite/connection.ts';
import { requireDatabaseFile } from '../../sqlite/database-file.ts';
import { sqliteCode, sqliteReason } from '../../sqlite/error.ts';

/**
 * A file lock that the operating system releases however the process ends. Node offers no such lock, but an
 * exclusively opened database works on every system.
 */
export interface ProcessLock {
  /** Releases the lock and removes its file. */
  release(): void;
}

const SUFFIX = '.lock';

/**
 * Takes a lock if it is free; otherwise returns undefined. Creates a missing file.
 *
 * @throws DragomanError `unwritable_output` if the file is unusable
 */
export function takeLock(directory: string, name: string): ProcessLock | undefined {
  const file = join(directory, `${name}${SUFFIX}`);
  let connection: Sqlite.Database | undefined;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    requireDatabaseFile(file);
    connection = connect(file);
    connection.exec('pragma busy_timeout = 0');
    // Avoids a journal file, because nothing is ever written.
    connection.exec('pragma journal_mode = memory');
    connection.exec('begin exclusive');
  } catch (error) {
    connection?.close();
    if (sqliteCode(error) === 'SQLITE_BUSY') return undefined;
    throw unusable(file, error);
  }
  const locked = connection;
  return {
    release() {
      locked.exec('rollback');
      locked.close();
      rmSync(file, { force: true });
    },
  };
}

/** The names of all lock files, locked or not. */
export function lockNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter((file) => file.endsWith(SUFFIX))
      .map((file) => file.slice(0, -SUFFIX.length));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw unusable(directory, error);
  }
}

function unusable(path: string, error: unknown): DragomanError {
  return new DragomanError(
    'unwritable_output',
    `cannot use locks in ${path}: ${sqliteReason(error) ?? reasonOf(error)}`,
    {
      hint: 'The data directory must be writable and on a local disk.',
      cause: error,
    },
  );
}
