import type {
  CreateJobRequest,
  CreateJobResponse,
  DeleteJobResponse,
  DownloadRequest,
  Job,
  JobWithFiles,
} from '../contract/jobs.ts';
import {
  type AnswerOf,
  hasRequest,
  type RequestId,
  type RequestOf,
  SERVICE_IDS,
  type ServiceId,
} from '../contract/operations.ts';

export interface CallOptions {
  /** Aborting it makes the call reject with `interrupted`. */
  readonly signal: AbortSignal;
  /**
   * When it aborts, the engine receives nothing new, and the call resolves with the translations so far, or rejects
   * with `engine_failed` without any. Servers use it because the pending engine work has already been paid for.
   */
  readonly stop?: AbortSignal | undefined;
  /** The owner of the call: owners who share a service take turns. */
  readonly owner?: string;
  /** The other texts of a batch's file: short texts are assumed to have their language. */
  readonly around?: readonly string[] | undefined;
  /** Called with the number of finished segments of the document, or finished texts of the batch, and their total. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Called for each part of a document that kept its source, with one sentence that the answer cannot contain. */
  readonly onFailure?: ((reason: string) => void) | undefined;
}

/**
 * Every synchronous operation of the specification, in wire format. Requests are validated: a server answers
 * `invalid_request` and `unsupported_language` with 400.
 *
 * The failure of one text of a batch is part of the result. Failures of a whole call reject with a DragomanError:
 * `engine_unavailable`, `engine_failed`, `interrupted`, and `unreadable_input` for invalid subtitles.
 */
export type TranslationService = RequestMethods &
  PlainMethods & {
    /** For a remote service: how many concurrent calls are useful. Pending calls have been paid for. */
    readonly parallelCalls?: number | undefined;
  };

/** The operations with a request. */
export type RequestMethods = {
  readonly [Id in RequestId]: (request: RequestOf<Id>, options: CallOptions) => Promise<AnswerOf<Id>>;
};

type PlainId = Exclude<ServiceId, RequestId>;
export type PlainMethods = { readonly [Id in PlainId]: (options: CallOptions) => Promise<AnswerOf<Id>> };

/** Builds a service from one function for all operations. */
export function serviceOf(
  answer: <Id extends RequestId>(
    id: Id,
    request: RequestOf<Id>,
    options: CallOptions,
  ) => Promise<AnswerOf<Id>>,
  answerPlain: <Id extends PlainId>(id: Id, options: CallOptions) => Promise<AnswerOf<Id>>,
): RequestMethods & PlainMethods {
  const methods = SERVICE_IDS.map((id) => [
    id,
    hasRequest(id)
      ? (request: RequestOf<RequestId>, options: CallOptions) => answer(id, request, options)
      : (options: CallOptions) => answerPlain(id, options),
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has a method for each operation of the table
  return Object.fromEntries(methods) as RequestMethods & PlainMethods;
}

/** A local file to translate. It is read, never changed or moved. */
export interface JobUpload {
  /** The file's name in the job, without directories. */
  readonly filename: string;
  readonly path: string;
}

/** A translated file. The receiver reads `content` to its end or destroys it. */
export interface JobFile {
  /** Chosen by the service: validate it before writing. */
  readonly filename: string;
  /** In bytes, if the service states it. */
  readonly size: number | undefined;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface JobCallOptions {
  /** When it aborts, the call rejects with `interrupted`. A created job continues. */
  readonly signal: AbortSignal;
}

interface ListOptions extends JobCallOptions {
  /** Page size, from 1 to 1,000. */
  readonly limit?: number | undefined;
  /** The cursor from the previous page. */
  readonly cursor?: string | undefined;
  /** Called if there are older jobs, with the cursor of the next page. */
  readonly onMore?: ((cursor: string) => void) | undefined;
}

/**
 * The operations on i18n jobs of one account (specification: `POST /v2/translate/i18n` and `…/jobs`), with requests and
 * responses in wire format.
 *
 * Rejects with a DragomanError: `invalid_request`, `unsupported_language`, `unreadable_input` and `limit_exceeded` for
 * requests that a server answers with 400 or 413, `insufficient_credits`, and `not_found` for a job that does not exist
 * or belongs to another account, and for a language without a translated file.
 */
export interface JobService {
  /** When it resolves, the job is stored, and will run even after a crash of either side. */
  createJob(request: CreateJobRequest, file: JobUpload, options: JobCallOptions): Promise<CreateJobResponse>;
  /** Newest first: the newest 1,000, or a page of fewer. */
  listJobs(options: ListOptions): Promise<readonly Job[]>;
  jobStatus(id: string, options: JobCallOptions): Promise<JobWithFiles>;
  downloadJob(id: string, request: DownloadRequest, options: JobCallOptions): Promise<JobFile>;
  /** Permanently deletes the original, the translations and the record, even while the job runs. */
  deleteJob(id: string, options: JobCallOptions): Promise<DeleteJobResponse>;
}
