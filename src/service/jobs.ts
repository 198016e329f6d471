import type {
  CreateJobRequest,
  CreateJobResponse,
  DeleteJobResponse,
  DownloadRequest,
  Job,
  JobWithFiles,
} from '../contract/jobs.ts';

/** A file on this machine that is to be translated. It is read, never changed or moved. */
export interface JobUpload {
  /** What the job calls it: a name without directories. */
  readonly filename: string;
  readonly path: string;
}

/** A translated file. Whoever gets it reads `content` to its end or destroys it. */
export interface JobFile {
  /** As the service names it: not safe to write to before it is checked. */
  readonly filename: string;
  /** Bytes, where the service says how many. */
  readonly size: number | undefined;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface JobCallOptions {
  /** Aborting it makes the call reject with `interrupted`. A job that was created goes on. */
  readonly signal: AbortSignal;
}

export interface ListOptions extends JobCallOptions {
  /** How many, from 1 to 1,000. */
  readonly limit?: number | undefined;
  /** Where an earlier page said that there are more. */
  readonly cursor?: string | undefined;
  /** Called where there are older jobs than those of the answer, with the cursor of the next page. */
  readonly onMore?: ((cursor: string) => void) | undefined;
}

/**
 * The operations on i18n jobs of one account (specification: `POST /v2/translate/i18n` and `…/jobs`), with requests and
 * responses as they are on the wire.
 *
 * Rejects with a DragomanError: `invalid_request`, `unsupported_language`, `unreadable_input` and `limit_exceeded` for
 * what a server answers with 400 or 413, `insufficient_credits`, and `not_found` for a job that is not there or is not
 * the caller's, and for a language without a translated file.
 */
export interface JobService {
  /** When it resolves the job is stored: it will be done whatever happens to either side. */
  createJob(request: CreateJobRequest, file: JobUpload, options: JobCallOptions): Promise<CreateJobResponse>;
  /** Newest first: the newest 1,000, or a page of fewer. */
  listJobs(options: ListOptions): Promise<readonly Job[]>;
  jobStatus(id: string, options: JobCallOptions): Promise<JobWithFiles>;
  downloadJob(id: string, request: DownloadRequest, options: JobCallOptions): Promise<JobFile>;
  /** Permanent: the original, the translations and the record, also while the job runs. */
  deleteJob(id: string, options: JobCallOptions): Promise<DeleteJobResponse>;
}
