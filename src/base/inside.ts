import { readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { DragomanError, type ErrorCode } from './errors.ts';
import { entryAt, realPathAt } from './file-facts.ts';

/** Longer chains of links are circles. */
const MAX_LINKS = 40;

/**
 * Checks that `path` lies in `directory` when every symbolic link on the way is followed, whether it exists or not.
 *
 * @returns the real path, relative to the real directory and with slashes
 * @throws DragomanError `code` when it does not.
 */
export function requireInside(directory: string, path: string, code: ErrorCode): string {
  const root = realPathAt(directory);
  const real = resolveAll(resolve(directory, path));
  if (isInside(root, real)) return relative(root, real).split(sep).join('/');
  throw new DragomanError(code, `${path} leads out of ${directory}`, {
    hint: 'Only files below the project directory are read and written; symbolic links must stay in it too.',
  });
}

/**
 * The first segment of a relative path that is hidden or `node_modules`: what lies there belongs to a person's tools and
 * to other packages, `.git` above all. Names count as file systems compare them: without case, on macOS without format
 * characters, on Windows without dots and blanks at the end and with the short name of `.git`.
 */
export function reservedSegment(path: string): string | undefined {
  return path.split(/[/\\]/).find((segment) => {
    const name = segment
      .replace(/\p{Cf}/gu, '')
      .replace(/[. ]+$/, '')
      .toLowerCase();
    return (
      segment.startsWith('.') || name.startsWith('.') || name === 'node_modules' || /^git~\d+$/.test(name)
    );
  });
}

/**
 * Checks that `path` lies in `directory`, and neither hidden nor in `node_modules`, as written and when every symbolic
 * link on the way is followed.
 *
 * @param path absolute, or relative to the directory
 * @returns as {@link requireInside}
 * @throws DragomanError `code` when it does not.
 */
export function requireUnreserved(directory: string, path: string, code: ErrorCode): string {
  const real = requireInside(directory, path, code);
  const written = relative(directory, resolve(directory, path));
  const segment = reservedSegment(written) ?? reservedSegment(real);
  if (segment === undefined) return real;
  throw new DragomanError(code, `${written} cannot hold a project's files: ${segment} is not the project's`, {
    hint: 'Neither hidden directories nor node_modules are written to; symbolic links must not lead there either.',
  });
}

/** Whether `path` is `directory` or below it; both absolute, nothing resolved. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`));
}

/**
 * The real path of the existing part, with the missing part appended. A broken link counts as its destination.
 * Synchronously: for as short a call, waiting for a thread takes several times as long.
 */
function resolveAll(path: string, links = 0): string {
  const parent = dirname(path);
  try {
    return realPathAt(path);
  } catch {
    if (parent === path) return path;
  }
  if (links < MAX_LINKS && isLink(path)) return resolveAll(resolve(parent, readlinkSync(path)), links + 1);
  return join(resolveAll(parent, links), relative(parent, path));
}

/** Whether a path is a symbolic link. Of what does not exist or cannot be looked at, opening it says more. */
export function isLink(path: string): boolean {
  return entryAt(path) === 'link';
}
