import { randomUUID } from 'node:crypto';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBounded } from '../../base/bounded-read.ts';
import { DragomanError } from '../../base/errors.ts';
import { entryAt, listAt } from '../../base/file-facts.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import { isAlive, startOfProcess } from '../../base/process-life.ts';
import { systemError } from '../../base/system-error.ts';
import { parseObject } from '../../base/json.ts';

export const SYNC_LOCK_NAME = '.dragoman-sync';

const MAX_BYTES = 4096;

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** The start time of the process according to the system, because a pid may be reused. */
  readonly started: string;
}

export interface SyncLockOptions {
  /** Milliseconds to wait while another sync is running. Default: 0. */
  readonly patience?: number | undefined;
  /** Aborts the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds between two checks. */
const PAUSE = 50;

/**
 * Lets only one sync at a time into a project, with a file next to the lock that names the process. The lock of an
 * ended process is taken over.
 *
 * @returns the release function: call it after the last write to the project
 * @throws DragomanError `configuration` if another sync is still running after the wait; `unwritable_output`,
 * `interrupted`
 */
export async function acquireSyncLock(
  path: string,
  { patience = 0, signal }: SyncLockOptions = {},
): Promise<() => Promise<void>> {
  // Set only if the sync has to wait, because Node loads its clock on first use.
  let end: number | undefined;
  for (;;) {
    try {
      return await acquireNow(path);
    } catch (error) {
      if (!(error instanceof Occupied) || patience === 0) throw error;
      end ??= performance.now() + patience;
      if (performance.now() + PAUSE > end) throw error;
      await sleep(PAUSE);
      throwIfAborted(signal, 'interrupted while another sync was running');
    }
  }
}

class Occupied extends DragomanError {}

async function acquireNow(path: string): Promise<() => Promise<void>> {
  if (entryAt(path) === 'directory')
    throw new DragomanError('configuration', `${path} is a directory, but sync needs a file of that name`, {
      hint: 'Rename or remove the directory.',
    });
  const own: Holder = { pid: process.pid, host: hostname(), started: startOfProcess(process.pid) };
  const content = JSON.stringify({ ...own, id: randomUUID() });
  const mine = join(dirname(path), `${SYNC_LOCK_NAME}.${process.pid}.${randomUUID().slice(0, 8)}`);
  try {
    // Written first and then linked, so that readers always see the complete file.
    await writeFile(mine, content, { flag: 'wx', mode: 0o600 });
    try {
      if (!(await claim(mine, path))) {
        await removeStale(path);
        if (!(await claim(mine, path))) throw occupied(path, await readHolder(path));
      }
    } finally {
      await rm(mine, { force: true });
    }
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    throw systemError('unwritable_output', `write ${path}`, error);
  }
  return async () => {
    const now = await readBounded(path, { limit: MAX_BYTES }).catch(() => undefined);
    if (now?.toString('utf8') === content) await rm(path, { force: true });
  };
}

/** Removes the files of processes that were killed while they held or claimed the lock. */
export async function removeStaleSyncLocks(path: string): Promise<void> {
  for (const entry of listDirectory(dirname(path))) {
    const { name } = entry;
    if (!entry.isFile() || !name.startsWith(basename(path))) continue;
    const left = join(dirname(path), name);
    const [, pid] = /\.(\d+)\.[0-9a-f]{8}$/.exec(name) ?? [];
    const holder = await readHolder(left);
    // A file that is still being written has no content yet, but its name identifies the process.
    const owner =
      holder ?? (pid === undefined ? undefined : { pid: Number(pid), host: hostname(), started: '' });
    if (owner && !isHeld(owner)) await rm(left, { force: true });
  }
}

function listDirectory(path: string): ReturnType<typeof listAt> {
  try {
    return listAt(path);
  } catch {
    return [];
  }
}

async function claim(mine: string, path: string): Promise<boolean> {
  try {
    await link(mine, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function removeStale(path: string): Promise<void> {
  const holder = await readHolder(path);
  if (holder && isHeld(holder)) throw occupied(path, holder);
  const aside = `${path}.${randomUUID().slice(0, 8)}`;
  await rename(path, aside).catch(() => undefined);
  const taken = await readHolder(aside);
  // Another process may have taken the lock between the check and the renaming, so put it back.
  if (taken && isHeld(taken)) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

function occupied(path: string, holder: Holder | undefined): Occupied {
  const who = holder ? ` (process ${holder.pid} on ${holder.host})` : '';
  return new Occupied('configuration', `another sync is running in this project${who}`, {
    hint: `Wait until it is done. If no sync is running, delete ${path}.`,
  });
}

/** Processes of other machines cannot be checked, so they count as alive. */
function isHeld({ pid, host, started }: Holder): boolean {
  return host !== hostname() || isAlive(pid, started);
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const text = (await readBounded(path, { limit: MAX_BYTES })).toString('utf8');
    const { pid, host, started } = parseObject(text) ?? {};
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof started !== 'string') return undefined;
    return { pid, host, started };
  } catch {
    return undefined;
  }
}
