import type { Job, TranslatedJobFile, WebhookPayload } from './jobs.ts';

const id = '7d1c2f9e-30c5-4a55-9a5e-0d6d3a3f0c11';
const at = '2026-01-15T10:30:00Z';

export const JOB = {
  id,
  job_id: id,
  status: 'partial',
  original_filename: 'messages.json',
  file_type: 'json',
  source_language: 'en',
  target_languages: ['fr', 'zh-CN'],
  total_keys: 10,
  translated_keys: 8,
  failed_keys: 2,
  error_message: null,
  created_at: at,
  updated_at: '2026-01-15T10:30:00.123456+00:00',
  completed_at: at,
} satisfies Job;

export const TRANSLATED_FILES = [
  {
    id,
    language_code: 'fr',
    file_url: `https://example.com/v2/translate/i18n/jobs/${id}/download?language_code=fr`,
    file_size: 2048,
    created_at: at,
  },
] satisfies TranslatedJobFile[];

export const webhook = {
  event: 'i18n_translation.completed',
  job_id: id,
  status: 'partial',
  job: JOB,
  translated_files: TRANSLATED_FILES,
  completed_at: at,
} satisfies WebhookPayload;
