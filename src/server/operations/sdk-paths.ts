import * as v from 'valibot';
import type { Job } from '../../contract/jobs.ts';
import { MAX_LISTED_JOBS } from '../../contract/limits.ts';
import type { OperationId } from '../../contract/operations.ts';
import { validate } from '../../contract/validation.ts';
import { jobOperations } from './job-operations.ts';
import type { PrepareRequest } from './prepared.ts';
import { free, summarizeAccount } from './service-operations.ts';

/** A path where the hosted service's SDKs expect an operation that the specification puts elsewhere. */
export interface SdkPath {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path in the operations table. */
  readonly path: string;
  readonly id: Exclude<OperationId, 'health'>;
  /** Set if the SDKs send or read something that differs from the specification. */
  readonly prepare?: PrepareRequest;
}

const downloadNamed: PrepareRequest = (_, call) =>
  jobOperations.downloadJob({ language_code: call.context.req.param('language') }, call);

const PAGE_SIZE = 20;

const wholeNumber = (most: number) =>
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,8}$/, 'must be a whole number of at least 1'),
      v.transform(Number),
      v.maxValue(most, `cannot be larger than ${most}`),
    ),
  );

const pageRequest = v.object({ page: wholeNumber(999_999_999), page_size: wholeNumber(MAX_LISTED_JOBS) });

/** The number of pages is only known at the end of the list, so the whole list is read. */
const listInPages: PrepareRequest = (carried, outer) => {
  const { page = 1, page_size = PAGE_SIZE } = validate(pageRequest, carried);
  return free(async ({ parts, caller, signal }) => {
    const jobs = parts.jobs.of(caller.accountId);
    const first = (page - 1) * page_size;
    const results: Job[] = [];
    let count = 0;
    let cursor: string | undefined;
    do {
      let next: string | undefined;
      const listed = await jobs.listJobs({ cursor, signal, onMore: (following) => (next = following) });
      results.push(...listed.slice(Math.max(0, first - count), Math.max(0, first + page_size - count)));
      count += listed.length;
      cursor = next;
    } while (cursor !== undefined);
    return { count, page, page_size, total_pages: Math.ceil(count / page_size), results };
  })(carried, outer);
};

const namedLanguages = free(async ({ parts, signal }) => {
  const answer = await parts.service.supportedLanguages({ signal });
  const named = Object.entries(answer.supported_languages).map(([name, code]) => [code, name] as const);
  return { ...answer, languages: Object.fromEntries(named) };
});

/** Self-hosted servers have no plans. */
const accountWithPlan = free(async (call) => {
  const summary = await summarizeAccount(call);
  return { ...summary, plan_name: 'self-hosted', concurrency_limit: summary.effective_concurrency };
});

/** The answers contain everything in the specification, plus the fields that only the SDKs read. */
export const SDK_PATHS: readonly SdkPath[] = [
  { method: 'POST', path: '/v2/i18n/jobs', id: 'createJob' },
  { method: 'POST', path: '/v2/i18n/create_job', id: 'createJob' },
  { method: 'GET', path: '/v2/i18n/jobs/{job_id}', id: 'jobStatus' },
  { method: 'GET', path: '/v2/i18n/job/{job_id}', id: 'jobStatus' },
  {
    method: 'GET',
    path: '/v2/i18n/jobs/{job_id}/download/{language}',
    id: 'downloadJob',
    prepare: downloadNamed,
  },
  { method: 'GET', path: '/v2/i18n/jobs', id: 'listJobs', prepare: listInPages },
  { method: 'DELETE', path: '/v2/i18n/jobs/{job_id}', id: 'deleteJob' },
  { method: 'GET', path: '/v2/language/supported', id: 'supportedLanguages', prepare: namedLanguages },
  { method: 'GET', path: '/v2/supported_languages', id: 'supportedLanguages', prepare: namedLanguages },
  { method: 'POST', path: '/v2/language/detect', id: 'detectLanguage' },
  { method: 'GET', path: '/v2/user/account', id: 'accountSummary', prepare: accountWithPlan },
];
