import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'libsql';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
import { connect } from '../../sqlite/connection.ts';
import { requireDatabaseFile } from '../../sqlite/database-file.ts';
import { sqliteCode, sqliteReason } from '../../sqlite/error.ts';

/**
 * A lock on a file that the operating system takes back when the process ends, however it ends. Node has none of its
 * own; a database that is open exclusively is one on every system.
 */
export interface ProcessLock {
  /** Gives the lock back and removes its file. */
  release(): void;
}

const SUFFIX = '.lock';

/**
 * Takes a lock if it is free; undefined otherwise. Makes the file where it is missing.
 *
 * @throws DragomanError `unwritable_output` when the file cannot be used.
 */
export function takeLock(directory: string, name: string): ProcessLock | undefined {
  const file = join(directory, `${name}${SUFFIX}`);
  let connection: Sqlite.Database | undefined;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    requireDatabaseFile(file);
    connection = connect(file);
    connection.exec('pragma busy_timeout = 0');
    // Without a journal beside the file: nothing is ever written.
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
      hint: 'The data directory has to be writable, and on a disk of this machine.',
      cause: error,
    },
  );
}
