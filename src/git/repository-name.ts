import { basename, dirname, join } from 'node:path';
import { readIfThere } from '../base/bounded-read.ts';
import { DragomanError } from '../base/errors.ts';
import { findWorkTree } from './work-tree.ts';

/** Bytes: some for each branch and each remote repository. */
const MAX_CONFIGURATION = 4 * 1024 * 1024;

/**
 * The names of a repository, the one that all of its clones have first: the last part of the address of `origin`, and the
 * directory that it was made in, which linked work trees share. It proves nothing: anybody can
 * give a repository this name.
 *
 * @param directory absolute, links resolved
 * @returns none if the directory is not the top of a work tree
 */
export async function repositoryNames(directory: string): Promise<readonly string[]> {
  const workTree = await findWorkTree(directory);
  if (workTree?.top !== directory) return [];
  const { commonDirectory } = workTree;
  const isOfWorkTree = basename(commonDirectory) === '.git';
  const origin = originName(await readConfiguration(commonDirectory));
  return [
    ...(origin === undefined ? [] : [origin]),
    ...(isOfWorkTree ? [basename(dirname(commonDirectory))] : []),
  ];
}

async function readConfiguration(commonDirectory: string): Promise<string> {
  try {
    const bytes = await readIfThere(join(commonDirectory, 'config'), { limit: MAX_CONFIGURATION });
    return bytes?.toString('utf8') ?? '';
  } catch (error) {
    if (error instanceof DragomanError) return '';
    throw error;
  }
}

/** Read here, because a name is not worth a process, and git would follow what a configuration includes. */
function originName(configuration: string): string | undefined {
  let isOrigin = false;
  for (const line of configuration.split('\n')) {
    const text = line.trim();
    if (text.startsWith('[')) isOrigin = /^\[remote "origin"\]/i.test(text);
    const [, url] = (isOrigin && /^url\s*=\s*"?([^"]+)"?$/i.exec(text)) || [];
    const parts = url?.split(/[\\/:]/).filter((part) => !['', '.', '.git'].includes(part));
    const name = parts?.at(-1)?.replace(/\.git$/, '');
    if (name) return name;
  }
  return undefined;
}
