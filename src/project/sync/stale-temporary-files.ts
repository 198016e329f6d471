import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryPath } from '../../base/atomic-file.ts';

/**
 * Removes the unfinished temporary files of writes that a killed run had begun.
 *
 * @param paths what it was about to write, relative to the root
 */
export async function removeStaleTemporaryFiles(root: string, paths: readonly string[]): Promise<void> {
  for (const path of new Set(paths)) {
    const target = join(root, path);
    // Where the target is a link, it is the file behind it that is replaced.
    const written = await realpath(target).catch(() => target);
    await rm(temporaryPath(written), { force: true });
  }
}
