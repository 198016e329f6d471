import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryPath } from '../../base/atomic-file.ts';
import type { DragomanError } from '../../base/errors.ts';
import { requireUnreserved } from '../../base/inside.ts';
import { isInterrupted } from '../../base/interruption.ts';
import type { Engine } from '../../engines/engine.ts';
import type { FileTranslator } from '../../engines/file-translator.ts';
import type { TranslationResources } from '../../pipeline/unit.ts';
import type { CheckOptions } from '../plan/check.ts';
import type { ProgressListener, TranslateKeys } from '../plan/key-action.ts';
import { beginRun, openWorkspace, type OpenWorkspace } from '../plan/open-workspace.ts';
import { usedMemory } from '../plan/pricing.ts';
import type { LanguageReport, SyncReport } from '../plan/report.ts';
import { type Journal, openProjectJournal } from '../state/journal.ts';
import { addLockAttributes, type AttributesResult } from '../state/lock-attributes.ts';
import { LOCK_NAME, readLockText } from '../state/lock.ts';
import type { Project } from '../state/project.ts';
import type { RemovedSource } from '../state/removed-sources.ts';
import { saveLock } from '../state/stored-state.ts';
import { CHANGED, type JobRun, runJobs } from './job-run.ts';
import { prunableFiles, pruneFiles } from './removed-sources.ts';
import { type RunAmounts, RunProgress } from './run-progress.ts';
import { translateStrings } from './strings.ts';
import { syncLanguage } from './sync-language.ts';

export interface SyncOptions extends CheckOptions, TranslationResources {
  /** Called at most once, and only if there is something to translate. The caller closes the engine. */
  readonly engine: () => Promise<Engine>;
  /** Translates whole files, in place of the engine. Called under the same conditions. */
  readonly fileTranslator?: (() => Promise<FileTranslator>) | undefined;
  /** The number of batches that the engine may translate at the same time. */
  readonly concurrency?: number | undefined;
  readonly onProgress?: ProgressListener | undefined;
  /** See `RunProgressOptions.amounts`. */
  readonly amounts?: RunAmounts | undefined;
  /** See `RunProgressOptions.mostKept`. */
  readonly mostKept?: number | undefined;
  /** See `TargetInput.toUtf8`. */
  readonly toUtf8?: boolean | undefined;
  /** Whether pruning may remove more than a fifth of a file. */
  readonly yes?: boolean | undefined;
}

/**
 * The work of one sync, which has exclusive access to its project. Call its steps in the order of this class;
 * the code that opens it closes it.
 */
export class SyncRun {
  readonly #project: Project;
  readonly #options: SyncOptions;
  readonly #journal: Journal;
  readonly #opened: OpenWorkspace;
  readonly #languages: LanguageReport[] = [];
  /** Whether all work is in the files, with nothing left only in the journal. */
  #isComplete = true;
  #isSaved = false;
  #stopped: DragomanError | undefined;
  #jobs: JobRun | undefined;
  #progress: RunProgress | undefined;
  #pruned: readonly RemovedSource[] = [];
  /** The text of the current lock, if it exists. */
  #written: string | undefined;
  #attributes: AttributesResult;

  private constructor(project: Project, options: SyncOptions, journal: Journal, opened: OpenWorkspace) {
    this.#project = project;
    this.#options = options;
    this.#journal = journal;
    this.#opened = opened;
  }

  /**
   * Opens the journal, and reopens the project if its state has changed since it was opened.
   *
   * @throws DragomanError like `openWorkspace`, and `unwritable_output` for the journal
   */
  static async open(project: Project, options: SyncOptions, before: OpenWorkspace): Promise<SyncRun> {
    const { targets, selected: paths, root } = project;
    const scope = { paths, targets, keys: options.keys };
    const journal = await openProjectJournal(root, options.stateDirectory, scope);
    try {
      await removeStaleTemporaryFiles(root, [LOCK_NAME, ...journal.left.targets]);
      const isSame =
        journal.isEmpty && !before.journal && (await readLockText(project.lockPath)) === before.text;
      const opened = isSame ? before : await openWorkspace(project, await beginRun(project, options));
      return new SyncRun(project, options, journal, opened);
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  /** Translates and writes the languages, and prunes. An interruption ends it without an error. */
  async work(): Promise<void> {
    try {
      await this.#translate(await this.#chooseTranslation());
      await this.#prune();
    } catch (error) {
      if (!isInterrupted(error)) throw error;
    }
  }

  /** Writes the lock, even after a failed step, because the files of finished languages are written. */
  async record(): Promise<void> {
    const { lock, text } = this.#opened;
    const { root, earlierLocks } = this.#project;
    // A run that could do nothing leaves no trace; if it has a journal, its languages are left to the next run.
    if (text === undefined && earlierLocks.length === 0 && lock.isEmpty && this.#journal.isEmpty) return;
    this.#written = await saveLock(this.#project, lock, text, this.#removed);
    if (this.#isLockWritten && text === undefined) this.#attributes = await addLockAttributes(root);
  }

  /** Remembers clean files for the next run. */
  async remember(): Promise<void> {
    this.#isSaved = this.#isComplete && !this.#options.signal.aborted;
    const isClean = this.#isSaved && this.#removed.length === 0;
    await this.#opened.workspace.saveClean(isClean ? this.#written : undefined);
  }

  /** Deletes the journal if everything in it is in the files and the lock, then the jobs at the service. */
  async close(): Promise<void> {
    // The journal stays if it has paid translations of other paths or languages, which are not in files yet.
    if (!this.#isSaved || !this.#journal.coversLeft) return this.#journal.close();
    await this.#journal.finish();
    await this.#jobs?.discard();
  }

  get report(): SyncReport {
    const { root, source } = this.#project;
    return {
      root,
      source,
      languages: this.#languages,
      removedSources: this.#removed,
      prunedFiles: this.#pruned.map(({ target }) => target),
      lockWritten: this.#isLockWritten,
      attributes: this.#attributes,
      interrupted: this.#options.signal.aborted,
      stopped: this.#stopped,
      work: this.#progress && { kept: this.#progress.kept, wanted: this.#progress.wanted },
    };
  }

  get #removed(): readonly RemovedSource[] {
    return this.#opened.removed.filter((one) => !this.#pruned.includes(one));
  }

  get #isLockWritten(): boolean {
    return this.#written !== undefined && this.#written !== this.#opened.text;
  }

  /** Chooses between translating whole files as jobs and translating single values. */
  async #chooseTranslation(): Promise<TranslateKeys> {
    const options = this.#options;
    const [{ workspace }, journal] = [this.#opened, this.#journal];
    if (options.fileTranslator) {
      const { signal, onProgress, glossary } = options;
      const context = { workspace, journal, signal, onProgress, glossary };
      this.#jobs = await runJobs(options.fileTranslator, options, context);
      return this.#jobs?.translate ?? NOTHING_TO_DO;
    }
    const progress = await RunProgress.of(workspace, options);
    this.#progress = progress;
    let engine: Promise<Engine> | undefined;
    const open = (): Promise<Engine> => (engine ??= options.engine());
    const { source } = this.#project;
    return translateStrings({
      ...options,
      memory: usedMemory(options),
      source,
      journal,
      progress,
      engine: open,
    });
  }

  async #translate(translate: TranslateKeys): Promise<void> {
    const { workspace } = this.#opened;
    const context = { workspace, journal: this.#journal, options: this.#options, translate };
    for (const locale of this.#project.targets) {
      if (this.#options.signal.aborted) return;
      const onWritten = (): void => this.#progress?.show(locale, 1);
      const { report, kept, complete, stopped } = await syncLanguage(locale, { ...context, onWritten });
      this.#progress?.finish(locale, kept);
      this.#isComplete &&= complete;
      this.#stopped ??= stopped;
      this.#languages.push(report);
    }
  }

  async #prune(): Promise<void> {
    if (this.#options.signal.aborted) return;
    const prunable = await prunableFiles(this.#opened, this.#options);
    await pruneFiles(this.#project, this.#opened.lock, prunable);
    this.#pruned = prunable;
  }
}

/** Translates nothing, because the survey found nothing to translate. */
const NOTHING_TO_DO: TranslateKeys = (_locale, wanted) => Promise.resolve(wanted.map(() => CHANGED));

/**
 * Removes unfinished temporary files of a killed run.
 *
 * @param paths the files that it was going to write, relative to the root; skips paths that cannot be project files
 */
async function removeStaleTemporaryFiles(root: string, paths: readonly string[]): Promise<void> {
  for (const path of new Set(paths)) {
    const written = placeOf(root, path);
    // If the target is a link, the file that it points to is replaced.
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
