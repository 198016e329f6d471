import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  type Stats,
} from 'node:fs';
import * as modules from 'node:module';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Environment } from './http/proxy.ts';
import { isInside } from './inside.ts';
import { cacheDirectory } from './user-directories.ts';

/** Functions available since Node 22.1. */
interface CompileCache {
  readonly enableCompileCache?: (directory: string) => unknown;
  readonly getCompileCacheDir?: () => string | undefined;
}

const { enableCompileCache, getCompileCacheDir }: typeof modules & CompileCache = modules;

/** How many directories to keep: each is for one command, build and Node version, and takes about 2 MB. */
const MOST = 16;
/** Larger than the number of chunks in a build. On a full disk, each run of Node leaves temporary files behind. */
const MOST_FILES = 500;

/**
 * Lets Node load the compiled code of an earlier run instead of compiling modules again. A user's own settings for this
 * take precedence. Never throws: without a usable directory, modules are compiled.
 *
 * @param command each has its own directory, because Node keeps the functions that the first run used
 */
export function reuseCompiledCode(command: string, env: Environment, cwd: string): void {
  if (!enableCompileCache || env['NODE_COMPILE_CACHE'] || env['NODE_DISABLE_COMPILE_CACHE']) return;
  try {
    const directory = openCompiledCode(command, { env, cwd, program: import.meta.filename });
    if (directory !== undefined) enableCompileCache(directory);
  } catch {
    // The home directory is read-only, or the disk is full.
  }
}

/** The variable with which a worker uses the directory of this process. */
export function compiledCodeVariable(): { readonly NODE_COMPILE_CACHE?: string } {
  const directory = getCompileCacheDir?.();
  // Node returns a subdirectory of the directory that was set.
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) };
}

interface CompiledCodeOptions {
  readonly env: Environment;
  readonly cwd: string;
  /** A file whose name changes with each build. */
  readonly program: string;
}

/**
 * Creates the directory for compiled code, and removes the oldest ones. Undefined if anybody else could put code there:
 * other users, or the author of a checkout or archive around the current directory.
 */
export function openCompiledCode(
  command: string,
  { env, cwd, program }: CompiledCodeOptions,
): string | undefined {
  const cache = cacheDirectory(env);
  if (cache === undefined) return undefined;
  const all = join(cache, 'compiled');
  const name = [command, basename(program, '.js'), statSync(program).ino, process.version].join('-');
  const directory = join(all, name);
  const home = realpathSync(env['HOME'] ?? homedir());
  if (!isOnlyOurs(directory, { cwd: realpathSync(cwd), home })) return undefined;
  if (existsSync(directory) && readdirSync(directory, { recursive: true }).length > MOST_FILES)
    rmSync(directory, { recursive: true, force: true });
  if (mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined) removeOldest(all);
  return directory;
}

/** Checks the existing part of a path: the rest will be created. */
function isOnlyOurs(path: string, { cwd, home }: { readonly cwd: string; readonly home: string }): boolean {
  let existing = path;
  while (!existsSync(existing)) existing = dirname(existing);
  for (let place = realpathSync(existing); ; place = dirname(place)) {
    // Any directory above the current one may be the root of a project, except for the home directory.
    if (place === cwd || (isInside(place, cwd) && !isInside(place, home))) return false;
    if (existsSync(join(place, '.git')) || !isPrivate(lstatSync(place))) return false;
    if (place === dirname(place)) return true;
  }
}

/** Whether no other user can replace the entries of a directory. On Windows, each user has a private directory. */
function isPrivate({ uid, mode }: Stats): boolean {
  if (process.getuid === undefined) return true;
  const isSharedSafely = uid === 0 && (mode & 0o1000) !== 0;
  return (uid === 0 || uid === process.getuid()) && ((mode & 0o022) === 0 || isSharedSafely);
}

function removeOldest(all: string): void {
  const made = readdirSync(all).map((name) => ({
    path: join(all, name),
    time: lstatSync(join(all, name)).mtimeMs,
  }));
  const old = made.toSorted((a, b) => b.time - a.time).slice(MOST);
  for (const { path } of old) rmSync(path, { recursive: true, force: true });
}
