import { homedir } from 'node:os';
import { basename, dirname, join, posix, relative } from 'node:path';
import { typeAt } from '../../base/file-facts.ts';
import { isLanguageDirectory } from '../../frameworks/registry.ts';
import { parseLocale } from '../../languages/locale.ts';
import { type Configuration, loadConfiguration } from '../config/configuration.ts';
import { climb } from '../config/file.ts';
import { PATH_READER } from '../discover/path-template.ts';
import { isSearched } from '../discover/walk.ts';
import { LOCK_NAME, type LockHeader, readLockHeader } from './lock.ts';

/** A directory with its configuration, if it has one. */
export interface Root {
  readonly directory: string;
  readonly configuration: Configuration;
  /** Absolute; undefined without a configuration. */
  readonly configurationPath: string | undefined;
}

/** How far above a path the directory of its language is searched: `en/admin/users/roles.json`. */
const MAX_CLIMB = 4;

/**
 * The directories that may be the root of a path's project, the likeliest first. A marked root is the only candidate:
 * the nearest configuration above the path, otherwise the root of its git work tree, otherwise the nearest lock above
 * it. Without any of these, the root is the current directory if it contains the path, otherwise the directory that the
 * path names.
 *
 * @param path absolute, links resolved
 * @param cwd the current directory, absolute, links resolved
 */
export async function rootsFor(
  path: string,
  isDirectory: boolean,
  cwd: string | undefined,
): Promise<readonly Root[]> {
  const start = isDirectory ? path : dirname(path);
  const loaded = await loadConfiguration(start);
  if (loaded) {
    const { file, configuration } = loaded;
    return [{ directory: dirname(file.path), configuration, configurationPath: file.path }];
  }
  const directories = unconfiguredRoots(path, start, cwd);
  return directories.map((directory) => ({ directory, configuration: {}, configurationPath: undefined }));
}

function unconfiguredRoots(path: string, start: string, cwd: string | undefined): readonly string[] {
  // A directory of dependencies or build output can be translated if its path is given, but never belongs to the
  // project around it.
  const above = climb(start).above.filter((directory) => isSearched(relative(directory, start)));
  for (const name of ['.git', LOCK_NAME]) {
    for (const directory of above) if (typeAt(join(directory, name)) !== undefined) return [directory];
  }
  const base = cwd !== undefined && above.includes(cwd) && !holdsProjects(cwd) ? cwd : start;
  const isFileInBase = path !== start && start === base;
  return likeliest(base, above.slice(above.indexOf(base)), isFileInBase ? basename(path) : undefined);
}

/** The home directory and the file system root contain projects but are not projects. */
function holdsProjects(directory: string): boolean {
  return directory === homedir() || directory === dirname(directory);
}

/**
 * A directory, and its parent if the directory is named after a language: `locales/en` is a part of `locales`.
 *
 * @param file the name of a file in the directory, if a file was given
 */
function likeliest(base: string, above: readonly string[], file: string | undefined): readonly string[] {
  const named = above.slice(0, Math.min(MAX_CLIMB, above.length - 1)).find(namesLanguage);
  if (named === undefined) return [base];
  const outer = dirname(named);
  if (file === undefined) return [base, outer];
  // `it/app/en.json` names its own language, so `it` may not be one.
  const namesItself = named !== base && PATH_READER.read(file).length > 0;
  return namesItself ? [base, outer] : [outer, base];
}

function namesLanguage(directory: string): boolean {
  const name = basename(directory);
  return parseLocale(name) !== undefined || isLanguageDirectory(name);
}

/**
 * A lock below the root, which an earlier version wrote to the directory it was given. Its records are used, and are
 * moved to the lock at the root.
 */
export interface EarlierLock {
  /** Absolute. */
  readonly path: string;
  /** Relative to the root, with slashes. The file names in the lock are relative to this directory. */
  readonly directory: string;
  readonly header: LockHeader;
}

/** @param paths of locks, relative to the root. @throws DragomanError `configuration` if one is unreadable */
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

/** Merges the headers of a lock and earlier ones; those of the lock take precedence. */
export function mergeHeaders(own: LockHeader, earlier: readonly EarlierLock[]): LockHeader {
  const headers = earlier.map(({ header }) => header);
  const targets = own.targets.length > 0 ? own.targets : headers.flatMap((header) => header.targets);
  return {
    source: own.source ?? headers.find(({ source }) => source !== undefined)?.source,
    targets: [...new Set(targets)].sort(),
  };
}
