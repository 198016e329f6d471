import { basename, dirname, join } from 'node:path';
import { readIfThere } from '../base/bounded-read.ts';
import { DragomanError } from '../base/errors.ts';
import { findWorkTree } from './work-tree.ts';

/** In bytes. Each branch and each remote adds a few lines. */
const MAX_CONFIGURATION = 4 * 1024 * 1024;

/**
 * The possible names of a repository, the one shared by all clones first: the last part of the address of `origin`,
 * then the directory that it was created in, which linked work trees share. The name proves nothing, because anyone can
 * choose it.
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

/** Parsed here, because starting git costs too much for a name, and git would follow included files. */
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
