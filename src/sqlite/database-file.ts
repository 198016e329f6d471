import { lstat, realpath, stat } from 'node:fs/promises';
import { DragomanError } from '../base/errors.ts';

/** SQLite keeps them beside the database, and follows a link at their place. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/**
 * Checks that there is a regular file, or none, where a database and the files beside it are kept. It is not opened:
 * closing a database's file would end the locks that this process has on it.
 *
 * @throws DragomanError `not_a_file`
 */
export async function requireDatabaseFile(path: string): Promise<void> {
  const real = await realpath(path).catch(() => path);
  const found = await Promise.all([
    stat(path).catch(() => undefined),
    ...COMPANIONS.map((ending) => lstat(real + ending).catch(() => undefined)),
  ]);
  const wrong = found.findIndex((info) => info?.isFile() === false);
  if (wrong < 0) return;
  const name = wrong === 0 ? path : `${real}${COMPANIONS[wrong - 1] ?? ''}`;
  throw new DragomanError(
    'not_a_file',
    `${name} is ${found[wrong]?.isDirectory() ? 'a directory' : 'not a regular file'}`,
    {
      hint: 'Remove it, or name another file.',
    },
  );
}
