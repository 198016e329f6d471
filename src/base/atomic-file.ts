import { constants } from 'node:fs';
import {
  access,
  chmod,
  chown,
  lstat,
  mkdir,
  open,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DragomanError } from './errors.ts';
import { reasonOf } from './system-error.ts';

/** All of it, or its pieces in order. */
export type Content = Uint8Array | string | AsyncIterable<string>;

/**
 * Replaces the content of a file, or creates it with its directories: at every moment the path holds the old bytes or
 * the new ones, both complete and on disk. Mode and owner stay. A symbolic link stays a link: what it leads to is
 * replaced. One process writes one path at a time. Content that comes in pieces is written as it comes; what fails while
 * it is made is thrown as it is, and nothing was replaced.
 *
 * Not write-file-atomic: what a killed process leaves must have a name by which the next run can remove it.
 *
 * @throws DragomanError `unwritable_output` with the path (read-only, not a file, no permission); the old content is
 * untouched then.
 */
export async function writeAtomically(path: string, content: Content): Promise<void> {
  try {
    const target = await resolveLink(path);
    await mkdir(dirname(target), { recursive: true });
    const before = await requireWritable(target);
    const temporary = temporaryPath(target);
    await rm(temporary, { force: true });
    try {
      await writeWhole(temporary, content);
      if (before) await keepOwnership(temporary, before);
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** A file that takes its place when it is complete. Whoever opens it commits or discards it, once. */
export interface PendingFile {
  /** @throws DragomanError `unwritable_output` */
  write(text: string): Promise<void>;
  /** @throws DragomanError `unwritable_output`: the old content is untouched then, and nothing is left of the new. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * As {@link writeAtomically}, for what is written piece by piece; the directory has to be there.
 *
 * @throws DragomanError `unwritable_output`
 */
export async function openPending(path: string): Promise<PendingFile> {
  try {
    const target = await resolveLink(path);
    const before = await requireWritable(target);
    const temporary = temporaryPath(target);
    await rm(temporary, { force: true });
    const handle = await open(temporary, 'wx', 0o666);
    const discard = async (): Promise<void> => {
      await handle.close().catch(() => undefined);
      await rm(temporary, { force: true });
    };
    return {
      write: (text) =>
        handle.writeFile(text).catch((error: unknown) => {
          throw unwritable(path, error);
        }),
      commit: async () => {
        try {
          await handle.sync();
          await handle.close();
          if (before) await keepOwnership(temporary, before);
          await rename(temporary, target);
        } catch (error) {
          await discard();
          throw unwritable(path, error);
        }
      },
      discard,
    };
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): DragomanError {
  if (error instanceof DragomanError) return error;
  return new DragomanError('unwritable_output', `cannot write ${path}: ${reasonOf(error)}`, { cause: error });
}

/** Where a write of `path` that was cut off leaves its unfinished bytes. Always the same, so that it can be removed. */
export function temporaryPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.dragoman-tmp`);
}

async function resolveLink(path: string): Promise<string> {
  const info = await lstat(path).catch(() => undefined);
  return info?.isSymbolicLink() ? realpath(path) : path;
}

interface Before {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

async function requireWritable(path: string): Promise<Before | undefined> {
  const info = await stat(path).catch(() => undefined);
  if (!info) return undefined;
  if (!info.isFile()) {
    throw new DragomanError('unwritable_output', `cannot write ${path}: it is not a regular file`);
  }
  // A rename asks nobody for the file's own permission, and root has every permission: the mode says what is wanted.
  const readOnly = (info.mode & 0o222) === 0;
  if (readOnly || (await access(path, constants.W_OK).catch(() => 'refused')) === 'refused') {
    throw new DragomanError('unwritable_output', `cannot write ${path}: the file is read-only`, {
      hint: 'Make it writable, or exclude it in the configuration.',
    });
  }
  return { mode: info.mode & 0o7777, uid: info.uid, gid: info.gid };
}

async function writeWhole(path: string, content: Content): Promise<void> {
  const handle = await open(path, 'wx', 0o666);
  try {
    await writeFile(handle, content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function keepOwnership(path: string, before: Before): Promise<void> {
  const now = await stat(path);
  if (now.uid !== before.uid || now.gid !== before.gid) {
    // Only root can give files away; for others the new owner is what the system says.
    await chown(path, before.uid, before.gid).catch(() => undefined);
  }
  await chmod(path, before.mode);
}
