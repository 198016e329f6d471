import type { AccountSummary, HealthReport } from './account.ts';
import type {
  CreateJobRequest,
  CreateJobResponse,
  DeleteJobResponse,
  DownloadRequest,
  Job,
  JobWithFiles,
  TranslatedJobFile,
  WebhookPayload,
} from './jobs.ts';
import type { DetectResponseV1, TranslateResponseV1 } from './texts.ts';

/** One example of each request and response, with every field the specification names. The requests can be sent. */

const id = '7d1c2f9e-30c5-4a55-9a5e-0d6d3a3f0c11';
const at = '2026-01-15T10:30:00Z';

const job = {
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

const files = [
  {
    id,
    language_code: 'fr',
    file_url: `https://example.com/v2/translate/i18n/jobs/${id}/download?language_code=fr`,
    file_size: 2048,
    created_at: at,
  },
] satisfies TranslatedJobFile[];

const text = { text: 'Hello', source: 'en', target: 'fr' };
const translation = { text: 'Hello', translation: 'Bonjour', source: 'en', target: 'fr' };

export const requests = {
  translate: text,
  translateBatch: { texts: ['Hello', 'Goodbye'], source: 'en', target: 'es' },
  translateHtml: { html: '<p>Hello</p>', source: 'en', target: 'de' },
  translateEmail: { subject: 'Hello', email_body: '<p>Hello</p>', source: 'en', target: 'de' },
  translateSubtitles: {
    format: 'srt',
    content: '1\n00:00:01,000 --> 00:00:02,000\nHello\n',
    source: 'en',
    target: 'ja',
  },
  detectLanguage: { text: 'Bonjour tout le monde' },
  createJob: {
    source_language: 'en',
    target_languages: 'fr, de,zh-CN',
    webhook_url: 'https://example.com/hook',
  } satisfies CreateJobRequest,
  downloadJob: { language_code: 'fr' } satisfies DownloadRequest,
  translateV1: text,
  detectLanguageV1: { text: 'Bonjour tout le monde' },
};

export const responses = {
  translate: { translations: translation, details: {} },
  translateBatch: {
    translations: [
      { ...translation, success: true },
      { ...translation, translation: 'Hello', success: false, error: 'the engine gave no answer' },
    ],
    total: 2,
    successful: 1,
    failed: 1,
  },
  translateHtml: { html: '<p>Hallo</p>' },
  translateEmail: { subject: 'Hallo', html_body: '<p>Hallo</p>' },
  translateSubtitles: { format: 'vtt', content: 'WEBVTT\n' },
  detectLanguage: { language_detection: { text: 'Bonjour tout le monde', language: 'fr' } },
  supportedLanguages: { supported_languages: { 'Auto-detect': 'auto', French: 'fr' } },
  createJob: { job_id: id, status: 'pending', message: 'The job was created.' } satisfies CreateJobResponse,
  listJobs: [job, { ...job, status: 'pending', completed_at: null }],
  jobStatus: { ...job, translated_files: files } satisfies JobWithFiles,
  deleteJob: { message: 'The job was deleted.' } satisfies DeleteJobResponse,
  accountSummary: {
    email: 'ada@example.com',
    full_name: 'Ada',
    total_credits: 1000,
    credits_used: 250,
    credits_remaining: 750,
    credits_percentage: 25.0,
    concurrency: 1,
    effective_concurrency: 5,
    summary: { total_requests: 12, successful_requests: 11, failed_requests: 1, success_rate: 91.67 },
  } satisfies AccountSummary,
  health: { status: 'healthy', timestamp: at } satisfies HealthReport,
  translateV1: { translation: 'Bonjour', source: 'en', target: 'fr' } satisfies TranslateResponseV1,
  detectLanguageV1: { language: 'fr', confidence: 0.98 } satisfies DetectResponseV1,
  supportedLanguagesV1: { supported_languages: { French: 'fr' } },
};

export const webhook = {
  event: 'i18n_translation.completed',
  job_id: id,
  status: 'partial',
  job,
  translated_files: files,
  completed_at: at,
} satisfies WebhookPayload;
