import { lstatSync, readdirSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { digestOf } from './digest.ts';
import { ABSENT, observing } from './observations.ts';

/**
 * What the file system says of a path. Everything that decides what a project is asks here, or reads with
 * `base/bounded-read`, so that it is noted for {@link observing}. Synchronously: for calls as short as these, waiting
 * for a thread takes several times as long.
 */
export type FileType = 'file' | 'directory' | 'link' | 'other';

interface Typed {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** What is at a path when links are followed; undefined where nothing can be found. */
export function typeAt(path: string): FileType | undefined {
  let type: FileType | undefined;
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    type = stats && typeOf(stats);
  } catch {
    type = undefined;
  }
  observing()?.note('type', path, type ?? ABSENT);
  return type;
}

/** What is at a path itself; undefined where there is nothing, `other` where one may not look. */
export function entryAt(path: string): FileType | undefined {
  let type: FileType | undefined;
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    type = stats && typeOf(stats);
  } catch {
    type = 'other';
  }
  observing()?.note('entry', path, type ?? ABSENT);
  return type;
}

/** Whether others than its owner can read a file, by its mode. @throws what the system throws. */
export function isExposedAt(path: string): boolean {
  const isExposed = (statSync(path).mode & 0o077) !== 0;
  observing()?.note('exposure', path, String(isExposed));
  return isExposed;
}

/** The path with all links followed. @throws what the system throws. */
export function realPathAt(path: string): string {
  let real = ABSENT;
  try {
    return (real = realpathSync.native(path));
  } finally {
    observing()?.note('real', path, real);
  }
}

/** The entries of a directory. @throws what the system throws. */
export function listAt(path: string): Dirent[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    const observations = observing();
    if (observations) {
      const names = entries.map((entry) => `${entry.name}/${typeOf(entry)}`);
      observations.note('list', path, digestOf(names.join('\0')));
    }
    return entries;
  } catch (error) {
    // Which one it is makes no difference to those that pass over it.
    observing()?.note('list', path, ABSENT);
    throw error;
  }
}

function typeOf(entry: Typed): FileType {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
