import { dirname, join, resolve } from 'node:path';
import { readBounded, readIfThere } from '../base/bounded-read.ts';
import { realPathAt, typeAt } from '../base/file-facts.ts';

/** The locations of a work tree and its repository; absolute, links resolved. */
export interface WorkTree {
  readonly top: string;
  /**
   * `.git`, or the directory that the `.git` file of a linked work tree or submodule names: contains HEAD and the
   * index.
   */
  readonly gitDirectory: string;
  /** Contains the objects and branches; differs from `gitDirectory` in linked work trees. */
  readonly commonDirectory: string;
}

/** Maximum size of a `.git` or `commondir` file. */
const MAX_POINTER = 64 * 1024;

/**
 * The work tree that contains a directory, found by its nearest `.git`. A directory that only looks like a repository
 * never counts, because a checkout may contain one. Settings such as `core.worktree` are ignored.
 *
 * @param directory absolute, links resolved
 * @returns undefined without a `.git`, and if it leads to no repository
 */
export async function findWorkTree(directory: string): Promise<WorkTree | undefined> {
  for (let top = directory; ; top = dirname(top)) {
    const type = typeAt(join(top, '.git'));
    if (type !== undefined) return openWorkTree(top, type === 'directory').catch(() => undefined);
    if (top === dirname(top)) return undefined;
  }
}

async function openWorkTree(top: string, isDirectory: boolean): Promise<WorkTree | undefined> {
  const place = join(top, '.git');
  const pointer = isDirectory ? '.git' : await readPointer(place);
  if (pointer === undefined) return undefined;
  const gitDirectory = realPathAt(resolve(top, pointer));
  const common = await readIfThere(join(gitDirectory, 'commondir'), { limit: MAX_POINTER });
  const commonDirectory = common ? realPathAt(resolve(gitDirectory, pathIn(common))) : gitDirectory;
  const isRepository =
    typeAt(join(gitDirectory, 'HEAD')) === 'file' &&
    ['objects', 'refs'].every((name) => typeAt(join(commonDirectory, name)) === 'directory');
  return isRepository ? { top, gitDirectory, commonDirectory } : undefined;
}

/** Reads a `.git` file, which has one line: `gitdir: PATH`. */
async function readPointer(file: string): Promise<string | undefined> {
  return /^gitdir: (.+)$/s.exec(pathIn(await readBounded(file, { limit: MAX_POINTER })))?.[1];
}

function pathIn(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/[\r\n]+$/, '');
}
