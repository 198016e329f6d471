import type { InferOutput } from 'valibot';
import { jobOperations } from './job-operations.ts';
import { example, get, post, type Operation } from './operation.ts';
import { serviceOperations } from './service-operations.ts';
import {
  detectRequest,
  detectResponseV1,
  languagesResponse,
  translateRequest,
  translateResponseV1,
} from './texts.ts';

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

/** All endpoints of the specification. */
export const operations = { ...serviceOperations, ...jobOperations, ...legacyOperations };

type Operations = typeof operations;
export type OperationId = keyof Operations;

/** Operations that are answered with JSON; a download is answered with the file. */
export type AnsweredId = Exclude<OperationId, 'downloadJob'>;
export type AnswerOf<Id extends AnsweredId> = InferOutput<Operations[Id]['response']>;

/** Operations whose request is a JSON body. */
export type BodyId = {
  [Id in AnsweredId]: Operations[Id] extends { carries: 'json' } ? Id : never;
}[AnsweredId];
export type RequestOf<Id extends BodyId> = InferOutput<Operations[Id]['request']>;

/** Operations of {@link serviceOperations}, all of them and those with a request. */
export type ServiceId = keyof typeof serviceOperations;
export type RequestId = BodyId & ServiceId;

export const SERVICE_IDS: readonly ServiceId[] = Object.keys(serviceOperations).filter(isServiceId);

function isServiceId(id: string): id is ServiceId {
  return Object.hasOwn(serviceOperations, id);
}

export function hasRequest(id: ServiceId): id is RequestId {
  return operations[id].carries === 'json';
}
