import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DragomanError } from '../base/errors.ts';
import type { Engine } from '../engines/engine.ts';
import { EngineHost } from '../engines/host.ts';
import type { AccountResources } from '../resources/account-resources.ts';
import { SOURCE_FILE, type Instance, type JobStore, type StoredFiles } from '../store/store.ts';
import { accountJobs } from './account-jobs.ts';
import { InspectionBudget, type OtherInspections } from './inspection-budget.ts';
import { Inspector } from './inspector.ts';
import { CachedFiles } from './cached-files.ts';
import { DirectoryFiles, STALE_MS, type JobFiles } from './job-files.ts';
import { showEvent } from './job-view.ts';
import type { Jobs } from './jobs.ts';
import { silentLog, type JobLog } from './log.ts';
import { Runner } from './runner.ts';
import { FileWorker } from './worker/file-worker.ts';

export interface JobsOptions {
  /** The caller closes it after the jobs, and `engine` too. */
  readonly instance: Instance;
  /** The data directory, with the files in `jobs/`. If files are stored elsewhere, it only has copies. */
  readonly directory: string;
  /**
   * Where files are stored so that all processes on the store can read them. Default: in the store if it is shared,
   * otherwise in the directory.
   */
  readonly files?: StoredFiles | undefined;
  readonly engine: Engine;
  /** Translation resources besides the engine. Default: none. */
  readonly resources?: AccountResources | undefined;
  /** The current base address of translated files. */
  readonly publicUrl: () => string;
  /** Called when a unit has ended, with the credits charged. */
  readonly onCharged?: ((credits: number) => void) | undefined;
  /** Called when a job has ended and its webhook call, if any, is stored. */
  readonly onJobEnded?: (() => void) | undefined;
  /** Whether translation into this language should fail, to simulate failures. */
  readonly failsLanguage?: ((code: string) => boolean) | undefined;
  /** Whether webhooks may call this machine and private networks. Default false. */
  readonly allowPrivateWebhooks?: boolean | undefined;
  /** How long finished jobs are kept, in milliseconds. Default: until they are deleted. */
  readonly keepMs?: number | undefined;
  /**
   * The number of translating processes. While all of them have large files, one more handles small files. Default: one
   * less than the number of processors, at least one.
   */
  readonly workers?: number | undefined;
  /** Counts inspection time of other processes as well. Default: only this process counts. */
  readonly otherInspections?: OtherInspections | undefined;
  readonly log?: JobLog | undefined;
  readonly now?: (() => number) | undefined;
  /** Limits of time and memory, for tests. */
  readonly limits?: JobLimits | undefined;
}

export interface JobLimits {
  /** How long a translation may make no progress. */
  readonly unitStallMs?: number | undefined;
  readonly inspectionMs?: number | undefined;
  /** The inspection time of one account's uploads per window. */
  readonly inspectionBudget?: { readonly ms: number; readonly windowMs: number } | undefined;
  /** The time limit of one call of the engine. */
  readonly callMs?: number | undefined;
  /** Megabytes per worker: see `FileWorkerOptions`. */
  readonly heap?: { readonly usual: number; readonly most: number } | undefined;
  readonly lookMs?: number | undefined;
  readonly turnMs?: number | undefined;
}

const UNIT_STALL_MS = 5 * 60_000;
const INSPECTION_MS = 60_000;
/** Enough for a dozen files of 10 MB, or a thousand ordinary ones. */
const INSPECTION_BUDGET = { ms: 30_000, windowMs: 60_000 };
/** Short, because large uploads come in bursts. */
const INSPECTOR_IDLE_MS = 1_000;
/**
 * How long the spare process waits for another small job. Longer than {@link LOOK_MS}, so that it stays while a large
 * unit runs.
 */
const SPARE_IDLE_MS = 10_000;
/** The usual heap is large enough for a JSON file of 10 MB, the larger heap for a YAML file of 10 MB. */
const HEAP_MEGABYTES = { usual: 320, most: 2_048 };
/** How often to look for work from other processes, and for processes that died. */
const LOOK_MS = 5_000;
/** How long a large unit runs before it makes room for smaller jobs. Restarting a unit takes about as long. */
const TURN_MS = 2_000;

/**
 * Opens the jobs of a data directory, takes over the work of processes that died, and starts working. Several processes
 * may open the same directory.
 *
 * @throws DragomanError `unwritable_output` if the directory is unusable
 */
export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const { instance, engine, publicUrl, limits = {}, now = instance.now } = options;
  const store = instance.jobs;
  const files = await openFiles(options, now());
  const log = options.log ?? silentLog;
  const host = new EngineHost(engine, log, limits.callMs);
  const worker = (stallMs: number, idleMs?: number): FileWorker =>
    new FileWorker({
      host,
      resources: options.resources,
      stallMs,
      idleMs,
      heap: limits.heap ?? HEAP_MEGABYTES,
    });
  const workers = options.workers ?? defaultWorkers();
  const inspecting = (idleMs: number): FileWorker => worker(limits.inspectionMs ?? INSPECTION_MS, idleMs);
  const budget = { ...INSPECTION_BUDGET, ...limits.inspectionBudget };
  const inspections = new InspectionBudget({ ...budget, now, others: options.otherInspections });
  const inspector = new Inspector({
    small: inspecting(SPARE_IDLE_MS),
    large: inspecting(INSPECTOR_IDLE_MS),
    budget: inspections,
  });
  const runner = new Runner({
    instance,
    files,
    workers: Array.from({ length: workers }, () => worker(limits.unitStallMs ?? UNIT_STALL_MS)),
    log,
    spare: worker(limits.unitStallMs ?? UNIT_STALL_MS, SPARE_IDLE_MS),
    lookMs: limits.lookMs ?? LOOK_MS,
    turnMs: limits.turnMs ?? TURN_MS,
    keepMs: options.keepMs,
    now,
    onCharged: options.onCharged ?? (() => undefined),
    onJobEnded: options.onJobEnded ?? (() => undefined),
    failsLanguage: options.failsLanguage ?? (() => false),
    resources: options.resources,
  });
  instance.onNews((news) => {
    if (news === 'units') runner.wake();
    const deleted = /^deleted (.+)$/.exec(news)?.[1];
    if (deleted === undefined) return;
    // This process may have a copy of the source.
    const dropped = runner.drop(deleted).then(() => files.remove(deleted));
    dropped.catch((error: unknown) => log.error({ err: error, job: deleted }, 'cannot remove a deleted job'));
  });
  const allowPrivateWebhooks = options.allowPrivateWebhooks ?? false;
  const tools = { store, files, engine, inspector, runner, publicUrl, allowPrivateWebhooks, now };
  return {
    of: (accountId) => accountJobs(accountId, tools),
    requireUploads: (accountId) => inspections.require(accountId),
    async webhookBody(jobId) {
      const job = await store.find(jobId);
      const event = job && showEvent(job, await store.units(jobId), publicUrl());
      return event && JSON.stringify(event);
    },
    counts: async () => ({ waiting: await store.countWaiting(), running: runner.running }),
    async close(graceMs) {
      await Promise.all([inspector.close(), runner.close(graceMs)]);
    },
  };
}

export function defaultWorkers(): number {
  return Math.max(1, availableParallelism() - 1);
}

async function openFiles(options: JobsOptions, now: number): Promise<JobFiles> {
  const { instance, directory, files: stored = instance.files } = options;
  if (stored) {
    await requireSamePlace(stored, instance.jobs);
    await stored.sweep(STALE_MS);
    return new CachedFiles(join(directory, 'cache'), stored);
  }
  const files = new DirectoryFiles(directory, instance.id);
  await files.prepare();
  const filesOf: JobStore['filesOf'] = (jobIds) => instance.jobs.filesOf(jobIds);
  await files.sweep({ filesOf, instances: () => instance.registered() }, now);
  return files;
}

/** @throws DragomanError `configuration` if the other processes on the store keep files elsewhere */
async function requireSamePlace(stored: StoredFiles, jobs: JobStore): Promise<void> {
  const newest = await jobs.newest();
  if (newest === undefined) return;
  try {
    // The first chunk shows that the file can be read.
    for await (const _ of await stored.read(newest, SOURCE_FILE)) break;
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== 'not_found') throw error;
    // The job may have been deleted meanwhile.
    if ((await jobs.newest()) !== newest) return requireSamePlace(stored, jobs);
    throw new DragomanError(
      'configuration',
      'the job files of the store are not in the place that --files names',
      {
        hint: 'All servers on one store need the same --files; without it, the store itself keeps the files.',
        cause: error,
      },
    );
  }
}
