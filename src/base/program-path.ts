import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { entryAt, realPathAt, typeAt } from './file-facts.ts';
import { isInside } from './inside.ts';

type Environment = Readonly<NodeJS.ProcessEnv>;

/**
 * The directories of `PATH` in which this program looks for others: absolute and, after links are resolved, outside the
 * checkout around `directory` and outside `node_modules`. npm puts the project's `node_modules/.bin` first, and a
 * checkout must not decide which program is started.
 */
function programDirectories(env: Environment, directory: string): readonly string[] {
  const isOwn = outside(directory);
  return (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((path) => {
    return isAbsolute(path) && typeAt(path) === 'directory' && isOwn(path);
  });
}

/**
 * The environment for programs that look for others: its `PATH` has the directories that {@link findProgram} searches.
 */
export function withOwnPath(env: Environment, directory: string): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(([name]) => name.toUpperCase() !== 'PATH');
  return { ...Object.fromEntries(others), PATH: programDirectories(env, directory).join(delimiter) };
}

/**
 * The absolute path of a program, but never of one in the checkout around `directory` or in a package. For a bare name,
 * Windows would use a program in the working directory.
 *
 * @returns undefined if PATH lacks it
 */
export function findProgram(name: string, env: Environment, directory: string): string | undefined {
  const isOwn = outside(directory);
  return programDirectories(env, directory)
    .map((path) => join(path, name))
    .find((path) => typeAt(path) === 'file' && isOwn(path));
}

/** Whether an existing path belongs neither to the checkout around a directory nor to packages of a project. */
function outside(directory: string): (path: string) => boolean {
  const checkout = checkoutAround(resolve(directory));
  return (path) => {
    const real = realPathAt(path);
    const isPackaged = [path, real].some((one) => /[/\\]node_modules(?:[/\\]|$)/.test(one));
    return !isPackaged && !(checkout !== undefined && isInside(checkout, real));
  };
}

/** Directories of version control, which only a checkout contains. In worktrees, `.git` is a file. */
const OF_CHECKOUTS = ['.git', '.hg', '.svn', '.jj', '.bzr'];

/**
 * The outermost directory under version control; undefined without one, because services start in `/`, which contains
 * the system's programs. Ignores the home directory and the root of a disk, which some users keep in git.
 */
function checkoutAround(directory: string): string | undefined {
  const home = homedir();
  const start = typeAt(directory) === undefined ? directory : realPathAt(directory);
  let found: string | undefined;
  for (let at = start; dirname(at) !== at; at = dirname(at))
    if (at !== home && OF_CHECKOUTS.some((name) => entryAt(join(at, name)) !== undefined)) found = at;
  return found;
}
