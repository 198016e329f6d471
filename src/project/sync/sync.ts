import { join } from 'node:path';
import { writeAtomically } from '../../base/atomic-file.ts';
import { DragomanError } from '../../base/errors.ts';
import { requireUnreserved } from '../../base/inside.ts';
import type { Engine } from '../../engines/engine.ts';
import type { FileTranslator } from '../../engines/file-translator.ts';
import type { RecallContext } from '../../pipeline/recall.ts';
import type { TranslationResources } from '../../pipeline/segments.ts';
import { CleanStateCache, digestProject } from '../state/clean-state.ts';
import { CHANGED, type JobRun } from './job-run.ts';
import { Journal, JOURNAL_NAME, readJournal, type JournalContent } from '../state/journal.ts';
import { listLanguage, type KeysListener } from '../plan/key-list.ts';
import { removeStaleTemporaryFiles } from './stale-temporary-files.ts';
import { LOCK_NAME, parseLock, readLockText, serializeLock, type Lock } from '../state/lock.ts';
import type { PlannedKey } from '../plan/plan.ts';
import { priceLanguage, wantedKeys, type Pricing } from '../plan/pricing.ts';
import type { Project } from '../state/project.ts';
import { humanTranslationsOf } from './human-memory.ts';
import { surveyMemory } from '../plan/memory-survey.ts';
import type { FileReport, LanguageReport, MemoryCoverage, SyncReport } from '../plan/report.ts';
import { runJobs } from './run-jobs.ts';
import { readSummary, summarize } from '../plan/clean-summary.ts';
import { surveyLanguage, type SurveyOptions } from '../plan/survey-language.ts';
import { syncLanguage } from './sync-language.ts';
import type { Selection } from '../plan/key-action.ts';
import type { ProgressListener, TranslateKeys } from '../plan/wanted-key.ts';
import { translateStrings } from './translate-strings.ts';
import { acquireSyncLock, removeStaleSyncLocks, SYNC_LOCK_NAME } from '../state/sync-lock.ts';
import { Workspace, type Survey } from '../plan/workspace.ts';

export interface CheckOptions extends Selection {
  readonly signal: AbortSignal;
  /** Of the program: another one may find other things in the same files. */
  readonly version: string;
  /** Where the clean state is remembered. Default: the user's cache directory. */
  readonly cacheDirectory?: string | undefined;
  readonly onProgress?: ProgressListener | undefined;
  /** Gets every file of every language with all its keys, as they are in the end, also when there is nothing to do. */
  readonly onKeys?: KeysListener | undefined;
}

export interface SurveyProjectOptions
  extends CheckOptions, Pick<TranslationResources, 'memory' | 'glossary'> {
  /** Also lists what the translation memory has of similar texts. */
  readonly similar?: boolean | undefined;
  /** Of the engine that a sync would ask: the reports say what it would be charged then. */
  readonly pricing?: Pricing | undefined;
}

export interface SyncOptions extends CheckOptions, TranslationResources {
  /** Called at most once, and only when there is something to translate. The caller closes the engine. */
  readonly engine: () => Promise<Engine>;
  /** Instead of the engine: translates whole files. Called as it is. */
  readonly fileTranslator?: (() => Promise<FileTranslator>) | undefined;
  /** Batches that the engine has at once. */
  readonly concurrency?: number | undefined;
}

/**
 * Compares the files of a project, as `--frozen` and `--dry-run` do: reads only, needs no engine and no lock.
 *
 * @throws DragomanError `configuration` for a lock that cannot be used, `unreadable_input` for a source, `interrupted`.
 */
export async function checkProject(project: Project, options: SurveyProjectOptions): Promise<SyncReport> {
  const { pricing } = options;
  const cache = new CleanStateCache(project.root, options.cacheDirectory);
  const clean = await findClean(project, cache, options);
  if (clean.report) return pricing ? freeOfCharge(clean.report) : clean.report;
  const { lock, journal } = await loadLock(project);
  const workspace = new Workspace(project);
  await openSources(workspace, options.signal);
  const languages: LanguageReport[] = [];
  let work = false;
  for (const locale of project.targets) {
    const files = new Map<Survey, readonly PlannedKey[]>();
    const onWork = (survey: Survey): void => void files.set(survey, wantedKeys(survey, options));
    const found = await surveyLanguage(workspace, locale, lock, { ...options, onWork });
    work ||= found.work;
    await listLanguage(locale, { ...options, workspace, lock, files: found.files });
    const { source } = project;
    const resources = { memory: options.memory, glossary: options.glossary, source, target: locale };
    const credits = pricing && (await priceLanguage(pricing, { ...resources, files, journal }));
    const memory = await inMemory(files, resources, options);
    languages.push({ ...found.report, wanted: [...files.values()].flat().length, credits, memory });
  }
  if (!work) await remember(cache, clean.digest, languages);
  return { root: project.root, source: project.source, languages, interrupted: false };
}

async function inMemory(
  files: ReadonlyMap<Survey, readonly PlannedKey[]>,
  { memory, ...resources }: RecallContext,
  { similar = false, signal }: SurveyProjectOptions,
): Promise<MemoryCoverage | undefined> {
  return memory && surveyMemory({ ...resources, memory, files, similar, signal });
}

/**
 * Translates what is new or changed, language by language, and writes files and lock. With nothing to do it writes
 * nothing. What is finished when it fails or is interrupted stays finished.
 *
 * @throws DragomanError `usage` without a target language, `configuration` for a lock that cannot be used or when
 * another sync is running, `unreadable_input` for a source, whatever opening the engine throws, `unwritable_output` for
 * journal or lock. A target that cannot be read or written, and a language that the engine cannot do, are data.
 */
export async function syncProject(project: Project, options: SyncOptions): Promise<SyncReport> {
  if (project.targets.length === 0) {
    throw new DragomanError('usage', 'no target language is known', {
      hint: 'Name some with --target es,fr, or as `targets` in the configuration.',
    });
  }
  await removeStaleSyncLocks(join(project.root, SYNC_LOCK_NAME));
  const cache = new CleanStateCache(project.root, options.cacheDirectory);
  const clean = await findClean(project, cache, options);
  if (clean.report) return clean.report;
  const idle = await surveyUntilWork(project, options);
  if (idle) {
    await remember(cache, clean.digest, idle);
    return { root: project.root, source: project.source, languages: idle, interrupted: false };
  }
  const leave = await acquireSyncLock(join(project.root, SYNC_LOCK_NAME));
  try {
    const { report, saved } = await run(project, options);
    if (saved) await rememberIfClean(project, cache, options);
    return report;
  } finally {
    await leave();
  }
}

/** Looks again: somebody may have edited files while others were translated. */
async function rememberIfClean(
  project: Project,
  cache: CleanStateCache,
  options: SyncOptions,
): Promise<void> {
  const digest = digestProject(project, options.version);
  const idle = await surveyUntilWork(project, { ...options, force: false, onKeys: undefined });
  await remember(cache, digest, idle ?? []);
}

/** The languages' reports when nothing has to be written; undefined as soon as something has. */
async function surveyUntilWork(
  project: Project,
  options: SyncOptions,
): Promise<readonly LanguageReport[] | undefined> {
  const { lock, text, journal } = await loadLock(project);
  const workspace = new Workspace(project);
  await openSources(workspace, options.signal);
  if (journal || text !== lockText(lock, project)) return undefined;
  const languages: LanguageReport[] = [];
  const survey: SurveyOptions = { ...options, stopAtWork: true };
  const files = new Map<string, readonly FileReport[]>();
  for (const locale of project.targets) {
    const found = await surveyLanguage(workspace, locale, lock, survey);
    if (found.work) return undefined;
    languages.push(found.report);
    if (options.onKeys) files.set(locale, found.files);
  }
  for (const [locale, ofLanguage] of files)
    await listLanguage(locale, { ...options, workspace, lock, files: ofLanguage });
  return languages;
}

interface Run {
  readonly report: SyncReport;
  /** Everything that was finished is in files and lock. */
  readonly saved: boolean;
}

async function run(project: Project, options: SyncOptions): Promise<Run> {
  const journal = await Journal.open(join(project.root, JOURNAL_NAME));
  const languages: LanguageReport[] = [];
  let saved = false;
  let stopped: DragomanError | undefined;
  let jobs: JobRun | undefined;
  try {
    await removeStaleTemporaryFiles(project.root, [LOCK_NAME, ...journal.left.targets]);
    const { lock, text } = await loadLock(project);
    const workspace = new Workspace(project);
    await openSources(workspace, options.signal);
    let complete = true;
    try {
      if (options.fileTranslator) {
        jobs = await runJobs(options.fileTranslator, { workspace, lock, journal, options });
      }
      const translate =
        jobs?.translate ?? (options.fileTranslator ? NOTHING_TO_DO : stringsOf(project, journal, options));
      for (const locale of project.targets) {
        if (options.signal.aborted) break;
        const result = await syncLanguage(locale, { workspace, lock, journal, options, translate });
        complete &&= result.complete;
        stopped ??= result.stopped;
        languages.push(result.report);
      }
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code !== 'interrupted') throw error;
    } finally {
      // A run that could do nothing leaves nothing behind; one with a journal leaves its languages to the next.
      if (text !== undefined || !lock.isEmpty || !journal.isEmpty) await saveLock(project, lock, text);
    }
    saved = complete && !options.signal.aborted;
  } finally {
    if (saved) await journal.finish();
    else await journal.close();
  }
  if (saved) await jobs?.discard();
  const { root, source } = project;
  return { report: { root, source, languages, interrupted: options.signal.aborted, stopped }, saved };
}

/** No key was wanted when all were looked at. */
const NOTHING_TO_DO: TranslateKeys = (_locale, wanted) => Promise.resolve(wanted.map(() => CHANGED));

function stringsOf(project: Project, journal: Journal, options: SyncOptions): TranslateKeys {
  let engine: Promise<Engine> | undefined;
  const open = (): Promise<Engine> => (engine ??= options.engine());
  const memory = options.force ? options.memory && humanTranslationsOf(options.memory) : options.memory;
  return translateStrings({ ...options, memory, source: project.source, journal, engine: open });
}

interface LoadedLock {
  readonly lock: Lock;
  /** As it is on disk. */
  readonly text: string | undefined;
  /** What an earlier run left that was cut off. */
  readonly journal: JournalContent | undefined;
}

/** The lock with what a run that was cut off meant to add to it. */
async function loadLock(project: Project): Promise<LoadedLock> {
  const text = await readLockText(project.lockPath);
  const lock = parseOwnLock(project, text ?? '');
  const left = await readJournal(join(project.root, JOURNAL_NAME));
  for (const line of left?.lines ?? []) lock.add(line);
  return { lock, text, journal: left };
}

function parseOwnLock(project: Project, text: string): Lock {
  try {
    return parseLock(text);
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(project.lockPath) : error;
  }
}

/** What the lock should read, as far as it does not depend on the targets' values. */
function lockText(lock: Lock, project: Project): string {
  for (const file of lock.files()) if (!project.sources.has(file)) lock.removeFile(file);
  const { configuration, targets, source } = project;
  const all = configuration.targets ?? [...new Set([...lock.header.targets, ...targets])];
  lock.header = { source, targets: all };
  return serializeLock(lock);
}

async function saveLock(project: Project, lock: Lock, before: string | undefined): Promise<void> {
  const text = lockText(lock, project);
  if (text === before) return;
  await requireUnreserved(project.root, project.lockPath, 'unwritable_output');
  await writeAtomically(project.lockPath, text);
}

function freeOfCharge(report: SyncReport): SyncReport {
  return { ...report, languages: report.languages.map((language) => ({ ...language, credits: 0 })) };
}

async function openSources(workspace: Workspace, signal: AbortSignal): Promise<void> {
  for (const resource of workspace.project.resources) {
    if (signal.aborted) throw new DragomanError('interrupted', 'interrupted before anything was written');
    await workspace.source(resource);
  }
}

interface Clean {
  readonly digest: string;
  readonly report?: SyncReport | undefined;
}

async function findClean(project: Project, cache: CleanStateCache, options: CheckOptions): Promise<Clean> {
  const known = await cache.read();
  const digest = digestProject(project, options.version);
  // It has no keys.
  if (options.force || options.onKeys || known?.digest !== digest) return { digest };
  const languages = readSummary(known.summary);
  const { root, source } = project;
  return { digest, report: languages && { root, source, languages, interrupted: false } };
}

async function remember(
  cache: CleanStateCache,
  digest: string,
  languages: readonly LanguageReport[],
): Promise<void> {
  const summary = summarize(languages);
  await cache.write(summary && { digest, summary });
}
