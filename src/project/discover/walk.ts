import type { Dirent } from 'node:fs';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';

/** Directories whose content somebody else wrote or a program makes. */
const IGNORED = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  'vendor',
  'Pods',
  'Carthage',
  'DerivedData',
  'build',
  'dist',
  'target',
  'obj',
  'coverage',
  '__pycache__',
  'site-packages',
  'venv',
]);

const MAX_DEPTH = 40;
const MAX_FILES = 2_000_000;

/**
 * The files below `root` with one of these extensions (without dot), as sorted paths with slashes relative to it.
 * Hidden directories, dependencies and build output are left out; symbolic links are not followed.
 *
 * It reads synchronously: asynchronous calls take several times as long for the same directories.
 *
 * @throws DragomanError `unreadable_input` when `root` cannot be listed, `not_a_file`, `limit_exceeded` for absurd trees.
 */
export function walk(root: string, extensions: readonly string[]): readonly string[] {
  const wanted = new Set(extensions);
  const files: string[] = [];
  const visit = (directory: string, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    for (const entry of list(root, directory)) {
      const { name } = entry;
      if (name.startsWith('.')) continue;
      const path = directory === '' ? name : `${directory}/${name}`;
      if (entry.isDirectory()) {
        if (!IGNORED.has(name)) visit(path, depth + 1);
      } else if (wanted.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase())) {
        if (entry.isSymbolicLink()) continue;
        if (!entry.isFile()) throw notAFile(join(root, path));
        files.push(path);
        if (files.length > MAX_FILES)
          throw new DragomanError('limit_exceeded', `too many files below ${root}`);
      }
    }
  };
  visit('', 0);
  return files.sort();
}

/** A FIFO, a socket or a device that is called as a localization file is. */
function notAFile(path: string): DragomanError {
  return new DragomanError('not_a_file', `cannot read ${path}: is not a regular file`, {
    hint: 'Remove it, or put a regular file in its place.',
  });
}

function list(root: string, directory: string): readonly Dirent[] {
  try {
    return readdirSync(join(root, directory), { withFileTypes: true });
  } catch (error) {
    // A directory that nobody may read has no files for us; the one asked for has to be there.
    if (directory !== '') return [];
    throw new DragomanError('unreadable_input', `cannot list ${root}: ${reasonOf(error)}`, { cause: error });
  }
}
