import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../../base/atomic-file.ts';
import { DragomanError } from '../../base/errors.ts';
import { requireInside } from '../../base/inside.ts';
import { lockedFile } from '../discover/resource.ts';
import type { Digest } from './digest.ts';
import { JOURNAL_NAME, readJournal, type JournalContent } from './journal.ts';
import { parseLock, readLockText, serializeLock, type Lock } from './lock.ts';
import type { Project } from './project.ts';

/** What earlier runs left of a project. */
export interface StoredState {
  /** With what a run that was cut off meant to add. */
  readonly lock: Lock;
  /** As it is on disk; undefined when there is none. */
  readonly text: string | undefined;
  /** What an earlier run left that was cut off. */
  readonly journal: JournalContent | undefined;
}

/**
 * @param isKnown lines that need not be checked again, see {@link parseLock}
 * @throws DragomanError `configuration` for a lock that cannot be used, with file and line
 */
export async function loadState(
  project: Project,
  isKnown?: (lines: Digest) => boolean,
): Promise<StoredState> {
  const text = await readLockText(project.lockPath);
  const lock = parseOwnLock(project, text ?? '', isKnown);
  separateCatalogues(project, lock);
  const journal = await readJournal(join(project.root, JOURNAL_NAME));
  for (const line of journal?.lines ?? []) lock.add(line);
  return { lock, text, journal };
}

/** Earlier versions had the records of catalogues without a template under the first of them. */
function separateCatalogues({ resources }: Project, lock: Lock): void {
  for (const resource of resources) {
    if (resource.carriesSource !== true) continue;
    for (const [own, path] of resource.existing) {
      for (const locale of lock.localesOf(path).filter((other) => other !== own)) {
        const file = lockedFile(resource, locale);
        const records = new Map(lock.section(path, locale));
        if (lock.section(file, locale).size === 0) lock.replace(file, locale, records);
        lock.replace(path, locale, new Map());
      }
    }
  }
}

function parseOwnLock(project: Project, text: string, isKnown?: (lines: Digest) => boolean): Lock {
  try {
    return parseLock(text, isKnown);
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(project.lockPath) : error;
  }
}

/** Whether a run was cut off: then files and lock are not what they would have become. */
export function isInterrupted({ root }: Project): boolean {
  return existsSync(join(root, JOURNAL_NAME));
}

/** Whether the files of a project's state are what they should be, as far as that does not depend on the targets' values. */
export function isSettled(project: Project, { lock, text, journal }: StoredState): boolean {
  return journal === undefined && text === lockText(lock, project);
}

function lockText(lock: Lock, project: Project): string {
  const { configuration, targets, source, sources } = project;
  const all = configuration.targets ?? [...new Set([...lock.header.targets, ...targets])];
  return serializeLock(lock, { source, targets: all }, (file) => sources.has(file));
}

/**
 * @param before what is on disk: nothing is written when it is the same
 * @returns what is on disk now
 * @throws DragomanError `unwritable_output`
 */
export async function saveLock(project: Project, lock: Lock, before: string | undefined): Promise<string> {
  const text = lockText(lock, project);
  if (text === before) return text;
  await requireInside(project.root, project.lockPath, 'unwritable_output');
  await writeAtomically(project.lockPath, text);
  return text;
}
