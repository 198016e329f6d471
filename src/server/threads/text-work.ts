import type { EngineRequest } from '../../engines/engine.ts';
import type { EngineTraits, PlainOutcome } from '../../engines/host.ts';
import type { EmailRequest, HtmlRequest, SubtitlesRequest } from '../../contract/documents.ts';
import type { BatchRequest, DetectRequest, TranslateRequest } from '../../contract/texts.ts';
import { creditsOf } from '../../service/credits.ts';
import { detectHere } from '../../service/detection.ts';
import type { CallOptions, TranslationService } from '../../service/service.ts';

/** What a thread can be asked to do with texts: requests and results as they are, both of which can be cloned. */
export const textWork = {
  translate: (service: TranslationService, request: TranslateRequest, call: CallOptions) =>
    service.translate(request, call),
  translateBatch: (service: TranslationService, request: BatchRequest, call: CallOptions) =>
    service.translateBatch(request, call),
  translateHtml: (service: TranslationService, request: HtmlRequest, call: CallOptions) =>
    service.translateHtml(request, call),
  translateEmail: (service: TranslationService, request: EmailRequest, call: CallOptions) =>
    service.translateEmail(request, call),
  translateSubtitles: (service: TranslationService, request: SubtitlesRequest, call: CallOptions) =>
    service.translateSubtitles(request, call),
  detect: (_service: TranslationService, request: DetectRequest, call: CallOptions) =>
    detectHere(request, call),
  countEmail: (_service: TranslationService, request: EmailRequest) =>
    Promise.resolve(creditsOf.translateEmail(request)),
  countSubtitles: async (_service: TranslationService, request: SubtitlesRequest) =>
    Promise.resolve(creditsOf.translateSubtitles(request)),
};

export type TextWork = typeof textWork;
export type TextWorkKind = keyof TextWork;
export type RequestOf<K extends TextWorkKind> = Parameters<TextWork[K]>[1];
export type ResultOf<K extends TextWorkKind> = Awaited<ReturnType<TextWork[K]>>;

export interface TextCall {
  readonly kind: TextWorkKind;
  readonly request: RequestOf<TextWorkKind>;
}

export interface TextProtocol {
  readonly settings: EngineTraits;
  readonly request: TextCall;
  /** `failures`: why parts of a document kept their source. */
  readonly result: { readonly result: ResultOf<TextWorkKind>; readonly failures: readonly string[] };
  readonly note: never;
  readonly question: EngineRequest;
  readonly answer: readonly PlainOutcome[];
}

/** How much there is to do, in characters. */
export function weightOf(request: RequestOf<TextWorkKind>): number {
  if ('text' in request) return request.text.length;
  if ('texts' in request) return request.texts.reduce((sum, text) => sum + text.length, 0);
  if ('html' in request) return request.html.length;
  return 'content' in request ? request.content.length : request.subject.length + request.email_body.length;
}
