import { DragomanError } from '../base/errors.ts';
import { throwIfAborted } from '../base/interruption.ts';
import { fileNotFound, JOB_NOT_FOUND } from '../contract/details.ts';
import { MAX_LISTED_JOBS } from '../contract/limits.ts';
import { translatedName } from '../formats/registry.ts';
import { parseLocale } from '../languages/locale.ts';
import type { JobCallOptions, JobFile, JobService } from '../service/service.ts';
import type { JobRow } from '../store/store.ts';
import { createJob, type CreationTools } from './job-creation.ts';
import { showJob, showJobWithFiles } from './job-view.ts';
import { type Runner, waitFor } from './runner.ts';

export interface ServiceTools extends CreationTools {
  readonly runner: Runner;
  readonly publicUrl: () => string;
}

/** How long the answer to a deletion waits for what runs of the job. */
const DROP_MS = 500;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The operations on the jobs of one account. Requests are valid by their schemas: the server checks them, once. */
export function accountJobs(accountId: string, tools: ServiceTools): JobService {
  const { store, files, runner, publicUrl, now } = tools;
  const requireJob = async (id: string, { signal }: JobCallOptions): Promise<JobRow> => {
    throwIfAborted(signal);
    // A malformed id belongs to no job. Ids are written in lower case.
    const job = UUID.test(id) ? await store.findOf(accountId, id.toLowerCase()) : undefined;
    if (!job) throw new DragomanError('not_found', JOB_NOT_FOUND);
    return job;
  };
  return {
    async createJob(request, upload, { signal }) {
      throwIfAborted(signal);
      const created = await createJob(accountId, request, upload, signal, tools);
      runner.wake();
      return created;
    },

    async listJobs({ signal, limit = MAX_LISTED_JOBS, cursor, onMore }) {
      throwIfAborted(signal);
      const { jobs, next } = await store.list(accountId, { limit, cursor });
      if (next !== undefined) onMore?.(next);
      return jobs.map(showJob);
    },

    async jobStatus(id, options) {
      const job = await requireJob(id, options);
      const [units, delivery] = await Promise.all([store.units(job.id), store.delivery(job.id)]);
      return showJobWithFiles(job, { units, delivery, now: now() }, publicUrl());
    },

    async downloadJob(id, { language_code: asked }, options) {
      const job = await requireJob(id, options);
      const code = parseLocale(asked);
      const unit = (await store.units(job.id)).find(({ language_code }) => language_code === code);
      if (!unit || unit.file_id === null || unit.file_size === null) {
        throw new DragomanError('not_found', fileNotFound(shown(asked)));
      }
      const content = await files.openTranslation(job.id, unit.file_id).catch(async (error: unknown) => {
        // It may have been deleted at this very moment; else the directory is damaged, or the store does not answer.
        await requireJob(id, options);
        if (error instanceof DragomanError && error.code !== 'not_found') throw error;
        throw new DragomanError('internal', 'a translated file is missing', { cause: error });
      });
      return {
        filename: translatedName(job.filename, unit.language_code),
        size: unit.file_size,
        content,
      } satisfies JobFile;
    },

    async deleteJob(id, options) {
      const job = await requireJob(id, options);
      const isDeleted = await store.delete(accountId, job.id, now());
      if (!isDeleted) throw new DragomanError('not_found', JOB_NOT_FOUND);
      const dropped = runner.drop(job.id);
      await waitFor(dropped, DROP_MS);
      await files.remove(job.id);
      // A worker that waited for its engine may have left files. A sweep removes the rest.
      void dropped.then(() => files.remove(job.id)).catch(() => undefined);
      return { message: 'job deleted' };
    },
  };
}

/** An unchecked code, in a form that an answer may repeat. */
function shown(code: string): string {
  return parseLocale(code) ?? JSON.stringify(code.length > 40 ? `${code.slice(0, 40)}…` : code);
}
