import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { DragomanError } from '../../base/errors.ts';
import { requireUnreserved } from '../../base/inside.ts';
import { isInterrupted } from '../../base/interruption.ts';
import type { Engine } from '../../engines/engine.ts';
import type { FileTranslator } from '../../engines/file-translator.ts';
import type { Failure, TranslationResources, UnitOutcome } from '../../pipeline/unit.ts';
import { translateUnits } from '../../pipeline/units.ts';
import type { CheckOptions } from '../plan/check.ts';
import { type ProgressListener, prunedKeys, type TranslateKeys, unitOf } from '../plan/key-action.ts';
import { listLanguage } from '../plan/key-list.ts';
import { beginRun, openWorkspace, reportUnchanged, type OpenWorkspace } from '../plan/open-workspace.ts';
import type { LanguageReport, SyncReport } from '../plan/report.ts';
import { usedMemory } from '../plan/pricing.ts';
import { surveyLanguage } from '../plan/survey-language.ts';
import type { Survey } from '../plan/survey.ts';
import { type Journal, openProjectJournal } from '../state/journal.ts';
import { addLockAttributes, type AttributesResult } from '../state/lock-attributes.ts';
import { LOCK_NAME, readLockText } from '../state/lock.ts';
import type { Project } from '../state/project.ts';
import { findRemovedSources, type RemovedSource } from '../state/removed-sources.ts';
import { isSettled, saveLock } from '../state/stored-state.ts';
import { prunableFiles, pruneFiles } from './removed-sources.ts';
import { acquireSyncLock, removeStaleSyncLocks, SYNC_LOCK_NAME } from '../state/sync-lock.ts';
import { CHANGED, runJobs, type JobRun } from './job-run.ts';
import { type RunAmounts, RunProgress } from './run-progress.ts';
import { syncLanguage } from './sync-language.ts';
import { temporaryPath } from '../../base/atomic-file.ts';

export interface SyncOptions extends CheckOptions, TranslationResources {
  /** Called at most once, and only when there is something to translate. The caller closes the engine. */
  readonly engine: () => Promise<Engine>;
  /** Instead of the engine: translates whole files. Called as it is. */
  readonly fileTranslator?: (() => Promise<FileTranslator>) | undefined;
  /** Batches that the engine has at once. */
  readonly concurrency?: number | undefined;
  readonly onProgress?: ProgressListener | undefined;
  /** See `RunProgressOptions.amounts`. */
  readonly amounts?: RunAmounts | undefined;
  /** See `RunProgressOptions.mostKept`. */
  readonly mostKept?: number | undefined;
  /** See `TargetInput.toUtf8`. */
  readonly toUtf8?: boolean | undefined;
  /** Pruning may remove more than a fifth of a file. */
  readonly yes?: boolean | undefined;
}

/**
 * Translates what is new or changed, language by language, and writes files and lock. With nothing to do it writes
 * nothing. Finished work is kept when the run fails or is interrupted.
 *
 * @throws DragomanError `usage` without a target language, or when pruning would remove too much; `configuration` for a
 * lock that cannot be used or when another sync is running, `unreadable_input` when no source can be read, whatever
 * opening the engine throws, `unwritable_output` for journal or lock. One of several sources that cannot be read, a target
 * that cannot be read or written, and a language that the engine cannot do, are data.
 */
export async function syncProject(project: Project, options: SyncOptions): Promise<SyncReport> {
  if (project.targets.length === 0) {
    throw new DragomanError('usage', 'no target language is known', {
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
  const prunable = await prunableFiles(project, opened.lock, options);
  const idle = prunable.length > 0 ? undefined : await surveyUntilWork(project, options, opened);
  if (idle) {
    const removedSources = findRemovedSources(project, opened.lock);
    await opened.workspace.saveClean(removedSources.length > 0 ? undefined : opened.text);
    return { root, source, languages: idle, removedSources, interrupted: false };
  }
  opened.workspace.requireFiles();
  if (options.prune !== undefined && options.yes !== true)
    await requireSmallPruning(project, options, opened, prunable);
  const release = await acquireSyncLock(syncLock);
  try {
    return await run(project, options, opened);
  } finally {
    await release();
  }
}

/** The languages' reports when nothing has to be written; undefined as soon as something has. */
async function surveyUntilWork(
  project: Project,
  options: SyncOptions,
  opened: OpenWorkspace,
): Promise<readonly LanguageReport[] | undefined> {
  const { workspace } = opened;
  if (!isSettled(project, opened)) return undefined;
  const languages: LanguageReport[] = [];
  for (const locale of project.targets) {
    const found = await surveyLanguage(workspace, locale, { ...options, stopAtWork: true });
    if (found.work) return undefined;
    languages.push(found.report);
  }
  for (const { locale, allFiles } of languages)
    await listLanguage(locale, { workspace, files: allFiles(), onKeys: options.onKeys });
  return languages;
}

/** Of its entries, more than this part of a file goes only when that was confirmed. */
const MOST_PRUNED = 1 / 5;

/** @throws DragomanError `usage` with the files, before anything is written. */
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
    { hint: 'Look at them with dragoman check. If they may go, run it again with --yes.' },
  );
}

async function run(project: Project, options: SyncOptions, before: OpenWorkspace): Promise<SyncReport> {
  const { targets, selected: paths } = project;
  const scope = { paths, targets, keys: options.keys };
  const journal = await openProjectJournal(project.root, options.stateDirectory, scope);
  const languages: LanguageReport[] = [];
  let saved = false;
  let lockWritten = false;
  let attributes: AttributesResult;
  let finished = false;
  let stopped: DragomanError | undefined;
  let jobs: JobRun | undefined;
  let progress: RunProgress | undefined;
  let removedSources: readonly RemovedSource[] = [];
  let prunedFiles: readonly string[] = [];
  try {
    await removeStaleTemporaryFiles(project.root, [LOCK_NAME, ...journal.left.targets]);
    // Another sync may have ended between looking and being alone.
    const isSame =
      journal.isEmpty && !before.journal && (await readLockText(project.lockPath)) === before.text;
    const { workspace, lock, text } = isSame
      ? before
      : await openWorkspace(project, await beginRun(project, options));
    let complete = true;
    let written: string | undefined;
    try {
      const { fileTranslator, signal, onProgress, glossary } = options;
      if (fileTranslator) {
        jobs = await runJobs(fileTranslator, options, { workspace, journal, signal, onProgress, glossary });
      } else progress = await RunProgress.of(workspace, options);
      const translate =
        jobs?.translate ?? (progress ? stringsOf(project, journal, progress, options) : NOTHING_TO_DO);
      for (const locale of targets) {
        if (signal.aborted) break;
        const onWritten = (): void => progress?.show(locale, 1);
        const result = await syncLanguage(locale, { workspace, journal, options, translate, onWritten });
        progress?.finish(locale, result.kept);
        complete &&= result.complete;
        stopped ??= result.stopped;
        languages.push(result.report);
      }
      const prunable = signal.aborted ? [] : await prunableFiles(project, lock, options);
      await pruneFiles(project, lock, prunable);
      prunedFiles = prunable.map(({ target }) => target);
    } catch (error) {
      if (!isInterrupted(error)) throw error;
    } finally {
      // A run that could do nothing leaves nothing behind; one with a journal leaves its languages to the next.
      const isKept =
        text !== undefined || project.earlierLocks.length > 0 || !lock.isEmpty || !journal.isEmpty;
      if (isKept) written = await saveLock(project, lock, text);
      lockWritten = written !== undefined && written !== text;
      if (lockWritten && text === undefined) attributes = await addLockAttributes(project.root);
    }
    saved = complete && !options.signal.aborted;
    removedSources = findRemovedSources(project, lock);
    await workspace.saveClean(saved && removedSources.length === 0 ? written : undefined);
  } finally {
    // What other paths or languages were paid for is not in files yet.
    finished = saved && journal.coversLeft;
    if (finished) await journal.finish();
    else await journal.close();
  }
  if (finished) await jobs?.discard();
  const { root, source } = project;
  const work = progress && { kept: progress.kept, wanted: progress.wanted };
  const files = { removedSources, prunedFiles };
  return {
    root,
    source,
    languages,
    ...files,
    lockWritten,
    attributes,
    interrupted: options.signal.aborted,
    stopped,
    work,
  };
}

/** Translates nothing: the survey found no key to translate. */
const NOTHING_TO_DO: TranslateKeys = (_locale, wanted) => Promise.resolve(wanted.map(() => CHANGED));

function stringsOf(
  project: Project,
  journal: Journal,
  progress: RunProgress,
  options: SyncOptions,
): TranslateKeys {
  let engine: Promise<Engine> | undefined;
  const open = (): Promise<Engine> => (engine ??= options.engine());
  const memory = usedMemory(options);
  return translateStrings({ ...options, memory, source: project.source, journal, progress, engine: open });
}

/**
 * Removes the unfinished temporary files of writes that a killed run had begun.
 *
 * @param paths what it was about to write, relative to the root; others than places for files of the project are skipped
 */
async function removeStaleTemporaryFiles(root: string, paths: readonly string[]): Promise<void> {
  for (const path of new Set(paths)) {
    const written = placeOf(root, path);
    // Where the target is a link, it is the file behind it that is replaced.
    if (written !== undefined) await rm(temporaryPath(join(root, written)), { force: true });
  }
}

function placeOf(root: string, path: string): string | undefined {
  try {
    return requireUnreserved(root, path, 'configuration');
  } catch {
    return undefined;
  }
}

interface StringTranslation extends TranslationResources {
  /** Canonical. */
  readonly source: string;
  /** Called when there is something to translate. */
  readonly engine: () => Promise<Engine>;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  readonly concurrency?: number | undefined;
  readonly progress: RunProgress;
}

/**
 * Value by value, all files of a language in one go, so that no text is asked for twice. Once account, budget or
 * connection allow no more, nothing more is asked for in any language.
 */
function translateStrings({
  source,
  engine,
  journal,
  progress,
  ...options
}: StringTranslation): TranslateKeys {
  let stopped: Failure | undefined;
  return async (locale, wanted) => {
    if (wanted.length === 0) return [];
    // Without an engine nothing can be done at all: that is thrown. One that cannot do this pair may do the next.
    const opened = await engine();
    if (stopped) return same(stopped, wanted.length);
    progress.show(locale, 0);
    try {
      const outcomes = await translateUnits(wanted.map(unitOf), {
        ...options,
        engine: opened,
        source,
        target: locale,
        journal,
        onProgress: (done, total) => progress.show(locale, done / Math.max(1, total)),
      });
      stopped = outcomes.find(isStopped);
      return outcomes;
    } catch (error) {
      if (error instanceof DragomanError && error.code === 'engine_unavailable') return error;
      throw error;
    }
  };
}

function same(failure: Failure, count: number): readonly Failure[] {
  return Array.from({ length: count }, () => failure);
}

function isStopped(outcome: UnitOutcome): outcome is Failure {
  return 'failure' in outcome && outcome.kind === 'stopped';
}
