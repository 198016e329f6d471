import type { AccountSummary, HealthReport } from '../contract/account.ts';
import type {
  EmailRequest,
  EmailResponse,
  HtmlRequest,
  HtmlResponse,
  SubtitlesRequest,
  SubtitlesResponse,
} from '../contract/documents.ts';
import type {
  BatchRequest,
  BatchResponse,
  DetectRequest,
  DetectResponse,
  LanguagesResponse,
  TranslateRequest,
  TranslateResponse,
} from '../contract/texts.ts';

export interface CallOptions {
  /** Aborting it makes the call reject with `interrupted`. */
  readonly signal: AbortSignal;
  /** Whose call it is: callers who share a service get its time in turn. */
  readonly owner?: string;
  /** The texts of the file that those of a batch are from: short ones are taken to be in their language. */
  readonly around?: readonly string[] | undefined;
  /** Called as the work goes on, with segments of the document or texts of the batch. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Called for each part of a document that kept its source, with one sentence: the answer has no place for it. */
  readonly onFailure?: (reason: string) => void;
}

/**
 * Every operation of the specification that is answered at once, with its requests and responses as they are on the
 * wire. Requests are validated: `invalid_request` and `unsupported_language` are what a server answers with 400.
 *
 * The failure of one text of a batch is data. What makes a whole call impossible rejects with a DragomanError:
 * `engine_unavailable`, `engine_failed`, `interrupted`, and `unreadable_input` for subtitles that are none.
 */
export interface TranslationService {
  /** For a service elsewhere: calls that are worth making at once. What is under way there has been paid for. */
  readonly parallelCalls?: number | undefined;
  translate(request: TranslateRequest, options: CallOptions): Promise<TranslateResponse>;
  translateBatch(request: BatchRequest, options: CallOptions): Promise<BatchResponse>;
  translateHtml(request: HtmlRequest, options: CallOptions): Promise<HtmlResponse>;
  translateEmail(request: EmailRequest, options: CallOptions): Promise<EmailResponse>;
  translateSubtitles(request: SubtitlesRequest, options: CallOptions): Promise<SubtitlesResponse>;
  detectLanguage(request: DetectRequest, options: CallOptions): Promise<DetectResponse>;
  supportedLanguages(options: CallOptions): Promise<LanguagesResponse>;
  accountSummary(options: CallOptions): Promise<AccountSummary>;
  health(options: CallOptions): Promise<HealthReport>;
}
