import { example, get, post, type Operation } from './operation.ts';
import {
  detectRequest,
  detectResponseV1,
  languagesResponse,
  translateRequest,
  translateResponseV1,
} from './texts.ts';

/** Version 1. */
export const legacyOperations = {
  translateV1: {
    ...post,
    path: '/v1/translate',
    request: translateRequest,
    response: translateResponseV1,
    topic: 'Version 1',
    summary: 'Translate one text',
    description: 'As `POST /v2/translate`, with the result at the top level.',
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
    description: 'As `POST /v2/language_detect`, with a confidence.',
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
