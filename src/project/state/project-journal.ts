import { hash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { typeAt } from '../../base/file-facts.ts';
import { reasonOf } from '../../base/system-error.ts';
import { Journal, readJournal, type JournalContent, type JournalScope } from './journal.ts';
import type { Project } from './project.ts';

/**
 * Where earlier versions kept the journal, in the checkout. It is never read, because a checkout may bring a forged
 * one.
 */
const EARLIER_NAME = '.dragoman-journal';

/**
 * The journal of a project, in the user's state directory: no checkout can bring one along, and two checkouts of one
 * project have one each.
 *
 * @param root absolute, links resolved
 */
export function journalPath(root: string, stateDirectory: string): string {
  return join(stateDirectory, 'projects', hash('sha256', root, 'hex').slice(0, 32), 'journal');
}

/** The journal of an interrupted run; undefined when there is none, or no state directory. */
export async function readProjectJournal(
  root: string,
  stateDirectory: string | undefined,
): Promise<JournalContent | undefined> {
  return stateDirectory === undefined ? undefined : readJournal(journalPath(root, stateDirectory));
}

/** Whoever opens it closes it, or finishes it. @throws DragomanError `unwritable_output` when there can be none. */
export async function openProjectJournal(
  root: string,
  stateDirectory: string | undefined,
  scope: JournalScope,
): Promise<Journal> {
  if (stateDirectory === undefined) {
    throw new DragomanError('unwritable_output', 'there is no directory for the journal of the run', {
      hint: 'Set HOME or XDG_STATE_HOME to a directory that can be written to.',
    });
  }
  const path = journalPath(root, stateDirectory);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DragomanError('unwritable_output', `cannot create ${dirname(path)}: ${reasonOf(error)}`, {
      hint: 'Make it writable, or set XDG_STATE_HOME to another directory.',
      cause: error,
    });
  }
  return Journal.open(path, scope);
}

/** The journals that earlier versions left in a checkout, beside a lock. Absolute. */
export function earlierJournals({ lockPath, earlierLocks }: Project): readonly string[] {
  return [lockPath, ...earlierLocks.map(({ path }) => path)]
    .map((path) => join(dirname(path), EARLIER_NAME))
    .filter((path) => typeAt(path) !== undefined);
}
