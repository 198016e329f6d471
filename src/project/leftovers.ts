import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Removes the unfinished temporary files that a killed run left beside the targets it was about to write: the names
 * that write-file-atomic gives them.
 *
 * @param targets as the journal names them, relative to the root
 */
export async function removeLeftovers(root: string, targets: readonly string[]): Promise<void> {
  const names = new Map<string, Set<string>>();
  for (const target of targets) {
    const directory = dirname(join(root, target));
    const own = names.get(directory) ?? new Set<string>();
    names.set(directory, own.add(basename(target)));
  }
  for (const [directory, own] of names) {
    for (const name of await readdir(directory).catch(() => [])) {
      const original = /^(.+)\.\d{5,10}$/.exec(name)?.[1];
      if (original === undefined || !own.has(original)) continue;
      const path = join(directory, name);
      if ((await stat(path).catch(() => undefined))?.isFile()) await rm(path, { force: true });
    }
  }
}
