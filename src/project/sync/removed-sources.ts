import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
import { openFile } from '../../documents/localization/open-file.ts';
import { requireLocalizationPath } from '../discover/localization-path.ts';
import { readingOf } from '../discover/resource.ts';
import type { Selection } from '../plan/key-action.ts';
import type { Lock } from '../state/lock.ts';
import { fingerprint, lockKeys } from '../state/lock-line.ts';
import type { Project } from '../state/project.ts';
import { findRemovedSources, type RemovedSource } from '../state/removed-sources.ts';

/** Of the translations whose sources are gone, those that pruning removes: all, or those that only dragoman wrote. */
export async function prunableFiles(
  project: Project,
  lock: Lock,
  { prune, keys }: Selection,
): Promise<readonly RemovedSource[]> {
  if (prune === undefined || keys !== undefined) return [];
  const prunable: RemovedSource[] = [];
  for (const one of findRemovedSources(project, lock)) {
    const isSelected = project.targets.includes(one.locale) && project.selects(one.target);
    if (isSelected && (prune === 'all' || (await isOurs(project, lock, one)))) prunable.push(one);
  }
  return prunable;
}

/** Whether every text of a file is as the lock says that we wrote it. */
async function isOurs({ root }: Project, lock: Lock, removed: RemovedSource): Promise<boolean> {
  const { source, locale, target, like } = removed;
  const records = lock.section(source, locale);
  try {
    const { document } = await openFile(join(root, target), { ...readingOf(like), locale });
    const ids = lockKeys(document);
    return document.slots.every(
      ({ value }, i) =>
        value === '' ||
        records.get(ids[i] ?? '')?.some(({ output }) => output === fingerprint(value)) === true,
    );
  } catch (error) {
    if (error instanceof DragomanError) return false;
    throw error;
  }
}

/** @throws DragomanError `unwritable_output`, `unreadable_input` for a place outside of the project */
export async function pruneFiles(
  { root }: Project,
  lock: Lock,
  files: readonly RemovedSource[],
): Promise<void> {
  for (const { source, locale, target } of files) {
    requireLocalizationPath(root, target, source, 'unwritable_output');
    try {
      await rm(join(root, target), { force: true });
    } catch (cause) {
      const message = `cannot remove ${target}: ${reasonOf(cause)}`;
      throw new DragomanError('unwritable_output', message, { cause });
    }
    lock.update(source, locale, new Map([...lock.section(source, locale).keys()].map((key) => [key, []])));
  }
}
