import { join, posix } from 'node:path';
import { readLockHeader, type LockHeader } from './lock.ts';

/**
 * A lock below the root, as earlier versions kept one in whichever directory they were given. It counts, and merges into
 * the one at the root.
 */
export interface EarlierLock {
  /** Absolute. */
  readonly path: string;
  /** Relative to the root, with slashes: the lines' files are relative to it. */
  readonly directory: string;
  readonly header: LockHeader;
}

/** @param paths of locks, relative to the root. @throws DragomanError `configuration` when one cannot be read. */
export async function readEarlierLocks(
  root: string,
  paths: readonly string[],
): Promise<readonly EarlierLock[]> {
  const locks: EarlierLock[] = [];
  for (const path of paths) {
    const header = await readLockHeader(join(root, path));
    locks.push({ path: join(root, path), directory: posix.dirname(path), header });
  }
  return locks;
}

/** Merges the headers of a lock and the earlier ones; its own takes precedence. */
export function mergeHeaders(own: LockHeader, earlier: readonly EarlierLock[]): LockHeader {
  const headers = earlier.map(({ header }) => header);
  const targets = own.targets.length > 0 ? own.targets : headers.flatMap((header) => header.targets);
  return {
    source: own.source ?? headers.find(({ source }) => source !== undefined)?.source,
    targets: [...new Set(targets)].sort(),
  };
}
