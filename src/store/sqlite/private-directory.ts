import { lstat, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { systemError } from '../../base/system-error.ts';
import { DATABASE_FILE } from './database.ts';

/** Files with these names in a data directory without a store would become part of the store. */
const NAMES = ['', '-wal', '-shm', '-journal'].map((ending) => DATABASE_FILE + ending).concat('jobs');

/**
 * Creates a directory for a store, or checks that an existing one belongs to this user alone: another user's file or
 * link in it would expose the store's secrets.
 *
 * @throws DragomanError `usage`, `unwritable_output`
 */
export async function makePrivateDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw systemError('unwritable_output', `make ${directory}`, error);
  }
  const { uid, mode } = await stat(directory);
  requireOwn(directory, uid);
  if (process.platform !== 'win32' && (mode & 0o022) !== 0)
    throw refused(`other users can write to ${directory}`);
  for (const name of NAMES) {
    const path = join(directory, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isSymbolicLink()) throw refused(`${path} is a link`);
    if (found) requireOwn(path, found.uid);
  }
}

function requireOwn(path: string, uid: number): void {
  const own = process.getuid?.();
  if (own !== undefined && uid !== own) throw refused(`${path} belongs to another user`);
}

function refused(what: string): DragomanError {
  return new DragomanError('usage', what, {
    hint: 'Copy to a new directory, which gets permissions for you alone.',
  });
}
