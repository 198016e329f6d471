import { rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { syncPath, writeAtomically } from '../../base/atomic-file.ts';
import { inFile } from '../../base/errors.ts';
import { typeAt } from '../../base/file-facts.ts';
import { requireUnreserved } from '../../base/inside.ts';
import { systemError } from '../../base/system-error.ts';
import type { Digest } from '../../base/digest.ts';
import { mergeHeaders } from './project-root.ts';
import { type JournalContent, journalPath, readJournal } from './journal.ts';
import { Lock, LOCK_NAME, parseLock, readLockText, serializeLock } from './lock.ts';
import { isObsolete, type Project } from './project.ts';
import { findRemovedSources, type RemovedSource } from './removed-sources.ts';

/** The stored state of a project. */
export interface StoredState {
  /** Includes the lines of earlier locks, and the records that an interrupted run intended to add. */
  readonly lock: Lock;
  /** The text of the lock on disk; undefined if it does not exist. */
  readonly text: string | undefined;
  /** The journal of an interrupted run; undefined without one. */
  readonly journal: JournalContent | undefined;
  /** Translations whose sources are gone. Their lines stay in the lock, because they record who wrote them. */
  readonly removed: readonly RemovedSource[];
}

/**
 * Reads the lock and the journal of a project. Changes nothing on disk.
 *
 * @param isKnown lines that need no validation (see {@link parseLock})
 * @throws DragomanError `configuration` with the file and line for an unusable lock
 */
export async function loadState(
  project: Project,
  stateDirectory: string | undefined,
  isKnown?: (lines: Digest) => boolean,
): Promise<StoredState> {
  const { text, lock } = await readLock(project.lockPath, isKnown);
  for (const { path, directory } of project.earlierLocks) {
    const earlier = await readLock(path);
    for (const line of earlier.lock.lines()) lock.add({ ...line, file: `${directory}/${line.file}` });
  }
  lock.header = mergeHeaders(lock.header, project.earlierLocks);
  const journal =
    stateDirectory === undefined ? undefined : await readJournal(journalPath(project.root, stateDirectory));
  for (const line of journal?.lines ?? []) lock.add({ ...line, intended: true });
  return { lock, text, journal, removed: findRemovedSources(project, lock) };
}

async function readLock(
  path: string,
  isKnown?: (lines: Digest) => boolean,
): Promise<Pick<StoredState, 'text' | 'lock'>> {
  const text = await readLockText(path);
  return { text, lock: inFile(path, () => parseLock(text ?? '', isKnown)) };
}

/** Whether an interrupted run or an earlier version left state that only a run can settle. */
export function hasUnfinished({ root, earlierLocks }: Project, stateDirectory: string | undefined): boolean {
  if (earlierLocks.length > 0) return true;
  return stateDirectory !== undefined && typeAt(journalPath(root, stateDirectory)) !== undefined;
}

/** Whether a project's state files are up to date, as far as this does not depend on target values. */
export function isUpToDate(project: Project, { lock, text, journal, removed }: StoredState): boolean {
  return (
    journal === undefined && project.earlierLocks.length === 0 && text === lockText(project, lock, removed)
  );
}

function lockText(project: Project, lock: Lock, removed: readonly RemovedSource[]): string {
  const { configuration, targets, source } = project;
  const all = configuration.targets ?? [...new Set([...lock.header.targets, ...targets])];
  const kept = new Set(removed.map((one) => one.source));
  return serializeLock(
    lock,
    { source, targets: all },
    (file) => !isObsolete(project, file) || kept.has(file),
  );
}

/**
 * Writes the lock if it has changed, then removes the earlier ones that were merged into it. A process killed in
 * between leaves both, which merge into the same lock again.
 *
 * @param before the current lock on disk
 * @param removed see {@link StoredState.removed}
 * @returns the new lock on disk
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
  // Otherwise a power cut could undo the renaming of the new lock but not the removal of an earlier one. Some file
  // systems cannot sync a directory; there, the order is not guaranteed.
  await syncPath(project.root).catch(() => undefined);
  for (const { path } of project.earlierLocks) {
    await rm(path, { force: true }).catch((error: unknown) => {
      const hint = `Its lines are in ${project.lockPath} now: delete it.`;
      throw systemError('unwritable_output', `remove ${path}`, error, hint);
    });
  }
  return text;
}

/**
 * Writes a lock for a directory that becomes a separate project, with the records of its files. Done before the
 * directory is marked; until then, the new lock counts as an earlier one, which would be merged into the project's lock
 * again.
 *
 * @param directory absolute
 * @throws DragomanError `configuration` for an unusable lock, `unwritable_output`
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
