import { accessSync, constants, fstatSync, mkdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { link, lstat, open, readdir, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DragomanError } from './errors.ts';
import { isLink } from './inside.ts';
import { isAlive } from './process-life.ts';
import { systemError } from './system-error.ts';

/** The whole content, or its pieces in order. */
export type FileContent = Uint8Array | string | AsyncIterable<string | Uint8Array>;

export interface AtomicWriteOptions {
  /**
   * True: never replaces a file, not even one written meanwhile. If set, even to false: removes leftovers of earlier
   * runs that began to create the file.
   */
  readonly isNew?: boolean | undefined;
}

/**
 * Replaces the content of a file, or creates it with its directories: at every moment the path holds the old bytes or
 * the new ones, both complete and on disk. Keeps mode and owner. If the path is a symbolic link, replaces its
 * destination. A process must not write the same path concurrently. Content in pieces is written as it arrives. If
 * producing it fails, the error is rethrown, and nothing is replaced.
 *
 * Does not use write-file-atomic: the leftovers of a killed process must have a name by which the next run can remove
 * them.
 *
 * @throws DragomanError `unwritable_output` with the path (read-only, not a file, no permission), with the old content
 * unchanged; `usage` for an existing file, with `isNew`
 */
export async function writeAtomically(
  path: string,
  content: FileContent,
  { isNew }: AtomicWriteOptions = {},
): Promise<void> {
  try {
    const target = resolveLink(path);
    const before = requireWritable(target);
    if (isNew && before) throw existingFileError(path);
    if (!before) mkdirSync(dirname(target), { recursive: true });
    if (isNew !== undefined) await removeAbandoned(target);
    const temporary = isNew ? ownTemporaryPath(target) : temporaryPath(target);
    const handle = await openNew(temporary);
    try {
      await writeWhole(handle, content, before);
      if (isNew) await publishNew(temporary, target, path);
      else await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Number of files that this process started to create. */
let begun = 0;

/**
 * The path to which only this process writes the unfinished bytes of `path`: several processes may be creating the same
 * file, and none touches another's file. {@link removeAbandoned} removes it if the process was killed.
 */
export function ownTemporaryPath(path: string): string {
  return temporaryPath(`${path}.${process.pid}.${++begun}`);
}

/** The temporary files of dead processes, by directory. Each directory is searched once. */
const abandoned = new Map<string, Promise<readonly string[]>>();

/** Removes files that dead processes left under {@link ownTemporaryPath} of this path. */
export async function removeAbandoned(path: string): Promise<void> {
  const directory = dirname(path);
  let left = abandoned.get(directory);
  if (!left) {
    left = listAbandoned(directory);
    abandoned.set(directory, left);
  }
  const start = `.${basename(path)}.`;
  for (const name of await left) {
    const isOfPath = name.startsWith(start) && OWN_TEMPORARY.exec(name)?.index === start.length - 1;
    if (isOfPath) await rm(join(directory, name), { force: true }).catch(() => undefined);
  }
}

const OWN_TEMPORARY = /\.(\d{1,10})\.\d{1,15}\.dragoman-tmp$/;

async function listAbandoned(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => []);
  const left: string[] = [];
  for (const name of names) {
    const pid = OWN_TEMPORARY.exec(name)?.[1];
    if (pid !== undefined && (await isAbandoned(join(directory, name), Number(pid)))) left.push(name);
  }
  return left;
}

/**
 * Containers often give the process the same id in each run: a file with this process's id that is older than the
 * process belongs to another run.
 */
async function isAbandoned(path: string, pid: number): Promise<boolean> {
  const info = await lstat(path).catch(() => undefined);
  if (!info?.isFile()) return false;
  return pid === process.pid ? info.mtimeMs < performance.timeOrigin : !isAlive(pid);
}

/** Unlike a rename, a link does not replace a file. */
async function publishNew(temporary: string, target: string, path: string): Promise<void> {
  try {
    await link(temporary, target);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw existingFileError(path);
    // The file system does not support links.
    if (statSync(target, { throwIfNoEntry: false })) throw existingFileError(path);
    return rename(temporary, target);
  }
  await rm(temporary, { force: true });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** The error for a result that would replace a file. */
export function existingFileError(path: string): DragomanError {
  return new DragomanError('usage', `${path} already exists`, {
    hint: 'Replace it with --force, or name another place with -o.',
  });
}

/** A file that replaces another when it is complete. The code that opens it commits or discards it, once. */
export interface PendingFile {
  /** @throws DragomanError `unwritable_output` */
  write(text: string): Promise<void>;
  /** @throws DragomanError `unwritable_output`: the old content is unchanged, and the new one removed */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * Same as {@link writeAtomically}, for content written in pieces; the directory must exist.
 *
 * @throws DragomanError `unwritable_output`
 */
export async function openPending(path: string): Promise<PendingFile> {
  try {
    const target = resolveLink(path);
    const before = requireWritable(target);
    const temporary = temporaryPath(target);
    const handle = await openNew(temporary);
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
          if (before) await keepOwnership(handle, before);
          await handle.sync();
          await handle.close();
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
  return systemError('unwritable_output', `write ${path}`, error);
}

/** The path of the unfinished bytes of an interrupted write of `path`. Always the same, so that it can be removed. */
export function temporaryPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.dragoman-tmp`);
}

// Synchronous: an asynchronous call takes several times as long.

function resolveLink(path: string): string {
  return isLink(path) ? realpathSync.native(path) : path;
}

/** @returns the file's stats, if it exists */
function requireWritable(path: string): Stats | undefined {
  const info = statSync(path, { throwIfNoEntry: false });
  if (!info) return undefined;
  if (!info.isFile()) {
    throw new DragomanError('unwritable_output', `cannot write ${path}: it is not a regular file`);
  }
  // A rename needs no permission on the file, and root has every permission, so only the mode shows that the file must
  // not change.
  if ((info.mode & 0o222) === 0 || !mayWrite(path)) {
    throw new DragomanError('unwritable_output', `cannot write ${path}: the file is read-only`, {
      hint: 'Make it writable, or exclude it in the configuration.',
    });
  }
  return info;
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Opens a new file, after removing the leftovers of an interrupted write. */
async function openNew(path: string): Promise<FileHandle> {
  const flags = 'wx';
  try {
    return await open(path, flags, 0o666);
  } catch {
    await rm(path, { force: true });
    return open(path, flags, 0o666);
  }
}

async function writeWhole(
  handle: FileHandle,
  content: FileContent,
  before: Stats | undefined,
): Promise<void> {
  try {
    await writeFile(handle, content);
    if (before) await keepOwnership(handle, before);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function keepOwnership(handle: FileHandle, { mode, uid, gid }: Stats): Promise<void> {
  const now = fstatSync(handle.fd);
  // Only root can change the owner; for other users this may fail.
  if (now.uid !== uid || now.gid !== gid) await handle.chown(uid, gid).catch(() => undefined);
  if (now.mode !== mode) await handle.chmod(mode & 0o7777);
}

/** Waits until the content of a file, or the entries of a directory, are on disk. Windows cannot sync a directory. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    if (process.platform === 'win32') return undefined;
    throw error;
  });
  try {
    await handle?.sync();
  } catch (error) {
    if (process.platform !== 'win32') throw error;
  } finally {
    await handle?.close();
  }
}
