import { join } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { prunedKeys } from '../plan/key-action.ts';
import { listLanguage } from '../plan/key-list.ts';
import { beginRun, openWorkspace, reportUnchanged, type OpenWorkspace } from '../plan/open-workspace.ts';
import type { LanguageReport, SyncReport } from '../plan/report.ts';
import { surveyLanguage } from '../plan/survey-language.ts';
import type { Survey } from '../plan/survey.ts';
import type { Project } from '../state/project.ts';
import type { RemovedSource } from '../state/removed-sources.ts';
import { isUpToDate } from '../state/stored-state.ts';
import { acquireSyncLock, removeStaleSyncLocks, SYNC_LOCK_NAME } from '../state/sync-lock.ts';
import { prunableFiles } from './removed-sources.ts';
import { type SyncOptions, SyncRun } from './sync-run.ts';

/** How long to wait for the lock of a sync, in milliseconds: saving on the review page takes less. */
const PATIENCE = 2_000;

/**
 * Translates new and changed texts, language by language, and writes the files and the lock. If there is nothing to
 * do, it writes nothing. Finished work is kept if the run fails or is interrupted.
 *
 * @throws DragomanError `usage` without a target language, or if pruning would remove too much; `configuration` for an
 * unusable lock or a concurrent sync, `unreadable_input` if no source can be read, errors of opening the engine,
 * `unwritable_output` for the journal or the lock. If only some sources, targets or languages fail, the report contains
 * their errors.
 */
export async function syncProject(project: Project, options: SyncOptions): Promise<SyncReport> {
  if (project.targets.length === 0) {
    throw new DragomanError('usage', 'no target languages found', {
      hint: 'Name some with --target es,fr, or as `targets` in the configuration.',
    });
  }
  const syncLock = join(project.root, SYNC_LOCK_NAME);
  await removeStaleSyncLocks(syncLock);
  const { root, source } = project;
  const beginning = await beginRun(project, options);
  const unchanged = reportUnchanged(project, beginning);
  if (unchanged) return { root, source, languages: unchanged, interrupted: false };
  const opened = await openWorkspace(project, beginning);
  const prunable = await prunableFiles(opened, options);
  const idle = prunable.length > 0 ? undefined : await surveyUntilWork(project, options, opened);
  if (idle) {
    const { removed: removedSources } = opened;
    await opened.workspace.saveClean(removedSources.length > 0 ? undefined : opened.text);
    return { root, source, languages: idle, removedSources, interrupted: false };
  }
  opened.workspace.requireFiles();
  if (options.prune !== undefined && options.yes !== true)
    await requireSmallPruning(project, options, opened, prunable);
  const release = await acquireSyncLock(syncLock, { patience: PATIENCE, signal: options.signal });
  try {
    return await syncAlone(await SyncRun.open(project, options, opened));
  } finally {
    await release();
  }
}

async function syncAlone(run: SyncRun): Promise<SyncReport> {
  try {
    try {
      await run.work();
    } finally {
      await run.record();
    }
    await run.remember();
  } finally {
    await run.close();
  }
  return run.report;
}

/** The languages' reports if nothing must be written; undefined as soon as something must. */
async function surveyUntilWork(
  project: Project,
  options: SyncOptions,
  opened: OpenWorkspace,
): Promise<readonly LanguageReport[] | undefined> {
  const { workspace } = opened;
  const languages: LanguageReport[] = [];
  for (const locale of project.targets) {
    const found = await surveyLanguage(workspace, locale, { ...options, stopAtWork: true });
    if (found.work) return undefined;
    languages.push(found.report);
  }
  // Checked last, because it takes longer than finding the first file with work.
  if (!isUpToDate(project, opened)) return undefined;
  for (const { locale, allFiles } of languages)
    await listLanguage(locale, { workspace, files: allFiles(), onKeys: options.onKeys });
  return languages;
}

/** Removing a larger part of a file's entries needs a confirmation. */
const MOST_PRUNED = 1 / 5;

/** @throws DragomanError `usage` with the files, before anything is written */
async function requireSmallPruning(
  project: Project,
  options: SyncOptions,
  { workspace }: OpenWorkspace,
  files: readonly RemovedSource[],
): Promise<void> {
  const large = files.map(({ target }) => `${target} (all of its values)`);
  const onWork = ({ plan, existing, targetPath }: Survey): void => {
    const removed = prunedKeys(plan, options).length;
    const all = existing?.document.slots.length ?? 0;
    if (removed > all * MOST_PRUNED) large.push(`${targetPath} (${removed} of ${all} values)`);
  };
  for (const locale of project.targets) await surveyLanguage(workspace, locale, { ...options, onWork });
  if (large.length === 0) return;
  const more = large.length > 10 ? ` and ${large.length - 10} more` : '';
  throw new DragomanError(
    'usage',
    `--prune would remove more than a fifth of ${large.slice(0, 10).join(', ')}${more}`,
    { hint: 'Review them with dragoman check. To remove them, run the command again with --yes.' },
  );
}
