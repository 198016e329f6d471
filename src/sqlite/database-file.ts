import { dirname } from 'node:path';
import { DragomanError } from '../base/errors.ts';
import { entryAt, realPathAt, typeAt } from '../base/file-facts.ts';

/** SQLite keeps them beside the database, and follows a link at their place. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/**
 * Checks that there is a regular file, or none, where a database and the files beside it are kept. It is not opened:
 * closing a database's file would end the locks that this process has on it.
 *
 * @throws DragomanError `not_a_file`
 */
export function requireDatabaseFile(path: string): void {
  const real = realPathOf(path);
  // Creating the file says what is wrong there.
  if (typeAt(dirname(real)) !== 'directory') return;
  const found = [typeAt(path), ...COMPANIONS.map((ending) => entryAt(real + ending))];
  const wrong = found.findIndex((type) => type !== undefined && type !== 'file');
  if (wrong < 0) return;
  const name = wrong === 0 ? path : `${real}${COMPANIONS[wrong - 1] ?? ''}`;
  throw new DragomanError(
    'not_a_file',
    `${name} is ${found[wrong] === 'directory' ? 'a directory' : 'not a regular file'}`,
    {
      hint: 'Remove it, or name another file.',
    },
  );
}

function realPathOf(path: string): string {
  try {
    return realPathAt(path);
  } catch {
    return path;
  }
}
