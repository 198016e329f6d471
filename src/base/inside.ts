import { lstat, readlink, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { DragomanError, type ErrorCode } from './errors.ts';

/** Longer chains of links are circles. */
const MAX_LINKS = 40;

/**
 * Checks that `path` lies in `directory` when every symbolic link on the way is followed, whether it exists or not.
 *
 * @throws DragomanError `code` when it does not.
 */
export async function requireInside(directory: string, path: string, code: ErrorCode): Promise<void> {
  const root = await realpath(directory);
  const real = await resolveAll(resolve(directory, path));
  if (isInside(root, real)) return;
  throw new DragomanError(code, `${path} leads out of ${directory}`, {
    hint: 'Only files below the project directory are read and written; symbolic links must stay in it too.',
  });
}

/** Whether `path` is `directory` or below it; both absolute, nothing resolved. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`));
}

/** The real path of what exists, with what does not exist yet behind it. A broken link counts as its destination. */
async function resolveAll(path: string, links = 0): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const parent = dirname(path);
  if (parent === path) return path;
  const info = await lstat(path).catch(() => undefined);
  if (info?.isSymbolicLink() && links < MAX_LINKS) {
    return resolveAll(resolve(parent, await readlink(path)), links + 1);
  }
  return join(await resolveAll(parent, links), relative(parent, path));
}
