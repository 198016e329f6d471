import type { Dirent } from 'node:fs';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
import { isConfigured } from '../config/file.ts';

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

/** What lies below a directory, as sorted paths relative to it, with slashes. */
export interface Tree {
  /** Files with one of the extensions asked for. */
  readonly files: readonly string[];
  /** Directories that are projects of their own; nothing in them is listed. */
  readonly nested: readonly string[];
  /** Files of the name asked for, in directories below the top. */
  readonly named: readonly string[];
}

/**
 * The files below `root` with one of these extensions (without dot), and those called `name`. Hidden directories,
 * dependencies and build output are left out; symbolic links are not followed. Directories with a configuration of their
 * own, and other git work trees, are other projects.
 *
 * It reads synchronously: asynchronous calls take several times as long for the same directories.
 *
 * @throws DragomanError `unreadable_input` when `root` cannot be listed, `limit_exceeded` for absurd trees.
 */
export function walk(root: string, extensions: readonly string[], name: string): Tree {
  const wanted = new Set(extensions);
  const files: string[] = [];
  const nested: string[] = [];
  const named: string[] = [];
  const visit = (directory: string, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    const entries = list(root, directory);
    if (directory !== '' && isProject(join(root, directory), entries)) {
      nested.push(directory);
      return;
    }
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (entry.isDirectory()) {
        if (isSearched(entry.name)) visit(path, depth + 1);
      } else if (!entry.isFile()) continue;
      else if (wanted.has(path.slice(path.lastIndexOf('.') + 1).toLowerCase())) {
        files.push(path);
        if (files.length > MAX_FILES)
          throw new DragomanError('limit_exceeded', `too many files below ${root}`);
      } else if (entry.name === name && directory !== '') named.push(path);
    }
  };
  visit('', 0);
  return { files: files.sort(), nested: nested.sort(), named: named.sort() };
}

/** Whether {@link walk} looks into a directory, by its path from where it begins. */
export function isSearched(path: string): boolean {
  return path
    .split(/[\\/]/)
    .every((segment) => segment === '' || (!segment.startsWith('.') && !IGNORED.has(segment)));
}

function isProject(directory: string, entries: readonly Dirent[]): boolean {
  return entries.some(
    (entry) => entry.name === '.git' || (entry.isFile() && isConfigured(directory, entry.name)),
  );
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
