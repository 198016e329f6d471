import { DragomanError } from '../../base/errors.ts';
import { sqliteReason } from '../../sqlite/error.ts';

/** The error as callers get it: typed where the place is at fault. */
export function writeError(error: unknown): unknown {
  const reason = sqliteReason(error);
  if (reason === undefined) return error;
  return new DragomanError('unwritable_output', `cannot write to the database: ${reason}`, {
    hint: 'Nothing of the request was done.',
    cause: error,
  });
}
