import type { GenericSchema } from 'valibot';
import { accountSummary, healthReport } from './account.ts';
import {
  emailRequest,
  emailResponse,
  htmlRequest,
  htmlResponse,
  subtitlesRequest,
  subtitlesResponse,
} from './documents.ts';
import {
  createJobRequest,
  createJobResponse,
  deleteJobResponse,
  downloadRequest,
  jobList,
  jobWithFiles,
  listRequest,
} from './jobs.ts';
import {
  batchRequest,
  batchResponse,
  detectRequest,
  detectResponse,
  detectResponseV1,
  isPlainBatch,
  languagesResponse,
  translateRequest,
  translateResponse,
  translateResponseV1,
} from './texts.ts';

/** Statuses for a key that is missing, unknown, or revoked or reset. */
export interface KeyStatuses {
  readonly missing: 401 | 403;
  readonly invalid: 401 | 403;
  readonly revoked: 403;
}

/** One endpoint of the specification: server, client and OpenAPI are made from these. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Relative to the base address; `{job_id}` is a UUID. */
  readonly path: string;
  /** Where the fields of `request` are; `none` when there are no fields. */
  readonly carries: 'json' | 'form' | 'query' | 'none';
  readonly request?: GenericSchema;
  /** Absent when the answer is a file. */
  readonly response?: GenericSchema;
  /** Whether an answer is as `response` has it, where that can be seen without validating it. */
  readonly isPlain?: (answer: unknown) => boolean;
  /** Of success. */
  readonly status: 200 | 201;
  /** The field that has the text of a 400 or 404; every other error has `detail`. */
  readonly errorField: 'detail' | 'error';
  /** Absent when no key is needed. */
  readonly key?: KeyStatuses;
  /** What a request costs at least, in credits, where that is known without its body. */
  readonly credits?: { readonly least: number; readonly isFixed: boolean };
  /** Other statuses of failure that the specification names. */
  readonly failures: readonly number[];
}

const ELSEWHERE: KeyStatuses = { missing: 403, invalid: 403, revoked: 403 };
const LISTS: KeyStatuses = { missing: 401, invalid: 403, revoked: 403 };
const ACCOUNT: KeyStatuses = { missing: 401, invalid: 401, revoked: 403 };

const post = {
  method: 'POST',
  carries: 'json',
  status: 200,
  errorField: 'detail',
  key: ELSEWHERE,
  credits: { least: 1, isFixed: true },
  failures: [400, 402, 429],
} as const;

const ONE_OR_MORE = { least: 1, isFixed: false } as const;
const get = {
  method: 'GET',
  carries: 'none',
  status: 200,
  errorField: 'detail',
  key: LISTS,
  failures: [429],
} as const;

export const operations = {
  translate: { ...post, path: '/v2/translate', request: translateRequest, response: translateResponse },
  translateBatch: {
    ...post,
    path: '/v2/translate/batch',
    request: batchRequest,
    response: batchResponse,
    isPlain: isPlainBatch,
    credits: ONE_OR_MORE,
  },
  translateHtml: { ...post, path: '/v2/translate/html', request: htmlRequest, response: htmlResponse },
  translateEmail: {
    ...post,
    path: '/v2/translate/email',
    request: emailRequest,
    response: emailResponse,
    credits: ONE_OR_MORE,
    failures: [400, 402, 429, 500],
  },
  translateSubtitles: {
    ...post,
    path: '/v2/translate/subtitles',
    request: subtitlesRequest,
    response: subtitlesResponse,
    // Without a block they cost nothing.
    credits: { least: 0, isFixed: false },
  },
  detectLanguage: { ...post, path: '/v2/language_detect', request: detectRequest, response: detectResponse },
  supportedLanguages: { ...get, path: '/v2/supported-languages', response: languagesResponse },
  createJob: {
    ...post,
    path: '/v2/translate/i18n',
    carries: 'form',
    request: createJobRequest,
    response: createJobResponse,
    credits: ONE_OR_MORE,
    status: 201,
    key: LISTS,
    failures: [400, 402, 413, 429],
  },
  listJobs: {
    ...get,
    path: '/v2/translate/i18n/jobs',
    carries: 'query',
    request: listRequest,
    response: jobList,
    failures: [400, 429],
  },
  jobStatus: {
    ...get,
    path: '/v2/translate/i18n/jobs/{job_id}/status',
    response: jobWithFiles,
    failures: [404, 429],
  },
  downloadJob: {
    ...get,
    path: '/v2/translate/i18n/jobs/{job_id}/download',
    carries: 'query',
    request: downloadRequest,
    errorField: 'error',
    failures: [400, 404, 429],
  },
  deleteJob: {
    ...get,
    method: 'DELETE',
    path: '/v2/translate/i18n/jobs/{job_id}',
    response: deleteJobResponse,
    failures: [404, 429],
  },
  accountSummary: { ...get, path: '/v2/account/summary', response: accountSummary, key: ACCOUNT },
  health: {
    method: 'GET',
    path: '/health',
    carries: 'none',
    response: healthReport,
    status: 200,
    errorField: 'detail',
    failures: [],
  },
  translateV1: {
    ...post,
    path: '/v1/translate',
    request: translateRequest,
    response: translateResponseV1,
  },
  detectLanguageV1: {
    ...post,
    path: '/v1/language_detect',
    request: detectRequest,
    response: detectResponseV1,
  },
  supportedLanguagesV1: { ...get, path: '/v1/supported-languages', response: languagesResponse },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationId = keyof typeof operations;
