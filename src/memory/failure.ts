import { DragomanError } from '../base/errors.ts';
import { reasonOf } from '../base/system-error.ts';
import { sqliteCode, sqliteReason } from '../sqlite/error.ts';
import { requireDatabaseFile } from '../sqlite/database-file.ts';

/** Converts an error for callers if it concerns the memory's file. Errors caused by bugs are returned unchanged. */
export function memoryError(error: unknown, path: string): unknown {
  if (error instanceof DragomanError) {
    const { code, message, hint, cause } = error;
    if (code === 'internal') return error;
    return new DragomanError(code, `cannot use the translation memory ${path}: ${message}`, {
      hint: hint ?? ELSEWHERE,
      cause: cause ?? error,
    });
  }
  const code = sqliteCode(error);
  const isOfSystem = error instanceof Error && 'syscall' in error;
  const reason = sqliteReason(error) ?? (isOfSystem ? reasonOf(error) : undefined);
  if (reason === undefined) return error;
  if (code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB') {
    return new DragomanError('unreadable_input', `cannot read the translation memory ${path}: ${reason}`, {
      hint: code === 'SQLITE_CORRUPT' ? RECOVER : ELSEWHERE,
      cause: error,
    });
  }
  return new DragomanError('unwritable_output', `cannot use the translation memory ${path}: ${reason}`, {
    hint: code === 'SQLITE_BUSY' ? 'Try again when that process has finished.' : ELSEWHERE,
    cause: error,
  });
}

const ELSEWHERE = 'Name another file with --memory, or go without one with --no-memory.';
const RECOVER =
  'Move it away to start a new one; `sqlite3 FILE .recover` may recover its content. --no-memory ignores it.';

/**
 * Checks that a translation memory can be at this path: a regular file, or nothing. Does not open it.
 *
 * @throws DragomanError `not_a_file`
 */
export function requireMemoryPlace(path: string): void {
  try {
    requireDatabaseFile(path);
  } catch (error) {
    throw memoryError(error, path);
  }
}
