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
   * Aborting it, the engine is asked nothing more, and the call resolves with what was translated by then, or rejects with
   * `engine_failed` where that is nothing: for a server, whose engine has been paid.
   */
  readonly stop?: AbortSignal | undefined;
  /** Whose call it is: callers who share a service get its time in turn. */
  readonly owner?: string;
  /** The texts of the file that those of a batch are from: short ones are taken to be in their language. */
  readonly around?: readonly string[] | undefined;
  /** Called as the work goes on, with segments of the document or texts of the batch. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Called for each part of a document that kept its source, with one sentence: the answer has no place for it. */
  readonly onFailure?: (reason: string) => void;
}

/**
 * Every operation of the specification that is answered at once, with its requests and responses as they are on the
 * wire. Requests are validated: `invalid_request` and `unsupported_language` are what a server answers with 400.
 *
 * The failure of one text of a batch is data. What makes a whole call impossible rejects with a DragomanError:
 * `engine_unavailable`, `engine_failed`, `interrupted`, and `unreadable_input` for subtitles that are none.
 */
export type TranslationService = RequestMethods &
  PlainMethods & {
    /** For a service elsewhere: calls that are worth making at once. What is under way there has been paid for. */
    readonly parallelCalls?: number | undefined;
  };

/** The operations that have a request. */
export type RequestMethods = {
  readonly [Id in RequestId]: (request: RequestOf<Id>, options: CallOptions) => Promise<AnswerOf<Id>>;
};

type PlainId = Exclude<ServiceId, RequestId>;
export type PlainMethods = { readonly [Id in PlainId]: (options: CallOptions) => Promise<AnswerOf<Id>> };

/** A service whose operations are all done alike. */
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

interface ListOptions extends JobCallOptions {
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
