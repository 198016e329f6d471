import { JOB_FORMATS, listTitles } from '../formats/registry.ts';
import { FILE_TYPES } from './jobs.ts';
import { MAX_FILE_BYTES, MAX_TARGET_LANGUAGES, MAX_TEXT } from './limits.ts';
import type { OperationId } from './operations.ts';

/** What operations and fields are, in words for people: the OpenAPI document and the page of documentation have them. */

export type Topic = 'Texts' | 'Documents' | 'Languages' | 'Jobs' | 'Account' | 'Health' | 'Version 1';

export const topics: Readonly<Record<Topic, string>> = {
  Texts: 'One text, or up to 100 in one request.',
  Documents: 'HTML, e-mails and subtitles: only their texts change.',
  Languages: 'Supported languages, and language detection.',
  Jobs: 'Localization files, translated into several languages in the background.',
  Account: 'Credits and usage.',
  Health: 'For monitoring.',
  'Version 1': 'The legacy endpoints. Version 2 has the same operations and more.',
};

export interface OperationDescription {
  readonly topic: Topic;
  /** A phrase without a full stop. */
  readonly summary: string;
  /** Sentences. */
  readonly description: string;
  /** What it costs, as a phrase. */
  readonly credits: string;
}

const ONE = '1 per request';
const NONE = 'none';

export const operationDescriptions: Readonly<Record<OperationId, OperationDescription>> = {
  translate: {
    topic: 'Texts',
    summary: 'Translate one text',
    description: 'Placeholders in the text stay as they are.',
    credits: ONE,
  },
  translateBatch: {
    topic: 'Texts',
    summary: 'Translate up to 100 texts',
    description:
      'All texts share the source and the target; with `auto` the language of each is detected. A text that fails does ' +
      'not affect the others: its item has `success` false and an `error`.',
    credits: '1 per text; texts that fail cost nothing',
  },
  translateHtml: {
    topic: 'Documents',
    summary: 'Translate HTML',
    description:
      'Tags, attributes, structure and entities are preserved; what is inside script and style tags is not translated.',
    credits: ONE,
  },
  translateEmail: {
    topic: 'Documents',
    summary: 'Translate the subject and the HTML body of an e-mail',
    description: 'The subject is plain text; the body is HTML, whose tags are preserved.',
    credits: '1 for the subject and 1 per text node of the body that is not only white space',
  },
  translateSubtitles: {
    topic: 'Documents',
    summary: 'Translate subtitles',
    description:
      'Only the text of blocks changes: indices, timestamps, structure and formatting are preserved.',
    credits: '1 per subtitle block',
  },
  detectLanguage: {
    topic: 'Languages',
    summary: 'Detect the language of a text',
    description: 'Longer texts give more certain answers.',
    credits: ONE,
  },
  supportedLanguages: {
    topic: 'Languages',
    summary: 'List the supported languages',
    description:
      'Display names with their codes, and an entry for automatic detection, whose code is `auto`.',
    credits: NONE,
  },
  createJob: {
    topic: 'Jobs',
    summary: 'Create a translation job for a localization file',
    description:
      `The file is one of ${listTitles(JOB_FORMATS.values())}. Keys, structure, placeholders and ICU messages ` +
      'are preserved. The job is stored when the answer arrives, and is done in the background.',
    credits: '1 per key and language, reserved at once; what fails is given back',
  },
  listJobs: {
    topic: 'Jobs',
    summary: 'List the jobs of the account',
    description:
      'Newest first, whatever their status: the newest 1,000. `limit` asks for fewer; where there are older ones, ' +
      'the header `Link` has the address of the next page, with its `cursor`.',
    credits: NONE,
  },
  jobStatus: {
    topic: 'Jobs',
    summary: 'Read the status of a job and its translated files',
    description:
      '`translated_keys` grows while the job runs, and `seconds_left` says about how long it takes from then on. Where the ' +
      'job has a webhook and has ended, `webhook` says what became of its call.',
    credits: NONE,
  },
  downloadJob: {
    topic: 'Jobs',
    summary: 'Download a translated file',
    description:
      'The file has the format, structure and encoding of the one that was uploaded; only values differ. Its name is ' +
      '`{original_filename}_{language_code}.{extension}`.',
    credits: NONE,
  },
  deleteJob: {
    topic: 'Jobs',
    summary: 'Delete a job',
    description:
      'Permanent: the job, the original file and all translated files are removed, also while the job runs.',
    credits: NONE,
  },
  accountSummary: {
    topic: 'Account',
    summary: 'Read the credits and the usage of the account',
    description: 'Credits that are reserved for running work count as used.',
    credits: NONE,
  },
  health: {
    topic: 'Health',
    summary: 'Read the health of the service',
    description: 'Needs no key and is not counted against the rate limit.',
    credits: NONE,
  },
  translateV1: {
    topic: 'Version 1',
    summary: 'Translate one text',
    description: 'As `POST /v2/translate`, with the result at the top level.',
    credits: ONE,
  },
  detectLanguageV1: {
    topic: 'Version 1',
    summary: 'Detect the language of a text',
    description: 'As `POST /v2/language_detect`, with a confidence.',
    credits: ONE,
  },
  supportedLanguagesV1: {
    topic: 'Version 1',
    summary: 'List the supported languages',
    description: 'As `GET /v2/supported-languages`.',
    credits: NONE,
  },
};

/** The same name means the same thing wherever it occurs. */
export const fieldDescriptions: Readonly<Record<string, string>> = {
  text: 'The original text.',
  texts: `The texts; each may have up to ${MAX_TEXT.toLocaleString('en')} characters, one that has more fails alone.`,
  translation: 'The translated text; the original where it failed.',
  translations: 'The result; of a batch, one item per text in the same order.',
  details: 'May be empty.',
  source: 'Language code. In requests also `auto`; in answers the one that was named or detected.',
  target: 'Language code.',
  success: 'Whether the text was translated.',
  error: 'What is wrong.',
  detail: 'What is wrong.',
  total: 'Texts of the request.',
  successful: 'Texts that were translated.',
  failed: 'Texts that failed.',
  html: 'HTML.',
  subject: 'The subject, plain text.',
  email_body: 'The body, HTML.',
  html_body: 'The translated body, HTML.',
  format: 'The format of the subtitles.',
  content: 'The whole text of the subtitle file.',
  language_detection: 'The result.',
  language: 'The code of the language that was detected.',
  confidence: 'How certain the detection is, from 0 to 1.',
  supported_languages: 'Display name to language code.',
  file: `The localization file (${Object.keys(FILE_TYPES).join(', ')}), of up to ${MAX_FILE_BYTES >> 20} MiB.`,
  source_language: 'Language code, or `auto`.',
  target_languages: `Language codes; in a request 1 to ${MAX_TARGET_LANGUAGES} of them, separated by commas.`,
  webhook_url: 'The address to which the event is sent when the job ends.',
  id: 'Identifier.',
  job_id: 'Identifier of the job.',
  status: 'How far it is, or how it ended.',
  message: 'What was done.',
  original_filename: 'The name of the uploaded file.',
  file_type: 'The format of the file.',
  total_keys: 'Translatable keys of the file.',
  translated_keys: 'Keys that are translated into every target language.',
  failed_keys: 'Keys that failed in some target language.',
  error_message: 'Why the job failed; null where it did not.',
  created_at: 'ISO 8601.',
  updated_at: 'ISO 8601.',
  completed_at: 'ISO 8601; null while the job is not finished.',
  translated_files: 'One per language that is finished.',
  webhook: 'What became of the call of its webhook; absent for a job without one, or that has not ended.',
  seconds_left:
    'About how many seconds the job takes from now on; null before it got on, absent once it has ended.',
  attempts: 'Tries that have ended.',
  last_error: 'Why the last of them failed; null where none did.',
  next_attempt_at: 'When the next try is due, ISO 8601; null where there is none.',
  limit: 'How many jobs, from 1 to 1,000; default: 1,000.',
  cursor: 'Where the page begins: as in the header Link of the page before.',
  language_code: 'The target language of the file.',
  file_url: 'Where the file is downloaded, with the key.',
  file_size: 'Bytes.',
  event: 'The kind of event.',
  job: 'The job as it ended.',
  email: 'The e-mail address of the account.',
  full_name: 'The name of the account’s holder.',
  total_credits: 'Credits allocated.',
  credits_used: 'Credits used.',
  credits_remaining: 'Credits that can still be used.',
  credits_percentage: 'How much of the credits is used, in percent.',
  concurrency: 'Requests of the key that run now.',
  effective_concurrency: 'Requests of the key that may run at once.',
  summary: 'Usage.',
  total_requests: 'Requests of the account.',
  successful_requests: 'Requests that succeeded.',
  failed_requests: 'Requests that failed.',
  success_rate: 'Requests that succeeded, in percent.',
  timestamp: 'ISO 8601.',
  engines: 'The engines, and whether each is ready.',
  ready: 'Whether it can translate now.',
};
