import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { DragomanError } from '../../../base/errors.ts';
import type { Job, JobWithFiles } from '../../../contract/jobs.ts';
import { parseLocale } from '../../../languages/locale.ts';
import { openBytes, type OpenFile } from '../../../documents/localization/open-file.ts';
import type { JobService } from '../../../service/service.ts';
import type { CommandContext } from '../../output/command.ts';
import { type ExitCode, OK, PARTIAL } from '../../output/exit-code.ts';
import { filesDocument, type OtherFiles } from '../open-each.ts';
import { writeOutput } from '../destinations.ts';
import { nameOfKey } from '../../output/findings.ts';
import type { Output } from '../../output/output.ts';
import {
  type AcceptedTranslation,
  type Downloaded,
  type DownloadPlace,
  type DownloadPlan,
  exitCodeOfJobs,
  jobLine,
  requireSize,
} from './download.ts';
import { openAnswer, sharesKeys } from '../../../documents/localization/answer.ts';
import { type FailedKey, translateFile } from '../../../documents/localization/translate-file.ts';
import type { Engine } from '../../../engines/engine.ts';
import { ANSWER_ONLY_ENGINE } from '../../../engines/unasked.ts';
import { spellInFile } from '../../../formats/registry.ts';
import { createJob, createRequest, prepareUpload, watchJobs, withDownloadHint } from './operations.ts';

/** A file, and the destinations of its translations. */
export interface UploadTask {
  readonly source: OpenFile;
  /** The file's language: `auto` or a code. */
  readonly language: string;
  /** Output paths by target language. */
  readonly outputs: ReadonlyMap<string, string>;
  /** Whether the outputs must not replace existing files. */
  readonly isNew: boolean;
}

/** The result for a file with a job. */
export interface FileResult {
  readonly task: UploadTask;
  readonly job: Job;
  readonly files: readonly Downloaded[];
  /** Targets without a translated file. */
  readonly missing: readonly string[];
}

export interface FilesResult {
  readonly results: readonly FileResult[];
  /** Why the other files are missing. Created jobs are still completed and downloaded, because they are paid for. */
  readonly error: DragomanError | undefined;
}

interface StartedJob {
  readonly task: UploadTask;
  readonly id: string;
}

interface JobHandling {
  readonly isDeleted: boolean;
  /** The same service for single texts, used for values that do not verify. */
  readonly engine: Engine;
}

/**
 * Translates files with jobs: creates one per file, waits for all, verifies and writes their translations and, on
 * request, deletes jobs whose translations are all written.
 *
 * @throws DragomanError like `prepareUpload` and `watchJobs`, and the errors of the first creation
 */
export async function translateFiles(
  jobs: JobService,
  tasks: readonly UploadTask[],
  { isDeleted, engine }: JobHandling,
  context: CommandContext,
): Promise<FilesResult> {
  const { signal } = context.terminal;
  const { started, error: refused } = await createJobs(jobs, tasks, context);
  const ids = started.map(({ id }) => id);
  const done = await watchJobs(jobs, ids, context);
  const results: FileResult[] = [];
  let error = refused;
  for (const [i, { task, id }] of started.entries()) {
    try {
      const result = await collect({ jobs, engine, id }, task, context);
      results.push({ ...result, job: done[i] ?? result.job });
      if (isDeleted && result.missing.length === 0) await jobs.deleteJob(id, { signal });
    } catch (failure) {
      // The other jobs' files are paid for too, so they are still written.
      if (!(failure instanceof DragomanError) || signal.aborted) throw failure;
      error ??= failure;
    }
  }
  return { results, error };
}

async function createJobs(
  jobs: JobService,
  tasks: readonly UploadTask[],
  context: CommandContext,
): Promise<{ readonly started: readonly StartedJob[]; readonly error: DragomanError | undefined }> {
  const uploads = await Promise.all(tasks.map(({ source }) => prepareUpload(source.path)));
  const started: StartedJob[] = [];
  for (const [i, upload] of uploads.entries()) {
    const task = tasks[i];
    if (!task) continue;
    try {
      const request = createRequest({ source: task.language, targets: [...task.outputs.keys()] });
      const { job_id: id } = await createJob(jobs, request, upload, context);
      started.push({ task, id });
      // Printed immediately, because the job exists even if this process dies.
      context.output.message(`created job ${id} for ${basename(task.source.path)}`);
    } catch (error) {
      if (started.length === 0 || !(error instanceof DragomanError)) throw error;
      return { started, error: error.inFile(task.source.path) };
    }
  }
  return { started, error: undefined };
}

async function collect(
  { jobs, engine, id }: { readonly jobs: JobService; readonly engine: Engine; readonly id: string },
  task: UploadTask,
  { terminal }: CommandContext,
): Promise<FileResult> {
  const { signal } = terminal;
  const files: Downloaded[] = [];
  const missing: string[] = [];
  try {
    const job = await jobs.jobStatus(id, { signal });
    for (const [target, path] of task.outputs) {
      const listed = findFile(job, target);
      if (!listed) {
        missing.push(target);
        continue;
      }
      const file = await jobs.downloadJob(id, { language_code: listed.language_code }, { signal });
      const bytes = await buffer(file.content);
      requireSize(bytes.length, file.size ?? listed.file_size, path);
      const taken = await takeTranslation({ ...task, engine }, { bytes, path, target }, signal);
      await writeOutput(path, taken.bytes, task);
      files.push({ language: target, path, size: taken.bytes.length, failed: taken.failed });
    }
    return { task, job, files, missing };
  } catch (error) {
    throw withDownloadHint(error, id);
  }
}

interface Taken extends Pick<UploadTask, 'source' | 'language'> {
  /** The engine for values that do not verify, if the source language is known. Default: none. */
  readonly engine?: Engine;
}

/**
 * Copies the verified values of a translated file into the current source file, and nothing else. Keys without a valid
 * translation keep their source text.
 *
 * @throws DragomanError `contract_violation` for a file that is unreadable, or has none of the keys
 */
async function takeTranslation(
  { source, language, engine = ANSWER_ONLY_ENGINE }: Taken,
  { bytes, path, target }: DownloadPlace & { readonly bytes: Uint8Array },
  signal: AbortSignal,
): Promise<AcceptedTranslation> {
  const { document } = await openAnswer(source, bytes, path, target);
  if (!sharesKeys(source.document, document)) {
    const message = `the service's translation of ${source.path} into ${target} has no text for any of its keys`;
    throw new DragomanError('contract_violation', message, { hint: 'Nothing was written.' });
  }
  const locale = { locale: target, spelling: spellInFile(target, source.format) };
  return translateFile(source, locale, {
    ...(language === 'auto' ? { engine: ANSWER_ONLY_ENGINE, source: 'und' } : { engine, source: language }),
    signal,
    answer: document,
  });
}

/** Accepts only values that verify against the file for which the job was created. */
export function acceptFor(source: OpenFile, language: string, signal: AbortSignal): DownloadPlan['accept'] {
  return (bytes, { path, target }) =>
    takeTranslation({ source, language }, { bytes, path, target: parseLocale(target) ?? target }, signal);
}

/** Without the original, a translation can only be checked for readability. */
export const acceptReadable: DownloadPlan['accept'] = async (bytes, { path, target }) => {
  try {
    await openBytes(bytes, path, { locale: parseLocale(target) });
  } catch (cause) {
    if (!(cause instanceof DragomanError)) throw cause;
    const message = `the service's translation into ${target} cannot be read: ${cause.message}`;
    throw new DragomanError('contract_violation', message, { cause, hint: 'Nothing was written.' });
  }
  return { bytes, failed: [] };
};

export function reportFailedKeys(source: string, files: readonly Downloaded[], output: Output): ExitCode {
  for (const { language, failed } of files) printFailedKeys(source, language, failed, output);
  return files.every(({ failed }) => failed.length === 0) ? OK : PARTIAL;
}

/** The service may spell a code differently than the request. */
function findFile(job: JobWithFiles, target: string): JobWithFiles['translated_files'][number] | undefined {
  return job.translated_files.find(
    ({ language_code: code }) => code === target || parseLocale(code) === target,
  );
}

/** Prints the results of the files, and returns the matching exit code. */
export function reportFiles({ results, error }: FilesResult, others: OtherFiles, output: Output): ExitCode {
  const worst = exitCodeOfJobs(results.map(({ job }) => job));
  const isWhole =
    others.unreadable.length === 0 &&
    results.every(
      ({ missing, files }) => missing.length === 0 && files.every(({ failed }) => failed.length === 0),
    );
  const files = results.flatMap(({ task, job, files: written }) =>
    written.map(({ language, path, size, failed }) => ({
      source: task.source.path,
      language_code: language,
      path,
      file_size: size,
      job_id: job.id,
      failures: failed.map(failureDocument),
    })),
  );
  const document = { ...filesDocument(files, others), jobs: results.map(({ job }) => job) };
  if (output.json && !error) output.document(document);
  if (!output.json) for (const result of results) printJob(result, output);
  if (error) return output.failure(error, document);
  return worst === OK && !isWhole ? PARTIAL : worst;
}

export function failureDocument({ key, position, reason }: FailedKey): object {
  return { key, ...position, reason };
}

export function printFailedKeys(
  path: string,
  language: string,
  failed: readonly FailedKey[],
  output: Output,
): void {
  for (const { position, reason, ...key } of failed) {
    const place = `${path}:${position.line}:${position.column}`;
    output.problem(`${place}: ${nameOfKey(key)} (${language}) keeps its source text: ${reason}`);
  }
}

function printJob({ task, job, files, missing }: FileResult, output: Output): void {
  for (const { path, language, failed } of files) {
    output.path(path);
    printFailedKeys(task.source.path, language, failed, output);
  }
  if (job.status !== 'completed') output.problem(jobLine(job));
  if (missing.length > 0) output.problem(`${job.id}: no translation into ${missing.join(', ')}`);
}
