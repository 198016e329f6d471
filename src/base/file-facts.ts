import { lstatSync, readdirSync, realpathSync, statSync, type Dirent } from 'node:fs';

/**
 * What the file system says of a path. Synchronously: for calls as short as these, waiting for a thread takes several
 * times as long.
 */
export type FileType = 'file' | 'directory' | 'link' | 'other';

interface Typed {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** What is at a path when links are followed; undefined where nothing can be found. */
export function typeAt(path: string): FileType | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && typeOf(stats);
  } catch {
    return undefined;
  }
}

/** What is at a path itself; undefined where there is nothing, `other` where one may not look. */
export function entryAt(path: string): FileType | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats && typeOf(stats);
  } catch {
    return 'other';
  }
}

/** The path with all links followed. @throws what the system throws. */
export function realPathAt(path: string): string {
  return realpathSync.native(path);
}

/** The entries of a directory. @throws what the system throws. */
export function listAt(path: string): Dirent[] {
  return readdirSync(path, { withFileTypes: true });
}

function typeOf(entry: Typed): FileType {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
