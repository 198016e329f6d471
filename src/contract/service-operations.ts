import { accountSummary, healthReport } from './account.ts';
import {
  emailRequest,
  emailResponse,
  htmlRequest,
  htmlResponse,
  subtitlesRequest,
  subtitlesResponse,
} from './documents.ts';
import { ACCOUNT, example, get, ONE_OR_MORE, post, type Operation } from './operation.ts';
import {
  batchRequest,
  batchResponse,
  detectRequest,
  detectResponse,
  isPlainBatch,
  languagesResponse,
  translateRequest,
  translateResponse,
} from './texts.ts';

const at = '2026-01-15T10:30:00Z';
const translation = { text: 'Hello', translation: 'Bonjour', source: 'en', target: 'fr' };

/** Answered at once, by a server or here: see `TranslationService`. */
export const serviceOperations = {
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
      'Tags, attributes, structure and entities are preserved; what is inside script and style tags is not translated.',
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
    // Without a block they cost nothing.
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
