import { readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { DragomanError, type ErrorCode } from './errors.ts';
import { entryAt, realPathAt } from './file-facts.ts';

/** Longer chains of links are circular. */
const MAX_LINKS = 40;

/**
 * Checks that `path`, whether it exists or not, lies in `directory` after all links are resolved.
 *
 * @returns the real path, relative to the real directory and with slashes
 * @throws DragomanError `code` if it does not
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
 * The first segment of a relative path that is hidden or `node_modules`: such directories, above all `.git`, belong to
 * tools and packages. Names are compared as file systems compare them: without case, on macOS without format
 * characters, on Windows without trailing dots and blanks and including the short name of `.git`.
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
 * Checks that `path` lies in `directory`, and that no part is hidden or `node_modules`, as written and after all links
 * are resolved.
 *
 * @param path absolute, or relative to the directory
 * @returns like {@link requireInside}
 * @throws DragomanError `code` if it does not
 */
export function requireUnreserved(directory: string, path: string, code: ErrorCode): string {
  const real = requireInside(directory, path, code);
  const written = relative(directory, resolve(directory, path));
  const segment = reservedSegment(written) ?? reservedSegment(real);
  if (segment === undefined) return real;
  throw new DragomanError(
    code,
    `${written} cannot hold a project's files: ${segment} does not belong to the project`,
    {
      hint: 'Neither hidden directories nor node_modules are written to; symbolic links must not lead there either.',
    },
  );
}

/** Whether `path` is `directory` or below it; both absolute, without resolving links. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`));
}

/**
 * The real path of the existing part, with the missing part appended. A broken link counts as its destination.
 * Synchronous: for short calls, asynchronous ones take several times as long.
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

/** Whether a path is a symbolic link. False for a missing or inaccessible path: opening it reports the error. */
export function isLink(path: string): boolean {
  return entryAt(path) === 'link';
}
