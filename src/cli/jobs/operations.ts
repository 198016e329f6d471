import { setTimeout as sleep } from 'node:timers/promises';
import { DragomanError, traitsOf } from '../../base/errors.ts';
import type { CreateJobRequest, CreateJobResponse, Job, JobWithFiles } from '../../contract/jobs.ts';
import type { JobService, JobUpload } from '../../service/jobs.ts';
import type { CommandContext } from '../command.ts';
import type { ServiceFlags } from '../service/options.ts';
import { requireService } from '../service/execution-target.ts';
import { withRemote } from '../service/remote.ts';
import { downloadFiles, type Downloaded, type DownloadPlan } from './download.ts';
import { watchUntilDone, type WatchClock } from './poll.ts';
import { JobProgress } from './progress.ts';

/** Runs `work` with the jobs of the service that is chosen. @throws DragomanError `usage` when none is. */
export async function withJobs<T>(
  flags: ServiceFlags,
  context: CommandContext,
  work: (jobs: JobService) => Promise<T>,
): Promise<T> {
  const remote = await requireService(flags, context.terminal, 'jobs are done by one');
  if (remote.api?.value === 'v1') {
    throw new DragomanError('usage', 'version 1 of the interface has no jobs', { hint: 'Leave --api out.' });
  }
  return withRemote(remote, flags, context, ({ jobs }) => work(jobs));
}

const CLOCK: WatchClock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
};

/**
 * Watches jobs to their end and shows how they get on.
 *
 * @throws DragomanError as `watchUntilDone`, with the command that resumes the watch.
 */
export async function watchJobs(
  jobs: JobService,
  ids: readonly string[],
  { terminal, output }: CommandContext,
  timeoutSeconds?: number,
): Promise<readonly Job[]> {
  const progress = new JobProgress(output, await output.progress());
  try {
    return await watchUntilDone(jobs, ids, {
      signal: terminal.signal,
      clock: CLOCK,
      timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
      onJob: (job) => progress.show(job),
      onTrouble: ({ message }) => output.message(`${message}: asking again`),
    });
  } catch (error) {
    throw withResume(error, ids);
  } finally {
    progress.stop();
  }
}

/** @throws DragomanError as `createJob`; with a hint if it is unknown whether the job was created. */
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

/** Whatever ends a watch, the job goes on: the user has to know how to come back to it. */
function withResume(error: unknown, ids: readonly string[]): unknown {
  if (!(error instanceof DragomanError) || error.code === 'not_found') return error;
  const isStopped = error.code === 'interrupted';
  const message = isStopped ? 'stopped watching: the jobs continue' : error.message;
  return withHint(error, message, `To come back: dragoman jobs watch ${ids.join(' ')}`);
}

/** What was translated is at the service still: it is paid for. */
export function withDownloadHint(error: unknown, id: string): unknown {
  if (!(error instanceof DragomanError)) return error;
  return withHint(error, error.message, `The job is kept: dragoman jobs download ${id}`);
}

function withHint(error: DragomanError, message: string, command: string): DragomanError {
  const hint =
    error.hint === undefined || error.code === 'interrupted' ? command : `${error.hint} ${command}`;
  return new DragomanError(error.code, message, { hint, at: error.at, status: error.status, cause: error });
}

/** Downloads what the plan says and reports each file. @throws DragomanError as `downloadFiles`. */
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
      if (!output.json) output.result(file.path);
    }
  } catch (error) {
    throw withDownloadHint(error, job.id);
  }
  return done;
}
