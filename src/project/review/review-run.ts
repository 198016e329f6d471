import { join } from 'node:path';
import type { SlotId } from '../../documents/localization/pairing.ts';
import { hasCues } from '../../formats/subtitles/document.ts';
import type { TranslationMemory } from '../../pipeline/memory.ts';
import type { GivenText } from '../plan/key-action.ts';
import {
  beginRun,
  openWorkspace,
  type OpenWorkspace,
  type WorkspaceOptions,
} from '../plan/open-workspace.ts';
import type { PlannedKey } from '../plan/plan.ts';
import type { Survey } from '../plan/survey.ts';
import type { Workspace } from '../plan/workspace.ts';
import { type Journal, openProjectJournal } from '../state/journal.ts';
import { addLockAttributes, type AttributesResult } from '../state/lock-attributes.ts';
import { type Lock, type LockChanges, LOCK_NAME } from '../state/lock.ts';
import type { LockKey } from '../state/lock-line.ts';
import type { Project } from '../state/project.ts';
import { loadState, saveLock, type StoredState } from '../state/stored-state.ts';
import { acquireSyncLock, SYNC_LOCK_NAME } from '../state/sync-lock.ts';
import { type AppliedFile, applyFile, writeTarget } from '../sync/apply-file.ts';
import { recordHumanEdits } from '../sync/sync-language.ts';

export interface ReviewRunOptions extends WorkspaceOptions {
  readonly signal: AbortSignal;
  /** Whether to change nothing. */
  readonly isDry?: boolean | undefined;
  /** Stores what people write or approve. */
  readonly memory?: TranslationMemory | undefined;
  /** Milliseconds to wait while a sync or another review writes. Default: 0. */
  readonly patience?: number | undefined;
  /**
   * Called for every written file, including the lock, with its path relative to the root and its content before and
   * after.
   */
  readonly onWritten?: ((path: string, before: Written, after: Written) => void) | undefined;
}

type Written = Uint8Array | string | undefined;

/**
 * Writes people's texts and decisions to the files, the lock and the memory. Runs alone in the project, like a sync. If
 * it is killed, each text is either unchanged or as decided.
 */
export class ReviewRun {
  readonly project: Project;
  readonly workspace: Workspace;
  readonly #options: ReviewRunOptions;
  readonly #stored: StoredState;
  #journal: Journal | undefined;
  readonly #recorded: { readonly survey: Survey; readonly keys: readonly LockKey[] }[] = [];

  private constructor(
    project: Project,
    options: ReviewRunOptions,
    { workspace }: OpenWorkspace,
    stored: StoredState,
  ) {
    this.project = project;
    this.workspace = workspace;
    this.#options = options;
    this.#stored = stored;
  }

  /**
   * @param work is finished when its promise settles; the lock is written afterwards, even if the work failed
   * @throws DragomanError `configuration` for an unusable lock or during a sync, `unwritable_output`, `interrupted`
   */
  static async do<T>(
    project: Project,
    options: ReviewRunOptions,
    work: (run: ReviewRun) => Promise<T>,
  ): Promise<{ readonly made: T; readonly attributes?: AttributesResult }> {
    const { isDry, patience, signal } = options;
    const path = join(project.root, SYNC_LOCK_NAME);
    const release = isDry ? undefined : await acquireSyncLock(path, { patience, signal });
    try {
      const run = await ReviewRun.#open(project, options);
      try {
        const made = await run.#recording(work);
        const attributes =
          run.#isChanged && run.#stored.text === undefined
            ? await addLockAttributes(project.root)
            : undefined;
        await run.#close(true);
        return { made, attributes };
      } catch (error) {
        await run.#close(false);
        throw error;
      }
    } finally {
      await release?.();
    }
  }

  static async #open(project: Project, options: ReviewRunOptions): Promise<ReviewRun> {
    // Clean files are opened too.
    const opened = await openWorkspace(project, await beginRun(project, { ...options, force: true }));
    // Excludes the intentions of an interrupted sync, which become lines when they are carried out.
    return new ReviewRun(project, options, opened, await loadState(project, undefined));
  }

  get lock(): Lock {
    return this.#stored.lock;
  }

  /**
   * Writes texts and decisions for a file in one language.
   *
   * @throws DragomanError like `applyFile`: the file and its part of the lock are unchanged
   */
  async apply(survey: Survey, given: ReadonlyMap<SlotId, GivenText>): Promise<AppliedFile> {
    const context = {
      workspace: this.workspace,
      journal: await this.#openJournal(),
      lock: this.lock,
      selection: { given },
    };
    const applied = await applyFile(
      survey,
      ({ id }) => {
        const value = given.get(id)?.value;
        return value === undefined ? undefined : { value };
      },
      context,
    );
    const keys = survey.plan.keys.flatMap(({ id, lockKey }) => (given.has(id) ? lockKey : []));
    this.#recorded.push({ survey, keys });
    if (applied.written) this.#options.onWritten?.(survey.targetPath, survey.bytes, applied.after.bytes);
    return applied;
  }

  /**
   * Restores the earlier content and records of a file.
   *
   * @returns the current file
   */
  async restore(survey: Survey, bytes: Uint8Array, records: LockChanges): Promise<Survey> {
    const { recordedAs, locale, targetPath } = survey;
    const { workspace } = this;
    const journal = await this.#openJournal();
    if (!survey.bytes || !Buffer.from(bytes).equals(survey.bytes)) {
      await writeTarget(survey, bytes, records, { workspace, journal });
      this.#options.onWritten?.(targetPath, survey.bytes, bytes);
    }
    for (const lock of [this.lock, workspace.lock]) lock.update(recordedAs, locale, records);
    this.#recorded.push({ survey, keys: [...records.keys()] });
    return workspace.refresh(survey, true);
  }

  /** Stores in the memory what a person wrote or approved. */
  async learn(keys: readonly PlannedKey[], { locale, source, tags }: Survey): Promise<void> {
    const { memory } = this.#options;
    // A cue may contain only a part of a sentence.
    if (!memory || hasCues(source.document)) return;
    const finished = keys.map((key) => ({
      ...key,
      review: false,
      value: key.value && (tags?.unlink(key.value) ?? key.value),
    }));
    await recordHumanEdits(finished, memory, { source: this.project.source, target: locale });
  }

  get #isChanged(): boolean {
    return this.#recorded.length > 0;
  }

  async #openJournal(): Promise<Journal> {
    const { root, targets, selected: paths } = this.project;
    const scope = { paths, targets };
    this.#journal ??= await openProjectJournal(root, this.#options.stateDirectory, scope);
    return this.#journal;
  }

  /** If a file fails, the lock still records the others. */
  async #recording<T>(work: (run: ReviewRun) => Promise<T>): Promise<T> {
    try {
      return await work(this);
    } finally {
      if (this.#isChanged) {
        await this.#settle('journal');
        const { text } = this.#stored;
        const now = await saveLock(this.project, this.lock, text);
        this.#options.onWritten?.(LOCK_NAME, text, now);
        await this.#settle('lock');
      }
    }
  }

  /**
   * The next sync carries out what an interrupted run left. It must not treat that work as newer than this run's, even
   * if this one is killed before or after writing the lock. After that, only the lock is valid: the next sync must not
   * prefer this run's decisions to those that somebody pulls with git.
   */
  async #settle(keeper: 'journal' | 'lock'): Promise<void> {
    const journal = this.#journal;
    if (!journal || journal.left.scopes.length === 0) return;
    const settling = this.#recorded.map(({ survey: { recordedAs: file, locale }, keys }) => {
      if (keeper === 'lock') return journal.settle({ file, locale, keys }, []);
      const section = this.lock.section(file, locale);
      const lines = keys.flatMap((key) =>
        (section.get(key) ?? []).map((record) => ({ file, locale, key, ...record })),
      );
      return journal.settle({ file, locale, keys }, lines);
    });
    await Promise.all(settling);
  }

  async #close(isRecorded: boolean): Promise<void> {
    const journal = this.#journal;
    // The journal stays if it has paid work of an interrupted sync, which is not in files yet.
    await (isRecorded && journal?.left.scopes.length === 0 ? journal.finish() : journal?.close());
  }
}
