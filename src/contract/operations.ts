import type { InferOutput } from 'valibot';
import { example, get, post, type Operation, LISTS, ONE_OR_MORE, ACCOUNT } from './operation.ts';
import {
  detectRequest,
  detectResponseV1,
  languagesResponse,
  translateRequest,
  translateResponseV1,
  batchRequest,
  batchResponse,
  detectResponse,
  isPlainBatch,
  translateResponse,
} from './texts.ts';
import { JOB_FORMATS, listTitles } from '../formats/registry.ts';
import { JOB, TRANSLATED_FILES } from './examples.ts';
import {
  createJobRequest,
  createJobResponse,
  deleteJobResponse,
  downloadRequest,
  jobList,
  jobWithFiles,
  listRequest,
} from './jobs.ts';
import { accountSummary, healthReport } from './account.ts';
import {
  emailRequest,
  emailResponse,
  htmlRequest,
  htmlResponse,
  subtitlesRequest,
  subtitlesResponse,
} from './documents.ts';

const at = '2026-01-15T10:30:00Z';
const translation = { text: 'Hello', translation: 'Bonjour', source: 'en', target: 'fr' };

/** Answered immediately, by a server or in this process: see `TranslationService`. */
const serviceOperations = {
  translate: {
    ...post,
    path: '/v2/translate',
    request: translateRequest,
    response: translateResponse,
    topic: 'Texts',
    summary: 'Translate one text',
    description: 'Placeholders in the text stay as they are.',
    example: example(
      { text: 'Hello', source: 'en', target: 'fr' },
      { translations: translation, details: {} },
    ),
  },
  translateBatch: {
    ...post,
    path: '/v2/translate/batch',
    request: batchRequest,
    response: batchResponse,
    isPlain: isPlainBatch,
    credits: ONE_OR_MORE,
    topic: 'Texts',
    summary: 'Translate up to 100 texts',
    description:
      'All texts share the source and the target; with `auto` the language of each is detected. A text that fails does ' +
      'not affect the others: its item has `success` false and an `error`.',
    price: '1 per text; texts that fail cost nothing',
    example: example(
      { texts: ['Hello', 'Goodbye'], source: 'en', target: 'es' },
      {
        translations: [
          { ...translation, success: true },
          { ...translation, translation: 'Hello', success: false, error: 'the engine gave no answer' },
        ],
        total: 2,
        successful: 1,
        failed: 1,
      },
    ),
  },
  translateHtml: {
    ...post,
    path: '/v2/translate/html',
    request: htmlRequest,
    response: htmlResponse,
    topic: 'Documents',
    summary: 'Translate HTML',
    description:
      'Tags, attributes, structure and entities are preserved; the content of script and style tags is not translated.',
    example: example({ html: '<p>Hello</p>', source: 'en', target: 'de' }, { html: '<p>Hallo</p>' }),
  },
  translateEmail: {
    ...post,
    path: '/v2/translate/email',
    request: emailRequest,
    response: emailResponse,
    credits: ONE_OR_MORE,
    failures: [400, 402, 429, 500],
    prefix: 'invalid email request: ',
    topic: 'Documents',
    summary: 'Translate the subject and the HTML body of an e-mail',
    description: 'The subject is plain text; the body is HTML, whose tags are preserved.',
    price: '1 for the subject and 1 per text node of the body that is not only white space',
    example: example(
      { subject: 'Hello', email_body: '<p>Hello</p>', source: 'en', target: 'de' },
      { subject: 'Hallo', html_body: '<p>Hallo</p>' },
    ),
  },
  translateSubtitles: {
    ...post,
    path: '/v2/translate/subtitles',
    request: subtitlesRequest,
    response: subtitlesResponse,
    // Operations without `credits` are free.
    credits: { least: 0, isFixed: false },
    topic: 'Documents',
    summary: 'Translate subtitles',
    description:
      'Only the text of blocks changes: indices, timestamps, structure and formatting are preserved.',
    price: '1 per subtitle block',
    example: example(
      {
        format: 'srt',
        content: '1\n00:00:01,000 --> 00:00:02,000\nHello\n',
        source: 'en',
        target: 'ja',
      },
      { format: 'vtt', content: 'WEBVTT\n' },
    ),
  },
  detectLanguage: {
    ...post,
    path: '/v2/language_detect',
    request: detectRequest,
    response: detectResponse,
    topic: 'Languages',
    summary: 'Detect the language of a text',
    description: 'Longer texts give more certain answers.',
    example: example(
      { text: 'Bonjour tout le monde' },
      { language_detection: { text: 'Bonjour tout le monde', language: 'fr' } },
    ),
  },
  supportedLanguages: {
    ...get,
    path: '/v2/supported-languages',
    response: languagesResponse,
    topic: 'Languages',
    summary: 'List the supported languages',
    description:
      'Display names with their codes, and an entry for automatic detection, whose code is `auto`.',
    example: example(undefined, { supported_languages: { 'Auto-detect': 'auto', French: 'fr' } }),
  },
  accountSummary: {
    ...get,
    path: '/v2/account/summary',
    response: accountSummary,
    key: ACCOUNT,
    topic: 'Account',
    summary: 'Read the credits and the usage of the account',
    description: 'Credits that are reserved for running work count as used.',
    example: example(undefined, {
      email: 'ada@example.com',
      full_name: 'Ada',
      total_credits: 1000,
      credits_used: 250,
      credits_remaining: 750,
      credits_percentage: 25.0,
      concurrency: 1,
      effective_concurrency: 5,
      summary: { total_requests: 12, successful_requests: 11, failed_requests: 1, success_rate: 91.67 },
    }),
  },
  health: {
    method: 'GET',
    path: '/health',
    carries: 'none',
    response: healthReport,
    status: 200,
    errorField: 'detail',
    failures: [],
    topic: 'Health',
    price: 'none',
    summary: 'Read the health of the service',
    description: 'Needs no key and is not counted against the rate limit.',
    example: example(undefined, { status: 'healthy', timestamp: at }),
  },
} as const satisfies Readonly<Record<string, Operation>>;

/** Operations on jobs: see `JobService`. */
const jobOperations = {
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
    topic: 'Jobs',
    summary: 'Create a translation job for a localization file',
    description:
      `The file is in one of these formats: ${listTitles(JOB_FORMATS.values())}. Keys, structure, placeholders and ICU messages ` +
      'are preserved. The job is stored when the answer arrives, and runs in the background.',
    price: '1 per key and language, reserved at once; failures are refunded',
    example: example(
      {
        source_language: 'en',
        target_languages: 'fr, de,zh-CN',
        webhook_url: 'https://example.com/hook',
      },
      { job_id: JOB.id, status: 'pending', message: 'The job was created.' },
    ),
  },
  listJobs: {
    ...get,
    path: '/v2/translate/i18n/jobs',
    carries: 'query',
    request: listRequest,
    response: jobList,
    failures: [400, 429],
    topic: 'Jobs',
    summary: 'List the jobs of the account',
    description:
      'Newest first, in any status: at most 1,000. `limit` asks for fewer; if there are older jobs, ' +
      'the `Link` header has the URL of the next page, with its `cursor`.',
    example: example(undefined, [JOB, { ...JOB, status: 'pending', completed_at: null }]),
  },
  jobStatus: {
    ...get,
    path: '/v2/translate/i18n/jobs/{job_id}/status',
    response: jobWithFiles,
    failures: [404, 429],
    topic: 'Jobs',
    summary: 'Read the status of a job and its translated files',
    description:
      '`translated_keys` grows while the job runs, and `seconds_left` estimates the remaining time. If the ' +
      'job has a webhook and has ended, `webhook` has the state of its call.',
    example: example(undefined, { ...JOB, translated_files: TRANSLATED_FILES }),
  },
  downloadJob: {
    ...get,
    path: '/v2/translate/i18n/jobs/{job_id}/download',
    carries: 'query',
    request: downloadRequest,
    errorField: 'error',
    failures: [400, 404, 429],
    topic: 'Jobs',
    summary: 'Download a translated file',
    description:
      'The file has the format, structure and encoding of the one that was uploaded; only values differ. Its name is ' +
      '`{original_filename}_{language_code}.{extension}`.',
    example: example({ language_code: 'fr' }, undefined),
  },
  deleteJob: {
    ...get,
    method: 'DELETE',
    path: '/v2/translate/i18n/jobs/{job_id}',
    response: deleteJobResponse,
    failures: [404, 429],
    topic: 'Jobs',
    summary: 'Delete a job',
    description:
      'Permanent: the job, the original file and all translated files are removed, even while the job runs.',
    example: example(undefined, { message: 'The job was deleted.' }),
  },
} as const satisfies Readonly<Record<string, Operation>>;

export type { KeyStatuses, Operation } from './operation.ts';

/** Version 1. */
const legacyOperations = {
  translateV1: {
    ...post,
    path: '/v1/translate',
    request: translateRequest,
    response: translateResponseV1,
    topic: 'Version 1',
    summary: 'Translate one text',
    description: 'Like `POST /v2/translate`, with the result at the top level.',
    example: example(
      { text: 'Hello', source: 'en', target: 'fr' },
      { translation: 'Bonjour', source: 'en', target: 'fr' },
    ),
  },
  detectLanguageV1: {
    ...post,
    path: '/v1/language_detect',
    request: detectRequest,
    response: detectResponseV1,
    topic: 'Version 1',
    summary: 'Detect the language of a text',
    description: 'Like `POST /v2/language_detect`, with a confidence value.',
    example: example({ text: 'Bonjour tout le monde' }, { language: 'fr', confidence: 0.98 }),
  },
  supportedLanguagesV1: {
    ...get,
    path: '/v1/supported-languages',
    response: languagesResponse,
    topic: 'Version 1',
    summary: 'List the supported languages',
    description: 'As `GET /v2/supported-languages`.',
    example: example(undefined, { supported_languages: { French: 'fr' } }),
  },
} as const satisfies Readonly<Record<string, Operation>>;

/** All endpoints of the specification. */
export const operations = { ...serviceOperations, ...jobOperations, ...legacyOperations };

type Operations = typeof operations;
export type OperationId = keyof Operations;

/** In the order of the specification. */
export const OPERATION_IDS: readonly OperationId[] = Object.keys(operations).filter(isOperation);

function isOperation(id: string): id is OperationId {
  return Object.hasOwn(operations, id);
}

/** Operations with a JSON answer; a download returns the file. */
export type AnsweredId = Exclude<OperationId, 'downloadJob'>;
export type AnswerOf<Id extends AnsweredId> = InferOutput<Operations[Id]['response']>;

/** Operations whose request is a JSON body. */
export type BodyId = {
  [Id in AnsweredId]: Operations[Id] extends { carries: 'json' } ? Id : never;
}[AnsweredId];
export type RequestOf<Id extends BodyId> = InferOutput<Operations[Id]['request']>;

/** The keys of {@link serviceOperations}: all, and those with a request. */
export type ServiceId = keyof typeof serviceOperations;
export type RequestId = BodyId & ServiceId;

export const SERVICE_IDS: readonly ServiceId[] = Object.keys(serviceOperations).filter(isServiceId);

function isServiceId(id: string): id is ServiceId {
  return Object.hasOwn(serviceOperations, id);
}

export function hasRequest(id: ServiceId): id is RequestId {
  return operations[id].carries === 'json';
}
