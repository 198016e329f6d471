import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import PQueue from 'p-queue';
import { DragomanError, traitsOf } from '../../base/errors.ts';
import type { FileTranslator, FileTranslationEnd } from '../../engines/file-translator.ts';
import { failureOf } from '../../pipeline/engine-call.ts';
import type { Glossary } from '../../pipeline/glossary.ts';
import { messageKeys } from '../../documents/localization/pairing.ts';
import type { OpenFile } from '../../documents/localization/open-file.ts';
import { termsFor } from '../../pipeline/terms/terms.ts';
import type { Failure, UnitOutcome } from '../../pipeline/unit.ts';
import { digestOf, refusalOf, wantedKeys } from '../plan/pricing.ts';
import { readValues } from './downloaded-values.ts';
import type { Journal, JournalledJob } from '../state/journal.ts';
import type { PlannedKey } from '../plan/plan.ts';
import type { Resource } from '../discover/resource.ts';
import type { ProgressListener, Selection, SyncProgress, TranslateKeys } from '../plan/key-action.ts';
import { surveyLanguage } from '../plan/survey-language.ts';
import type { Workspace } from '../plan/workspace.ts';
import type { Survey } from '../plan/survey.ts';
import { addTo } from '../../base/map-of-lists.ts';

export interface JobRunContext {
  readonly translator: FileTranslator;
  readonly workspace: Workspace;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  /** The terms that a job's translations should use; missing ones are reported. */
  readonly glossary?: Glossary | undefined;
  readonly onProgress?: ProgressListener | undefined;
}

/** The maximum number of languages per job (specification: `target_languages`). */
const MAX_LANGUAGES = 50;
/** Concurrent jobs. */
const FILES_AT_ONCE = 4;

interface Ended {
  readonly id: string;
  readonly end: FileTranslationEnd;
}

/** A file to translate. */
interface WantedFile {
  readonly resource: Resource;
  /** Relative to the root. */
  readonly path: string;
  /** Canonical. */
  readonly locales: readonly string[];
}

/**
 * Translates the files in which any language lacks something. Without such files, the service is not contacted, unless
 * jobs of an earlier run must be deleted.
 *
 * @param open connects to the service
 * @throws DragomanError like `open` and {@link JobRun.begin}
 */
export async function runJobs(
  open: () => Promise<FileTranslator>,
  selection: Selection,
  context: Omit<JobRunContext, 'translator'>,
): Promise<JobRun | undefined> {
  const { workspace, journal, signal } = context;
  const files = new Map<string, WantedFile>();
  for (const locale of workspace.project.targets) {
    const onWork = (survey: Survey): void => {
      const { resource, sourcePath: path } = survey;
      if (wantedKeys(survey, selection).length === 0) return;
      files.set(path, { resource, path, locales: [...(files.get(path)?.locales ?? []), locale] });
    };
    await surveyLanguage(workspace, locale, { ...selection, signal, onWork });
  }
  if (files.size === 0 && journal.left.jobs.length === 0) return undefined;
  const run = new JobRun({ ...context, translator: await open() });
  await run.begin([...files.values()]);
  return run;
}

/**
 * The jobs of one sync: whole files, each into all languages that lack something in it. A job is in the journal before
 * it is created and again once it has an id, so that nothing is paid for twice: the next run looks for it first.
 */
export class JobRun {
  readonly #context: JobRunContext;
  /** By file and locale. */
  readonly #ended = new Map<string, Ended | Failure>();
  readonly #unsupported = new Set<string>();
  readonly #ids = new Set<string>();
  readonly #progress = new Map<string, { readonly done: number; readonly total: number }>();
  #stopped: Failure | undefined;

  constructor(context: JobRunContext) {
    this.#context = context;
  }

  /**
   * Creates the jobs, or finds those of an earlier run, and waits until they have ended. Files are independent, unless
   * the credits or the budget are used up or the connection is lost.
   *
   * @throws DragomanError if the service does not return its languages, `unwritable_output` for the journal
   */
  async begin(files: readonly WantedFile[]): Promise<void> {
    const { translator, workspace, signal } = this.#context;
    for (const locale of new Set(files.flatMap(({ locales }) => locales))) {
      if (!(await translator.supports(workspace.project.source, locale, signal)))
        this.#unsupported.add(locale);
    }
    const queue = new PQueue({ concurrency: FILES_AT_ONCE });
    const works = files.map((file) => {
      const locales = file.locales.filter((locale) => !this.#unsupported.has(locale));
      return queue.add(async () => {
        if (locales.length > 0) await this.#translateFile({ ...file, locales });
      });
    });
    const results = await Promise.allSettled(works);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Takes the wanted keys from the translated files. */
  readonly translate: TranslateKeys = async (locale, wanted) => {
    if (this.#unsupported.has(locale)) {
      return new DragomanError('engine_unavailable', `the service does not translate into ${locale}`, {
        hint: 'dragoman languages lists its languages.',
      });
    }
    const files = new Map<string, PlannedKey[]>();
    for (const { file, key } of wanted) addTo(files, file, key);
    const outcomes = new Map<PlannedKey, UnitOutcome>();
    for (const [file, keys] of files) {
      const found = await this.#valuesOf(file, locale, keys);
      for (const [i, key] of keys.entries()) outcomes.set(key, found[i] ?? CHANGED);
    }
    return wanted.map(({ key }) => outcomes.get(key) ?? CHANGED);
  };

  /**
   * Deletes the jobs at the service, including those of earlier runs, after everything is in the files. Failures are
   * ignored.
   */
  async discard(): Promise<void> {
    const { translator, journal, signal } = this.#context;
    const left = journal.left.jobs.flatMap(({ id }) => (id === undefined ? [] : [id]));
    for (const id of new Set([...this.#ids, ...left]))
      await translator.discard(id, signal).catch(() => undefined);
  }

  async #translateFile({ resource, path, locales }: WantedFile): Promise<void> {
    const settle = (some: readonly string[], outcome: Ended | Failure): void => {
      for (const locale of some) this.#ended.set(placeOf(path, locale), outcome);
    };
    try {
      const source = await this.#context.workspace.source(resource);
      const { text } = (resource.catalogues && source.template) ?? source.document;
      const bytes = source.encode(text);
      const refusal = refusalOf(path, source, bytes, this.#context.translator);
      if (refusal !== undefined) return settle(locales, { failure: refusal, kind: 'engine' });
      const digest = digestOf(bytes);
      const jobs = await this.#resume(path, digest, locales);
      const covered = new Set(jobs.flatMap((job) => job.locales));
      const missing = locales.filter((locale) => !covered.has(locale));
      for (let at = 0; at < missing.length; at += MAX_LANGUAGES) {
        const some = missing.slice(at, at + MAX_LANGUAGES);
        const created = await this.#create({ path, source, bytes, digest }, some);
        if ('failure' in created) settle(some, created);
        else {
          jobs.push(created);
          // The budget did not allow the others.
          if (this.#stopped)
            settle(
              some.filter((locale) => !created.locales.includes(locale)),
              this.#stopped,
            );
        }
      }
      await Promise.all(jobs.map(async (job) => settle(job.locales, await this.#wait(path, job))));
    } catch (error) {
      settle(
        locales.filter((locale) => !this.#ended.has(placeOf(path, locale))),
        this.#fail(error),
      );
    }
  }

  /** The jobs of an earlier run that cover the current need and used the same file. */
  async #resume(path: string, digest: string, locales: readonly string[]): Promise<RunningJob[]> {
    const { translator, journal, signal } = this.#context;
    const jobs: RunningJob[] = [];
    const missing = new Set(locales);
    for (const left of journal.left.jobs) {
      if (left.file !== path || left.digest !== digest) continue;
      const covers = left.locales.filter((locale) => missing.has(locale));
      if (covers.length === 0) continue;
      const id = await translator.find(left, signal);
      if (id === undefined) continue;
      for (const locale of covers) missing.delete(locale);
      jobs.push({ id, locales: covers });
    }
    return jobs;
  }

  async #create(
    { path, source, bytes, digest }: Upload,
    wanted: readonly string[],
  ): Promise<RunningJob | Failure> {
    if (this.#stopped) return this.#stopped;
    const { translator, workspace, journal, signal } = this.#context;
    const keys = messageKeys(source.document).size;
    const { targets: locales, error: shortage } = translator.afford(wanted, keys);
    const left = shortage && this.#fail(shortage);
    if (left && locales.length === 0) return left;
    const note: JournalledJob = { name: nameFor(path), file: path, digest, locales };
    await journal.noteJob(note);
    const job = { name: note.name, bytes, source: workspace.project.source, targets: locales, keys };
    try {
      const id = await translator.create(job, signal);
      await journal.noteJob({ ...note, id });
      return { id, locales };
    } catch (error) {
      if (!isUncertain(error)) return this.#fail(error);
      // The list of jobs shows whether the job was created.
      const id = await translator.find(note, signal).catch(() => undefined);
      return id === undefined ? this.#fail(error) : { id, locales };
    }
  }

  async #wait(path: string, { id, locales }: RunningJob): Promise<Ended | Failure> {
    const { translator, signal, onProgress } = this.#context;
    this.#ids.add(id);
    const tell = (done: number, total: number): void => {
      this.#progress.set(id, { done, total });
      onProgress?.({ label: `${path} → ${locales.join(',')}`, ...this.#sum(id) });
    };
    tell(0, 0);
    try {
      const end = await translator.wait(id, { signal, onProgress: tell });
      const total = this.#progress.get(id)?.total ?? 0;
      tell(total, total);
      return { id, end };
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** The progress of all jobs so far. Some jobs start only when others have ended. */
  #sum(id: string): Pick<SyncProgress, 'at' | 'of' | 'done' | 'total'> {
    let [done, total] = [0, 0];
    for (const job of this.#progress.values()) {
      done += job.done;
      total += job.total;
    }
    return { at: [...this.#progress.keys()].indexOf(id) + 1, of: this.#progress.size, done, total };
  }

  async #valuesOf(
    file: string,
    locale: string,
    keys: readonly PlannedKey[],
  ): Promise<readonly UnitOutcome[]> {
    const { translator, workspace, signal } = this.#context;
    const ended = this.#ended.get(placeOf(file, locale)) ?? CHANGED;
    const resource = workspace.project.resources.find((candidate) => candidate.source === file);
    if ('failure' in ended) return same(ended, keys);
    if (!resource) return same(CHANGED, keys);
    const { id, end } = ended;
    const reason = end.reason ?? 'the service gave no reason';
    if (end.status === 'failed') return same({ failure: `the job failed: ${reason}`, kind: 'engine' }, keys);
    // Paid files can be downloaded without credits, but not without a connection or key.
    if (this.#stopped && this.#stopped.error?.code !== 'insufficient_credits')
      return same(this.#stopped, keys);
    try {
      const bytes = await translator.download(id, locale, signal);
      const { glossary } = this.#context;
      const terms = glossary && termsFor(glossary, resource.sourceLocale, locale);
      const complete = end.status === 'completed';
      const source = await workspace.source(resource);
      return await readValues(keys, { bytes, source, locale, complete, terms });
    } catch (error) {
      if (error instanceof DragomanError && error.code === 'not_found')
        return same({ failure: `there is no translated file: ${reason}`, kind: 'engine' }, keys);
      return same(this.#fail(error), keys);
    }
  }

  /** @throws errors that the service did not cause: an unwritable journal, a bug */
  #fail(error: unknown): Failure {
    if (!(error instanceof DragomanError) || error.code === 'unwritable_output') throw error;
    const failure: Failure =
      error.code === 'interrupted' ? { failure: error.message, kind: 'interrupted' } : failureOf(error);
    if (failure.kind === 'stopped') this.#stopped ??= failure;
    return failure;
  }
}

interface RunningJob {
  readonly id: string;
  readonly locales: readonly string[];
}

interface Upload {
  readonly path: string;
  readonly source: OpenFile;
  readonly bytes: Uint8Array;
  readonly digest: string;
}

/** The outcome of a key that did not need a translation when the jobs were created. */
export const CHANGED: Failure = {
  failure: 'the file changed during the run: the next one translates it',
  kind: 'engine',
};

function placeOf(file: string, locale: string): string {
  return `${locale}\0${file}`;
}

/** The job's name at the service: the file's name with a unique suffix. */
function nameFor(file: string): string {
  const { name, ext } = posix.parse(file);
  return `${name.replace(/[^\w.-]+/g, '_').slice(0, 80)}.${randomUUID()}${ext}`;
}

function same(failure: Failure, keys: readonly PlannedKey[]): readonly Failure[] {
  return keys.map(() => failure);
}

function isUncertain(error: unknown): boolean {
  return error instanceof DragomanError && traitsOf(error).uncertain === true;
}
