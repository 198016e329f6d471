import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
import { requireLocalizationPath } from '../discover/localization-path.ts';
import type { Selection } from '../plan/key-action.ts';
import type { OpenWorkspace } from '../plan/open-workspace.ts';
import type { Workspace } from '../plan/workspace.ts';
import type { Lock } from '../state/lock.ts';
import { fingerprint, lockKeys } from '../state/lock-line.ts';
import type { Project } from '../state/project.ts';
import type { RemovedSource } from '../state/removed-sources.ts';

/** The translations with missing sources that pruning removes: all, or those that only dragoman wrote. */
export async function prunableFiles(
  { workspace, removed }: OpenWorkspace,
  { prune, keys }: Selection,
): Promise<readonly RemovedSource[]> {
  if (prune === undefined || keys !== undefined) return [];
  const { targets, selects } = workspace.project;
  const prunable: RemovedSource[] = [];
  for (const one of removed) {
    const isSelected = targets.includes(one.locale) && selects(one.target);
    if (isSelected && (prune === 'all' || (await isOurs(workspace, one)))) prunable.push(one);
  }
  return prunable;
}

/** Whether the lock shows that we wrote every text of a file. */
async function isOurs(
  workspace: Workspace,
  { source, locale, target, like }: RemovedSource,
): Promise<boolean> {
  const records = workspace.lock.section(source, locale);
  try {
    const { document } = await workspace.openLike(like, target, locale);
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

/** @throws DragomanError `unwritable_output`, `unreadable_input` for a path outside the project */
export async function pruneFiles(
  { root }: Project,
  lock: Lock,
  files: readonly RemovedSource[],
): Promise<void> {
  for (const { source, locale, target } of files) {
    requireLocalizationPath(root, target, source);
    try {
      await rm(join(root, target), { force: true });
    } catch (cause) {
      const message = `cannot remove ${target}: ${reasonOf(cause)}`;
      throw new DragomanError('unwritable_output', message, { cause });
    }
    lock.update(source, locale, new Map([...lock.section(source, locale).keys()].map((key) => [key, []])));
  }
}
