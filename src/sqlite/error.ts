import { DragomanError } from '../base/errors.ts';

/** SQLite's errors that concern the location, not the program. */
const REASONS: Readonly<Record<string, string>> = {
  SQLITE_BUSY: 'another process has kept it locked for too long',
  SQLITE_FULL: 'the disk is full',
  SQLITE_READONLY: 'it is read-only',
  SQLITE_IOERR: 'the disk has failed',
  SQLITE_CANTOPEN: 'it cannot be opened',
  SQLITE_CORRUPT: 'it is damaged',
  SQLITE_NOTADB: 'it is not an SQLite database',
};

/** The primary code (`SQLITE_IOERR` for `SQLITE_IOERR_WRITE`); undefined for other errors. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^SQLITE_[A-Z]+/.exec(error.code)?.[0];
}

/** The reason in words if the location is the cause, otherwise undefined. */
export function sqliteReason(error: unknown): string | undefined {
  return REASONS[sqliteCode(error) ?? ''];
}

/** The error for callers: a DragomanError if the location is the cause. */
export function writeError(error: unknown): unknown {
  const reason = sqliteReason(error);
  if (reason === undefined) return error;
  return new DragomanError('unwritable_output', `cannot write to the database: ${reason}`, {
    hint: 'The request had no effect.',
    cause: error,
  });
}
