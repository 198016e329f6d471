import { lstatSync, opendirSync, readdirSync, realpathSync, statSync, type Dirent } from 'node:fs';

/** Facts about a path. Synchronous: for short calls, asynchronous ones take several times as long. */
export type FileType = 'file' | 'directory' | 'link' | 'other';

interface Typed {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** The type of a path's destination, with links followed; undefined if it does not exist. */
export function typeAt(path: string): FileType | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && typeOf(stats);
  } catch {
    return undefined;
  }
}

/** The type of a path itself; undefined if it does not exist, `other` without permission to look. */
export function entryAt(path: string): FileType | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats && typeOf(stats);
  } catch {
    return 'other';
  }
}

/** The path with all links resolved. @throws system errors */
export function realPathAt(path: string): string {
  return realpathSync.native(path);
}

/** The entries of a directory. @throws system errors */
export function listAt(path: string): Dirent[] {
  return readdirSync(path, { withFileTypes: true });
}

/** The entries of a directory, read one by one: there may be millions. @throws system errors */
export function* entriesAt(path: string): Generator<Dirent> {
  const directory = opendirSync(path);
  try {
    for (let entry = directory.readSync(); entry; entry = directory.readSync()) yield entry;
  } finally {
    directory.closeSync();
  }
}

function typeOf(entry: Typed): FileType {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
