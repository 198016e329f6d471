import type { BatchRequest, BatchResponse } from '../../src/contract/texts.ts';
import type { EngineTextService } from '../../src/client/service-engine.ts';
import type { TranslationService } from '../../src/service/service.ts';

/**
 * A service for tests that translates `Save` to `fr:Save`, keeps a ledger like the real one (1 credit per successful
 * text), and can be made to fail.
 */
export class CountingService implements EngineTextService {
  readonly requests: BatchRequest[] = [];
  listings = 0;
  charged = 0;
  languages: Readonly<Record<string, string>> = {
    'Auto-detect': 'auto',
    English: 'en',
    French: 'fr',
    Spanish: 'es',
    German: 'de',
    Russian: 'ru',
    Portuguese: 'pt',
    Chinese: 'zh-Hans',
  };
  /** Words that it cannot translate. */
  readonly broken = new Set<string>();
  translateText: (text: string, target: string) => string = (text, target) => `${target}:${text}`;
  /** Called before each batch is processed; an error that it throws becomes the answer. */
  before: (request: BatchRequest) => void | Promise<void> = () => undefined;
  /** Called when a batch is done and charged; an error that it throws becomes the answer. */
  after: (request: BatchRequest) => void | Promise<void> = () => undefined;

  /** The target language and text of every request, in order, such as `fr Save`. */
  get texts(): readonly string[] {
    return this.requests.flatMap(({ target, texts }) => texts.map((text) => `${target} ${text}`));
  }

  translateBatch: TranslationService['translateBatch'] = async (request): Promise<BatchResponse> => {
    this.requests.push(request);
    await this.before(request);
    const { source, target } = request;
    const translations = request.texts.map((text) => {
      const success = ![...this.broken].some((word) => text.includes(word));
      const translation = success ? this.translateText(text, target) : text;
      return { text, translation, source, target, success, ...(success ? {} : { error: 'too hard' }) };
    });
    const successful = translations.filter(({ success }) => success).length;
    this.charged += successful;
    await this.after(request);
    const total = translations.length;
    return { translations, total, successful, failed: total - successful };
  };

  supportedLanguages: TranslationService['supportedLanguages'] = () => {
    this.listings++;
    return Promise.resolve({ supported_languages: { ...this.languages } });
  };

  health: TranslationService['health'] = () =>
    Promise.resolve({ status: 'healthy', timestamp: '2026-01-01T00:00:00Z' });
}
