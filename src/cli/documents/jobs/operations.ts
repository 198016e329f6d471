import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { DragomanError, traitsOf } from '../../../base/errors.ts';
import { systemError } from '../../../base/system-error.ts';
import {
  type CreateJobRequest,
  type CreateJobResponse,
  FILE_TYPES,
  type Job,
  type JobWithFiles,
  FINAL_STATUSES,
} from '../../../contract/jobs.ts';
import { openFile, type OpenFile } from '../../../documents/localization/open-file.ts';
import { messageKeys } from '../../../documents/localization/pairing.ts';
import { MAX_FILE_BYTES, MAX_TARGET_LANGUAGES } from '../../../contract/limits.ts';
import type { JobService, JobUpload, TranslationService } from '../../../service/service.ts';
import type { CommandContext } from '../../output/command.ts';
import type { Output } from '../../output/output.ts';
import type { Progress } from '../../terminal/progress.ts';
import { requireService } from '../../execution/execution-target.ts';
import type { ServiceFlags } from '../../options/service.ts';
import { withRemote } from '../../execution/remote.ts';
import { oneLine } from '../../terminal/terminal.ts';
import { type Downloaded, downloadFiles, type DownloadPlan, jobLine, shareOf } from './download.ts';
import { pluralize, digits } from '../../terminal/table.ts';
import type { ExitCode } from '../../output/exit-code.ts';
import { throwIfAborted } from '../../../base/interruption.ts';

/**
 * Runs `work` with the jobs of the chosen service.
 *
 * @throws DragomanError `usage` without a service
 */
export async function withJobs<T>(
  flags: ServiceFlags,
  context: CommandContext,
  work: (jobs: JobService, service: TranslationService) => Promise<T>,
): Promise<T> {
  const remote = await requireService(flags, context.terminal, 'jobs require a service');
  if (remote.api?.value === 'v1') {
    throw new DragomanError('usage', 'version 1 of the API has no jobs', { hint: 'Leave out --api.' });
  }
  return withRemote(remote, flags, context, ({ jobs, service }) => work(jobs, service));
}

/**
 * Watches jobs until they end, and shows their progress.
 *
 * @throws DragomanError like `watchUntilDone`, with the command that resumes watching
 */
export async function watchJobs(
  jobs: JobService,
  ids: readonly string[],
  { terminal, output }: CommandContext,
  timeoutSeconds?: number,
): Promise<readonly Job[]> {
  const progress = new JobProgress(output, ids);
  try {
    return await watchUntilDone(jobs, ids, {
      signal: terminal.signal,
      clock: systemClock,
      timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
      onJob: (job) => progress.show(job),
      onTrouble: ({ message }) => output.message(`${message}: retrying`),
    });
  } catch (error) {
    throw withResume(error, ids);
  } finally {
    await progress.stop();
  }
}

/** @throws DragomanError like `createJob`, with a hint if it is unknown whether the job was created */
export async function createJob(
  jobs: JobService,
  request: CreateJobRequest,
  upload: JobUpload,
  { terminal }: CommandContext,
): Promise<CreateJobResponse> {
  try {
    return await jobs.createJob(request, upload, { signal: terminal.signal });
  } catch (error) {
    if (!(error instanceof DragomanError) || !traitsOf(error).uncertain) throw error;
    throw withHint(error, error.message, 'dragoman jobs list shows whether the job was created.');
  }
}

/** The job continues even if watching fails, so the error explains how to resume watching. */
function withResume(error: unknown, ids: readonly string[]): unknown {
  if (!(error instanceof DragomanError) || error.code === 'not_found') return error;
  const isStopped = error.code === 'interrupted';
  const message = isStopped ? 'stopped watching: the jobs continue' : error.message;
  return withHint(error, message, `To continue watching: dragoman jobs watch ${ids.join(' ')}`);
}

/** The service still has the finished, paid translations. */
export function withDownloadHint(error: unknown, id: string): unknown {
  if (!(error instanceof DragomanError)) return error;
  return withHint(error, error.message, `The job is kept: dragoman jobs download ${id}`);
}

function withHint(error: DragomanError, message: string, command: string): DragomanError {
  const hint =
    error.hint === undefined || error.code === 'interrupted' ? command : `${error.hint} ${command}`;
  return new DragomanError(error.code, message, { hint, at: error.at, status: error.status, cause: error });
}

/**
 * Downloads the planned files, and reports each.
 *
 * @throws DragomanError like `downloadFiles`
 */
export async function download(
  jobs: JobService,
  job: JobWithFiles,
  plan: DownloadPlan,
  { output }: CommandContext,
): Promise<readonly Downloaded[]> {
  const done: Downloaded[] = [];
  try {
    for await (const file of downloadFiles(jobs, job, plan)) {
      done.push(file);
      if (!output.json) output.path(file.path);
    }
  } catch (error) {
    throw withDownloadHint(error, job.id);
  }
  return done;
}

/**
 * Checks a file before its job is created, so that files that the service would refuse are not sent.
 *
 * @throws DragomanError `usage`, `unreadable_input`, `limit_exceeded`
 */
export async function prepareUpload(path: string): Promise<JobUpload> {
  if (!Object.hasOwn(FILE_TYPES, extname(path).toLowerCase())) {
    throw new DragomanError('usage', `no format for ${path}`, {
      hint: `Jobs accept ${Object.keys(FILE_TYPES).join(', ')}.`,
    });
  }
  const info = await stat(path).catch((error: unknown) => {
    throw systemError('unreadable_input', `read ${path}`, error);
  });
  if (!info.isFile())
    throw new DragomanError('unreadable_input', `cannot read ${path}: it is not a regular file`);
  if (info.size > MAX_FILE_BYTES) {
    throw new DragomanError(
      'limit_exceeded',
      `${path} has ${digits(info.size)} bytes, but a job accepts at most ${digits(MAX_FILE_BYTES)}`,
      {
        hint: 'Translate it here with --engine, or split it.',
      },
    );
  }
  return { filename: basename(path), path };
}

interface WantedJob {
  readonly source: string | undefined;
  readonly targets: readonly string[];
  readonly webhookUrl?: string | undefined;
}

/** @throws DragomanError `usage` */
export function createRequest({ source, targets, webhookUrl }: WantedJob): CreateJobRequest {
  if (targets.length > MAX_TARGET_LANGUAGES) {
    throw new DragomanError('usage', `more than ${MAX_TARGET_LANGUAGES} target languages`);
  }
  if (webhookUrl !== undefined && !(URL.canParse(webhookUrl) && new URL(webhookUrl).protocol === 'https:')) {
    throw new DragomanError('usage', '--webhook-url must be an https URL');
  }
  return {
    source_language: source ?? 'auto',
    target_languages: targets.join(','),
    ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
  };
}

/** The price of work at a service. */
export interface JobCredits {
  readonly credits: number;
  /** Includes requests for single values that do not verify; undefined: their number is unlimited. */
  readonly most?: number;
}

/**
 * Limits extra requests, so that a faulty service cannot double the price of a large file. A value with placeholders
 * can cost several credits.
 */
const [LEAST_SPARE, SPARE_SHARE] = [20, 0.1];

/**
 * The price of jobs in credits: one per key and language.
 *
 * @param files one per language; if a file's source language is unknown, none of its values are requested again
 */
export function creditsOf(
  files: readonly { readonly source: OpenFile; readonly language: string }[],
): Required<JobCredits> {
  let [credits, repeatable] = [0, 0];
  for (const { source, language } of files) {
    const keys = messageKeys(source.document).size;
    credits += keys;
    if (language !== 'auto') repeatable += keys;
  }
  const spare = repeatable > 0 ? Math.max(LEAST_SPARE, Math.ceil(repeatable * SPARE_SHARE)) : 0;
  return { credits, most: credits + spare };
}

/** Reports the price: a service charges one credit per key and language. */
export async function reportNewJob(
  path: string,
  { source, targets }: { readonly source: string | undefined; readonly targets: readonly string[] },
  output: Output,
): Promise<ExitCode> {
  const { document } = await openFile(path, { locale: source });
  const keys = messageKeys(document).size;
  const credits = keys * targets.length;
  return output.answer({ dry_run: true, file: path, target_languages: targets, keys, credits }, () =>
    output.result(
      `${output.shown(path)}: ${pluralize(keys, 'key')} into ${targets.join(', ')}: ${pluralize(credits, 'credit')}`,
    ),
  );
}

/** Shows the progress of all jobs together, and each change of status. */
class JobProgress {
  readonly #output: Output;
  readonly #progress: Progress;
  readonly #jobs: Map<string, Job | undefined>;

  constructor(output: Output, ids: readonly string[]) {
    this.#output = output;
    this.#progress = output.progress();
    this.#jobs = new Map(ids.map((id) => [id, undefined]));
  }

  show(job: Job | JobWithFiles): void {
    if (this.#jobs.get(job.id)?.status !== job.status) this.#output.message(jobLine(job));
    this.#jobs.set(job.id, job);
    const ids = [...this.#jobs.keys()];
    const known = [...this.#jobs.values()].filter((one) => one !== undefined);
    const sum = (pick: (one: Job) => number): number => known.reduce((all, one) => all + pick(one), 0);
    const total = sum(({ total_keys }) => total_keys);
    const seconds = ids.length === 1 && 'seconds_left' in job ? job.seconds_left : undefined;
    this.#progress.show({
      label: oneLine(job.original_filename),
      at: ids.indexOf(job.id) + 1,
      of: ids.length,
      done: sum((one) => Math.floor(shareOf(one) * one.total_keys)),
      total,
      unit: 'keys',
      msLeft: seconds == null ? undefined : seconds * 1000,
    });
  }

  stop(): Promise<void> {
    return this.#progress.stop();
  }
}

/** @throws DragomanError `usage` for an invalid job id, which would become part of a URL */
export function requireJobId(text: string): string {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  throw new DragomanError('usage', `${JSON.stringify(text)} is not a job id`, {
    hint: 'dragoman jobs list shows the ids.',
  });
}

/**
 * The ids without duplicates, in order.
 *
 * @throws DragomanError `usage`
 */
export function requireJobIds(args: readonly string[]): readonly string[] {
  return [...new Set(args.map(requireJobId))];
}

export interface PollOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Maximum time to watch. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Receives every job's state after each request. */
  readonly onJob: (job: Job | JobWithFiles) => void;
  /** Called if the service could not be reached and will be tried again. */
  readonly onTrouble: (error: DragomanError) => void;
}

/** How many rounds in a row may fail. In each, the client has already retried several times. */
const MAX_TROUBLES = 5;

const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/**
 * Polls jobs until all have ended, with one request per round for any number of jobs. The pauses grow to a fifth of the
 * elapsed time, so that callers wait little longer than the work takes, and half a minute of watching uses at most a
 * third of the limit of 60 requests.
 *
 * @returns the jobs in the order of `ids`
 * @throws DragomanError `not_found` for a missing or deleted job, `service_failed` when the time is up, errors of the
 * service in the first round, and `interrupted`. The jobs continue.
 */
export async function watchUntilDone(
  service: JobService,
  ids: readonly string[],
  options: PollOptions,
): Promise<readonly Job[]> {
  const { signal, clock, timeoutMs = Infinity, onJob, onTrouble } = options;
  const start = clock.now();
  const done = new Map<string, Job>();
  let troubles = 0;
  let isFirst = true;
  for (;;) {
    try {
      const open = ids.filter((id) => !done.has(id));
      for (const [id, job] of await ask(service, open, signal)) {
        onJob(job);
        if (FINAL_STATUSES.some((final) => final === job.status)) done.set(id, job);
      }
      troubles = 0;
      isFirst = false;
    } catch (error) {
      if (isFirst || !isPassing(error) || ++troubles > MAX_TROUBLES || signal.aborted) throw error;
      onTrouble(error);
    }
    if (ids.every((id) => done.has(id))) return ids.flatMap((id) => done.get(id) ?? []);
    const elapsed = clock.now() - start;
    if (elapsed >= timeoutMs) {
      const message = `not finished within ${timeoutMs / 1000} seconds: the jobs continue`;
      throw new DragomanError('service_failed', message);
    }
    const delay = Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, elapsed / 5), timeoutMs - elapsed);
    await clock.wait(delay, signal).catch(() => undefined);
    throwIfAborted(signal, 'stopped watching: the jobs continue');
  }
}

/** Whether the error may be temporary. */
function isPassing(error: unknown): error is DragomanError {
  return error instanceof DragomanError && traitsOf(error).transient === true;
}

/** The list reports all jobs at once. */
async function ask(
  service: JobService,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Job | JobWithFiles>> {
  const [only] = ids;
  if (only !== undefined && ids.length === 1) {
    return new Map([[only, await service.jobStatus(only, { signal })]]);
  }
  const listed = new Map((await service.listJobs({ signal })).map((job) => [job.id, job]));
  const jobs = new Map<string, Job | JobWithFiles>();
  // An unlisted job may have been deleted, or the list may be incomplete.
  for (const id of ids) jobs.set(id, listed.get(id) ?? (await service.jobStatus(id, { signal })));
  return jobs;
}
