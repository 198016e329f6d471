import { DragomanError, traitsOf } from '../../../base/errors.ts';
import { throwIfAborted } from '../../../base/interruption.ts';
import { FINAL_STATUSES, type Job, type JobWithFiles } from '../../../contract/jobs.ts';
import type { JobService } from '../../../service/service.ts';

/** Time as a watch knows it. Tests have their own. */
export interface WatchClock {
  /** Milliseconds. */
  now(): number;
  /** Resolves early when `signal` aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface PollOptions {
  readonly signal: AbortSignal;
  readonly clock: WatchClock;
  /** Longest time of the watch. Default: none. */
  readonly timeoutMs?: number | undefined;
  /** Told of every job whenever it is asked about. */
  readonly onJob: (job: Job | JobWithFiles) => void;
  /** Told when the service could not be asked, and is asked again later. */
  readonly onTrouble: (error: DragomanError) => void;
}

/** So many times in a row a service may not answer. Each has been tried several times by the client. */
const MAX_TROUBLES = 5;

const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

export function isFinal({ status }: Pick<Job, 'status'>): boolean {
  return FINAL_STATUSES.some((final) => final === status);
}

/**
 * Polls jobs until all are finished, with one request per round for any number of jobs. The pauses grow to a fifth of
 * the elapsed time, so that callers wait little longer than the work takes,
 * and half a minute of watching uses at most a third of 60 requests.
 *
 * @returns the jobs in the order of `ids`
 * @throws DragomanError `not_found` for a job that is not there (any more), `service_failed` when the time is up, what
 * the service says to the first round, and `interrupted`. The jobs go on.
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
        if (isFinal(job)) done.set(id, job);
      }
      troubles = 0;
      isFirst = false;
    } catch (error) {
      if (isFirst || !isPassing(error) || ++troubles > MAX_TROUBLES || signal.aborted) throw error;
      onTrouble(error);
    }
    if (ids.every((id) => done.has(id))) return ids.flatMap((id) => done.get(id) ?? []);
    const elapsed = clock.now() - start;
    if (elapsed >= timeoutMs) throw timedOut(timeoutMs);
    const delay = Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, elapsed / 5), timeoutMs - elapsed);
    await clock.sleep(delay, signal);
    throwIfAborted(signal, 'stopped watching: the jobs continue');
  }
}

/** Whether the job goes on unseen. */
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
  // A job that is not listed may be deleted, or the service may not list all.
  for (const id of ids) jobs.set(id, listed.get(id) ?? (await service.jobStatus(id, { signal })));
  return jobs;
}

function timedOut(ms: number): DragomanError {
  return new DragomanError('service_failed', `not finished within ${ms / 1000} seconds: the jobs continue`);
}
