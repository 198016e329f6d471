import { dirname, join, resolve } from 'node:path';
import { readBounded, readIfThere } from '../base/bounded-read.ts';
import { realPathAt, typeAt } from '../base/file-facts.ts';

/** Where a work tree and its repository are; absolute, links resolved. */
export interface WorkTree {
  readonly top: string;
  /**
   * `.git`, or the directory that the `.git` file of a linked work tree or a submodule names: has HEAD and the index.
   */
  readonly gitDirectory: string;
  /** Has the objects and the branches; differs from the former in linked work trees. */
  readonly commonDirectory: string;
}

/** A path in a `.git` or a `commondir` file. */
const MAX_POINTER = 64 * 1024;

/**
 * The work tree that a directory lies in, found by its nearest `.git`. A directory that looks like a repository itself
 * never counts: a checkout may contain one. Nor does a configuration decide, such as `core.worktree`.
 *
 * @param directory absolute, links resolved
 * @returns undefined without a `.git`, and for one that leads to no repository
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

/** The path in a `.git` file, which has one line: `gitdir: PATH`. */
async function readPointer(file: string): Promise<string | undefined> {
  return /^gitdir: (.+)$/s.exec(pathIn(await readBounded(file, { limit: MAX_POINTER })))?.[1];
}

function pathIn(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/[\r\n]+$/, '');
}
