import type { EngineTraits } from '../../engines/host.ts';
import type { EmailRequest, SubtitlesRequest } from '../../contract/documents.ts';
import { hasRequest, SERVICE_IDS } from '../../contract/operations.ts';
import type { DetectRequest } from '../../contract/texts.ts';
import { loadDetection } from '../../languages/detection.ts';
import { creditsOf } from '../../service/credits.ts';
import { detectLocally, type DetectedLanguage } from '../../service/languages.ts';
import type { SharedResources, WorkerAnswer, WorkerQuestion } from '../../resources/worker-resources.ts';
import type { CallOptions, RequestMethods, TranslationService } from '../../service/service.ts';
import { parseJson } from './json-object.ts';
import type { OwnResources } from '../../store/resource-store.ts';

/** Operations that run in a thread; detecting a language is a separate kind. */
type TextOperations = Omit<RequestMethods, 'detectLanguage'>;

export const ROUTED: readonly (keyof TextOperations)[] = SERVICE_IDS.filter(
  (id): id is keyof TextOperations => hasRequest(id) && id !== 'detectLanguage',
);

/** The kinds of work on texts in a thread. */
export type TextRequests = { readonly [K in keyof TextOperations]: Parameters<TextOperations[K]>[0] } & {
  readonly detect: DetectRequest;
  /** Loads the detection tables before the first text needs them. */
  readonly loadDetection: null;
  readonly countEmail: EmailRequest;
  readonly countSubtitles: SubtitlesRequest;
  /** The bytes of a request body. */
  readonly parseBody: Uint8Array;
};

/** Results are passed on unchanged: like requests, they can be cloned. */
export type TextResults = { readonly [K in keyof TextOperations]: Awaited<ReturnType<TextOperations[K]>> } & {
  readonly detect: DetectedLanguage;
  readonly loadDetection: null;
  readonly countEmail: number;
  readonly countSubtitles: number;
  readonly parseBody: object;
};

export type TextWorkKind = keyof TextRequests;

export type TextWork = {
  readonly [K in TextWorkKind]: (request: TextRequests[K], call: CallOptions) => Promise<TextResults[K]>;
};

export function textWorkOf(service: TranslationService): TextWork {
  return {
    ...service,
    detect: detectLocally,
    async loadDetection() {
      await loadDetection();
      return null;
    },
    countEmail: async (request) => Promise.resolve(creditsOf.translateEmail(request)),
    countSubtitles: async (request) => Promise.resolve(creditsOf.translateSubtitles(request)),
    parseBody: async ({ buffer, byteOffset, length }) =>
      Promise.resolve(parseJson(Buffer.from(buffer, byteOffset, length))),
  };
}

/** The request of a client. */
export type TextRequest = TextRequests[Exclude<TextWorkKind, 'loadDetection' | 'parseBody'>];

export interface TextCall<K extends TextWorkKind = TextWorkKind> {
  readonly kind: K;
  readonly request: TextRequests[K];
  /** The resources of the caller's account. */
  readonly own: OwnResources | undefined;
}

export interface TextProtocol {
  readonly settings: { readonly engine: EngineTraits; readonly shared: SharedResources };
  readonly request: TextCall;
  /** `failures`: why parts of a document kept their source. */
  readonly result: { readonly result: TextResults[TextWorkKind]; readonly failures: readonly string[] };
  readonly note: never;
  readonly question: WorkerQuestion;
  readonly answer: WorkerAnswer;
}

/** The amount of work, in characters. */
export function weightOf(request: TextRequest): number {
  if ('text' in request) return request.text.length;
  if ('texts' in request) return request.texts.reduce((sum, text) => sum + text.length, 0);
  if ('html' in request) return request.html.length;
  return 'content' in request ? request.content.length : request.subject.length + request.email_body.length;
}
