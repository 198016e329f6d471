import pg from 'pg';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';

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
export function databaseError(error: unknown): unknown {
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
