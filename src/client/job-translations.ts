import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { DragomanError, traitsOf } from '../base/errors.ts';
import { interrupted } from '../base/interruption.ts';
import { reasonOf } from '../base/system-error.ts';
import { FILE_TYPES, FINAL_STATUSES, type Job } from '../contract/jobs.ts';
import { MAX_FILE_BYTES } from '../contract/limits.ts';
import type {
  FileTranslationJob,
  FileTranslator,
  FileTranslationEnd,
  JobWait,
} from '../engines/file-translator.ts';
import type { JobService } from '../service/service.ts';
import type { EngineTextService } from './service-engine.ts';
import { Budget } from './budget.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { ServiceLanguages } from './languages.ts';
import { SERVICE_ENGINE } from '../engines/registry.ts';

export interface JobTranslationOptions {
  /** The credits that the jobs may spend. Default: the account's balance. */
  readonly budget?: Budget | undefined;
  /** How long a job may show no progress. Default 10 minutes. */
  readonly stalledMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

interface JobConnection {
  readonly service: EngineTextService;
  readonly jobs: JobService;
}

const FIRST_POLL_MS = 500;
/** Frequent polling does not make a job of several minutes faster. */
const LONGEST_POLL_MS = 10_000;
const STALLED_MS = 10 * 60_000;

/**
 * Translates whole files with a service's jobs (specification: `POST /v2/translate/i18n`): 1 credit per key and
 * language, reserved when the job is created. Needs no closing.
 */
export function createJobTranslations(
  { service, jobs }: JobConnection,
  { budget = new Budget(), stalledMs = STALLED_MS, clock = systemClock }: JobTranslationOptions = {},
): FileTranslator {
  const languages = new ServiceLanguages(service);
  const codeOf = async (locale: string, signal: AbortSignal): Promise<string> => {
    const code = await languages.codeOf(locale, signal);
    if (code !== undefined) return code;
    throw new DragomanError('unsupported_language', `the service does not translate ${locale}`);
  };
  return {
    id: SERVICE_ENGINE,
    refusal: refusalOfJob,
    async supports(source, target, signal) {
      const codes = [await languages.codeOf(source, signal), await languages.codeOf(target, signal)];
      return !codes.includes(undefined);
    },
    afford(targets, keys) {
      const affordable = targets.slice(0, budget.take(targets.length, keys));
      return {
        targets: affordable,
        error: affordable.length < targets.length ? budget.exhausted() : undefined,
      };
    },
    async create(job, signal) {
      try {
        const source_language = await codeOf(job.source, signal);
        const codes = await Promise.all(job.targets.map((target) => codeOf(target, signal)));
        const { job_id } = await withCopy(job, (path) =>
          jobs.createJob(
            { source_language, target_languages: codes.join(',') },
            { filename: job.name, path },
            { signal },
          ),
        );
        budget.spend(job.targets.length * job.keys);
        return job_id;
      } catch (error) {
        // The job was not created, so nothing was charged.
        if (error instanceof DragomanError && !traitsOf(error).uncertain)
          budget.giveBack(job.targets.length * job.keys);
        throw error;
      }
    },
    async find({ id, name }, signal) {
      const found = id === undefined ? await findNamed(jobs, name, signal) : await look(jobs, id, signal);
      return found && found.status !== 'failed' ? found.id : undefined;
    },
    wait: (id, options) => waitFor(jobs, id, { ...options, clock, stalledMs }),
    async download(id, target, signal) {
      const language_code = await codeOf(target, signal);
      const { content } = await jobs.downloadJob(id, { language_code }, { signal });
      return buffer(content);
    },
    async discard(id, signal) {
      await jobs.deleteJob(id, { signal });
    },
  };
}

/** Why the specification allows no job for a file of this name and size; undefined if it allows one. */
export function refusalOfJob(filename: string, bytes: number): string | undefined {
  if (!Object.hasOwn(FILE_TYPES, extname(filename).toLowerCase()))
    return 'the service does not accept files of this kind as jobs';
  if (bytes <= MAX_FILE_BYTES) return undefined;
  return `the file is larger than the ${MAX_FILE_BYTES / 1024 / 1024} MiB allowed for a job`;
}

/** Sends a copy of the bytes: the file may change before it is sent. */
async function withCopy<T>({ bytes }: FileTranslationJob, work: (path: string) => Promise<T>): Promise<T> {
  const directory = await copyTo(bytes);
  try {
    return await work(join(directory, COPY));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const COPY = 'source';

async function copyTo(bytes: Uint8Array): Promise<string> {
  try {
    const directory = await mkdtemp(join(tmpdir(), 'dragoman-job-'));
    await writeFile(join(directory, COPY), bytes, { mode: 0o600 });
    return directory;
  } catch (error) {
    throw new DragomanError(
      'unwritable_output',
      `cannot prepare the file for the service: ${reasonOf(error)}`,
      { cause: error },
    );
  }
}

async function findNamed(jobs: JobService, name: string, signal: AbortSignal): Promise<Job | undefined> {
  const all = await jobs.listJobs({ signal });
  return all.find(({ original_filename }) => original_filename === name);
}

async function look(jobs: JobService, id: string, signal: AbortSignal): Promise<Job | undefined> {
  try {
    return await jobs.jobStatus(id, { signal });
  } catch (error) {
    if (error instanceof DragomanError && error.code === 'not_found') return undefined;
    throw error;
  }
}

interface WatchedJob extends JobWait {
  readonly clock: Clock;
  readonly stalledMs: number;
}

/** Polls at growing intervals, unless something has changed. */
async function waitFor(
  jobs: JobService,
  id: string,
  { signal, onProgress, clock, stalledMs }: WatchedJob,
): Promise<FileTranslationEnd> {
  let seen = '';
  let changed = clock.now();
  let pause = FIRST_POLL_MS;
  for (;;) {
    const job = await jobs.jobStatus(id, { signal });
    const status = FINAL_STATUSES.find((final) => final === job.status);
    if (status) return { status, reason: job.error_message ?? undefined };
    const { translated_keys, failed_keys, total_keys } = job;
    onProgress?.(translated_keys + failed_keys, total_keys);
    const state = `${job.status} ${translated_keys} ${failed_keys} ${job.updated_at}`;
    if (state !== seen) {
      seen = state;
      changed = clock.now();
    } else if (clock.now() - changed >= stalledMs) throw stalled(id, stalledMs);
    try {
      await clock.wait(pause, signal);
    } catch {
      throw interrupted('interrupted while a job was running');
    }
    pause = Math.min(pause * 1.5, LONGEST_POLL_MS);
  }
}

function stalled(id: string, ms: number): DragomanError {
  return new DragomanError('service_failed', `job ${id} made no progress in ${Math.round(ms / 60_000)} min`, {
    hint: 'It continues at the service: the next sync looks for it again.',
  });
}
