import { open, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { writeAtomically } from '../../base/atomic-file.ts';
import { DragomanError } from '../../base/errors.ts';
import { typeAt } from '../../base/file-facts.ts';
import { requireUnreserved } from '../../base/inside.ts';
import { reasonOf } from '../../base/system-error.ts';
import type { Digest } from '../../base/digest.ts';
import { mergeHeaders } from './project-root.ts';
import { type JournalContent, journalPath, readProjectJournal } from './journal.ts';
import { Lock, LOCK_NAME, parseLock, readLockText, serializeLock } from './lock.ts';
import { isPast, type Project } from './project.ts';
import { findRemovedSources, type RemovedSource } from './removed-sources.ts';

/** The stored state of a project. */
export interface StoredState {
  /** With the lines of earlier locks, and with the records that an interrupted run intended to add. */
  readonly lock: Lock;
  /** The text of the lock as it is on disk; undefined: there is none. */
  readonly text: string | undefined;
  /** The journal of an interrupted run; undefined if there is none. */
  readonly journal: JournalContent | undefined;
  /** Translations whose sources are gone: their lines stay in the lock, which shows whose they are. */
  readonly removed: readonly RemovedSource[];
}

/**
 * Reads lock and journal of a project. Changes nothing on disk.
 *
 * @param isKnown lines that need not be checked again, see {@link parseLock}
 * @throws DragomanError `configuration` with file and line for a lock that cannot be used.
 */
export async function loadState(
  project: Project,
  stateDirectory: string | undefined,
  isKnown?: (lines: Digest) => boolean,
): Promise<StoredState> {
  const text = await readLockText(project.lockPath);
  const lock = parseLockOf(project.lockPath, text ?? '', isKnown);
  for (const { path, directory } of project.earlierLocks) {
    const earlier = parseLockOf(path, (await readLockText(path)) ?? '');
    for (const line of earlier.lines()) lock.add({ ...line, file: `${directory}/${line.file}` });
  }
  lock.header = mergeHeaders(lock.header, project.earlierLocks);
  const journal = await readProjectJournal(project.root, stateDirectory);
  for (const line of journal?.lines ?? []) lock.add({ ...line, intended: true });
  return { lock, text, journal, removed: findRemovedSources(project, lock) };
}

function parseLockOf(path: string, text: string, isKnown?: (lines: Digest) => boolean): Lock {
  try {
    return parseLock(text, isKnown);
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(path) : error;
  }
}

/** Whether state is left that only a run can bring into place: of an interrupted run, or of earlier versions. */
export function hasUnfinished({ root, earlierLocks }: Project, stateDirectory: string | undefined): boolean {
  if (earlierLocks.length > 0) return true;
  return stateDirectory !== undefined && typeAt(journalPath(root, stateDirectory)) !== undefined;
}

/** Whether the state files of a project are valid, as far as that does not depend on target values. */
export function isUpToDate(project: Project, { lock, text, journal, removed }: StoredState): boolean {
  return (
    journal === undefined && project.earlierLocks.length === 0 && text === lockText(project, lock, removed)
  );
}

function lockText(project: Project, lock: Lock, removed: readonly RemovedSource[]): string {
  const { configuration, targets, source } = project;
  const all = configuration.targets ?? [...new Set([...lock.header.targets, ...targets])];
  const kept = new Set(removed.map((one) => one.source));
  return serializeLock(lock, { source, targets: all }, (file) => !isPast(project, file) || kept.has(file));
}

/**
 * Writes the lock, unless it reads so already, and then removes the earlier ones that are merged into it: a kill between
 * leaves both, which merge into the same again.
 *
 * @param before the lock as it is on disk
 * @param removed see {@link StoredState.removed}
 * @returns the lock as it is on disk now
 * @throws DragomanError `unwritable_output`
 */
export async function saveLock(
  project: Project,
  lock: Lock,
  before: string | undefined,
  removed = findRemovedSources(project, lock),
): Promise<string> {
  const text = lockText(project, lock, removed);
  if (text !== before) {
    requireUnreserved(project.root, project.lockPath, 'unwritable_output');
    await writeAtomically(project.lockPath, text);
  }
  if (project.earlierLocks.length === 0) return text;
  await syncDirectory(project.root);
  for (const { path } of project.earlierLocks) {
    await rm(path, { force: true }).catch((error: unknown) => {
      throw new DragomanError('unwritable_output', `cannot remove ${path}: ${reasonOf(error)}`, {
        hint: `Its lines are in ${project.lockPath} now: delete it.`,
        cause: error,
      });
    });
  }
  return text;
}

/**
 * Gives a directory that becomes a separate project a lock with the records of its files. It is written before the
 * directory is marked; until then it counts as an earlier lock, and would merge into the project's lock again.
 *
 * @param directory absolute
 * @throws DragomanError `configuration` for a lock that cannot be used, `unwritable_output`.
 */
export async function detachLock(project: Project, directory: string): Promise<void> {
  const { lock } = await loadState(project, undefined);
  const prefix = `${relative(project.root, directory).split(sep).join('/')}/`;
  const own = new Lock(lock.header);
  for (const line of lock.lines()) {
    if (line.file.startsWith(prefix)) own.add({ ...line, file: line.file.slice(prefix.length) });
  }
  if (!own.isEmpty) await writeAtomically(join(directory, LOCK_NAME), serializeLock(own));
}

/** A power cut must not undo the renaming of the new lock and keep the removal of an earlier one. */
async function syncDirectory(path: string): Promise<void> {
  // Not every system can open a directory: there the order is its own affair.
  const handle = await open(path, 'r').catch(() => undefined);
  try {
    await handle?.sync().catch(() => undefined);
  } finally {
    await handle?.close();
  }
}
