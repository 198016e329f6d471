import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { DragomanError } from './errors.ts';
import { reasonOf } from './system-error.ts';

/**
 * Writes a file as a whole: whoever looks, also after a crash, sees the old content or the new. Makes missing
 * directories; keeps the mode and owner of a file that exists and writes through a symbolic link to its target.
 *
 * @throws DragomanError `unwritable_output` with the path; the old content is untouched then.
 */
export async function writeAtomically(path: string, content: Uint8Array | string): Promise<void> {
  try {
    if (await isReadOnly(path)) throw new Error('the file is read-only');
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, typeof content === 'string' ? content : Buffer.from(content));
  } catch (error) {
    throw new DragomanError('unwritable_output', `cannot write ${path}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** A rename replaces a read-only file without asking, so its owner's wish is looked at first. */
async function isReadOnly(path: string): Promise<boolean> {
  try {
    return ((await stat(path)).mode & 0o222) === 0;
  } catch {
    return false;
  }
}
