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
import { example, get, LISTS, ONE_OR_MORE, post, type Operation } from './operation.ts';

/** On jobs: see `JobService`. */
export const jobOperations = {
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
      `The file is one of ${listTitles(JOB_FORMATS.values())}. Keys, structure, placeholders and ICU messages ` +
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
