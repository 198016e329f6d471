import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { parseLocale } from '../../languages/locale.ts';
import { loadConfiguration, type Configuration } from '../config/configuration.ts';
import { escapePath } from './lock-key.ts';
import { LOCK_NAME, readLockText } from './lock.ts';
import { readPath } from '../discover/path-template.ts';

/** A directory with its configuration, if it has one. */
export interface Root {
  readonly directory: string;
  readonly configuration: Configuration;
  /** Absolute; undefined without configuration. */
  readonly configurationPath: string | undefined;
}

/** How far above a path the directory of its language is looked for: `en/admin/users/roles.json`. */
const MAX_CLIMB = 4;

/**
 * The directories that may be the root of the project that a path belongs to, the likeliest first: that of a
 * configuration alone; else that of a lock which knows files there; else, by the names on the way, the directory given
 * or the one that holds the directory of the path's language.
 *
 * @param path absolute, links resolved
 */
export async function rootsFor(path: string, isDirectory: boolean): Promise<readonly Root[]> {
  const start = isDirectory ? path : dirname(path);
  const loaded = await loadConfiguration(start);
  if (loaded) {
    const { file, configuration } = loaded;
    return [{ directory: dirname(file.path), configuration, configurationPath: file.path }];
  }
  const above = await directoriesAbove(start);
  const locked = await lockedAbove(above);
  const directories = new Set(locked === undefined ? [] : [locked]);
  if (locked !== start) for (const directory of likeliest(path, start, above)) directories.add(directory);
  return [...directories].map((directory) => ({
    directory,
    configuration: {},
    configurationPath: undefined,
  }));
}

/** The directory itself and those above it, up to the root of the repository or the user's home. */
async function directoriesAbove(start: string): Promise<readonly string[]> {
  const home = homedir();
  const directories: string[] = [];
  for (let at = start; ; at = dirname(at)) {
    directories.push(at);
    const isLast = at === home || at === dirname(at);
    if (isLast || (await stat(join(at, '.git')).catch(() => undefined))) return directories;
  }
}

/** The nearest directory whose lock was made of files in the first one, or beside it. */
async function lockedAbove([start = '', ...above]: readonly string[]): Promise<string | undefined> {
  for (const directory of [start, ...above]) {
    // What somebody else keeps above is no reason to stop: the lock that counts is read again.
    const text = await readLockText(join(directory, LOCK_NAME)).catch(() => undefined);
    if (text === undefined) continue;
    const inside = [start, dirname(start)].map((part) => relative(directory, part).split(sep).join('/'));
    if (inside.some((part) => part === '' || text.includes(`\n${escapePath(part)}/`))) return directory;
  }
  return undefined;
}

function likeliest(path: string, start: string, above: readonly string[]): readonly string[] {
  const named = above.slice(0, Math.min(MAX_CLIMB, above.length - 1)).find(namesLanguage);
  if (named === undefined) return [start];
  const outer = dirname(named);
  if (path === start) return [start, outer];
  // `it/app/en.json` names its language itself: `it` may be called so by chance.
  const byItself = named !== start && readPath(basename(path)).length > 0;
  return byItself ? [start, outer] : [outer, start];
}

function namesLanguage(directory: string): boolean {
  const name = basename(directory);
  if (/^values(?:-|$)/.test(name) || name.endsWith('.lproj')) return true;
  return parseLocale(name) !== undefined;
}
