import * as v from 'valibot';
import { JOB_FORMATS, type BuiltInFormatId } from '../formats/registry.ts';
import { count, languageCode, timestamp, uuid } from './validation.ts';
import { MAX_LISTED_JOBS, MAX_TARGET_LANGUAGES } from './limits.ts';

/** Extensions of files that a job accepts, each with its `file_type`. */
export const FILE_TYPES: Readonly<Record<string, BuiltInFormatId>> = Object.fromEntries(JOB_FORMATS);

/** Final statuses of jobs. */
export const FINAL_STATUSES = ['completed', 'partial', 'failed'] as const;

const finalStatus = v.picklist(FINAL_STATUSES);
const status = v.picklist(['pending', 'processing', ...FINAL_STATUSES]);

export const translatedFile = v.object({
  id: uuid,
  language_code: v.string(),
  file_url: v.pipe(v.string(), v.url('must be a URL')),
  file_size: count,
  created_at: timestamp,
});
export type TranslatedJobFile = v.InferOutput<typeof translatedFile>;

export const job = v.object({
  id: uuid,
  job_id: uuid,
  status,
  original_filename: v.string(),
  file_type: v.picklist([...new Set(Object.values(FILE_TYPES))]),
  source_language: v.string(),
  target_languages: v.array(v.string()),
  total_keys: count,
  translated_keys: count,
  failed_keys: count,
  error_message: v.nullable(v.string()),
  created_at: timestamp,
  updated_at: timestamp,
  completed_at: v.nullable(timestamp),
});
export type Job = v.InferOutput<typeof job>;

/**
 * An addition to the specification: the state of a job's webhook call. `next_attempt_at` is present if another attempt
 * is due.
 */
const delivery = v.object({
  status: v.picklist(['pending', 'delivered', 'failed']),
  attempts: count,
  last_error: v.nullable(v.string()),
  next_attempt_at: v.nullable(timestamp),
});

export const jobWithFiles = v.object({
  ...job.entries,
  translated_files: v.array(translatedFile),
  webhook: v.optional(delivery),
  /** An addition to the specification. */
  seconds_left: v.optional(v.nullable(count)),
});
export type JobWithFiles = v.InferOutput<typeof jobWithFiles>;

export const jobList = v.array(job);

/** An addition to the specification: without these fields, the answer has the newest jobs up to the maximum. */
export const listRequest = v.object({
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:[1-9]\d{0,2}|1000)$/, `must be a whole number from 1 to ${MAX_LISTED_JOBS}`),
    ),
  ),
  cursor: v.optional(v.string()),
});

/** Splits a comma-separated list of codes, without surrounding white space. */
export function splitCodes(list: string): readonly string[] {
  return list.split(',').map((code) => code.trim());
}

const targetList = v.pipe(
  v.string(),
  v.check((list) => splitCodes(list).every((code) => code !== ''), 'cannot have an empty language code'),
  v.check(
    (list) => splitCodes(list).length <= MAX_TARGET_LANGUAGES,
    `cannot have more than ${MAX_TARGET_LANGUAGES} languages`,
  ),
  // For a JSON Schema, which cannot count comma-separated values otherwise.
  v.metadata({ pattern: `^\\s*[^,\\s][^,]*(?:,\\s*[^,\\s][^,]*){0,${MAX_TARGET_LANGUAGES - 1}}$` }),
);

function isHttps(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'https:';
}

const webhookUrl = v.pipe(
  v.string(),
  v.check(isHttps, 'must be a valid HTTPS URL'),
  v.metadata({ format: 'uri', pattern: '^https://' }),
);

/** The fields of a job's form, apart from `file`. */
export const createJobRequest = v.object({
  source_language: v.optional(languageCode, 'auto'),
  target_languages: targetList,
  webhook_url: v.optional(webhookUrl),
});
export type CreateJobRequest = v.InferOutput<typeof createJobRequest>;

export const createJobResponse = v.object({
  job_id: uuid,
  status: v.literal('pending'),
  message: v.string(),
});
export type CreateJobResponse = v.InferOutput<typeof createJobResponse>;

export const downloadRequest = v.object({
  language_code: v.pipe(v.string('is required'), v.nonEmpty('is required')),
});
export type DownloadRequest = v.InferOutput<typeof downloadRequest>;

export const deleteJobResponse = v.object({ message: v.string() });
export type DeleteJobResponse = v.InferOutput<typeof deleteJobResponse>;

export const WEBHOOK_EVENT = 'i18n_translation.completed';

export const webhookPayload = v.object({
  event: v.literal(WEBHOOK_EVENT),
  job_id: uuid,
  status: finalStatus,
  job,
  translated_files: v.array(translatedFile),
  completed_at: timestamp,
});
export type WebhookPayload = v.InferOutput<typeof webhookPayload>;
