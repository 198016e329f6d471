import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { takeLock, type ProcessLock } from '../store/sqlite/process-lock.ts';

/** A directory for one process's uploads and copies. */
export interface WorkDirectory {
  readonly path: string;
  remove(): Promise<void>;
}

const PREFIX = 'dragoman-serve-';
const LOCK = 'process';
/** A process locks its new directory within this time. */
const LOCKED_WITHIN_MS = 60_000;

/** Creates a directory below `parent`, and removes those of killed processes, whose locks the system has released. */
export async function makeWorkDirectory(parent: string): Promise<WorkDirectory> {
  // Leftovers are harmless.
  await removeAbandoned(parent).catch(() => undefined);
  const path = await mkdtemp(join(parent, PREFIX));
  const lock = takeLock(path, LOCK);
  return {
    path,
    async remove() {
      lock?.release();
      await rm(path, { recursive: true, force: true });
    },
  };
}

async function removeAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent);
  for (const name of names.filter((name) => name.startsWith(PREFIX)))
    await removeUnlocked(join(parent, name)).catch(() => undefined);
}

/** A directory without a lock file belongs to an older version of this program, which may still run. */
async function removeUnlocked(path: string): Promise<void> {
  const directory = await lstat(path);
  // Any user can write to the temporary directory, so the name may belong to a link or to another user's directory.
  if (!directory.isDirectory() || directory.uid !== process.getuid?.()) return;
  const file = await lstat(join(path, `${LOCK}.lock`));
  if (!file.isFile() || Date.now() - file.mtimeMs < LOCKED_WITHIN_MS) return;
  const lock: ProcessLock | undefined = takeLock(path, LOCK);
  if (!lock) return;
  lock.release();
  await rm(path, { recursive: true, force: true });
}
