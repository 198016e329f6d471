import type { LanguagePair } from '../engines/engine.ts';
import { fallbackCodes } from '../engines/fallback.ts';
import { parseLocale } from '../languages/locale.ts';
import type { TranslationService } from '../service/service.ts';

/** The languages of a service, in its spelling. Asked for once; asked again where that failed. */
export class ServiceLanguages {
  readonly #service: TranslationService;
  #codes: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(service: TranslationService) {
    this.#service = service;
  }

  /** The service's code of a canonical locale, or of what stands in for it: `fr` for `fr-CA`. @throws DragomanError of the call. */
  async codeOf(locale: string, signal: AbortSignal): Promise<string | undefined> {
    const codes = await this.#load(signal);
    for (const code of fallbackCodes(locale)) {
      const own = codes.get(code);
      if (own !== undefined) return own;
    }
    return undefined;
  }

  /** Every direction, in canonical codes. */
  async pairs(signal: AbortSignal): Promise<readonly LanguagePair[]> {
    const locales = [...(await this.#load(signal)).keys()];
    return locales.flatMap((source) =>
      locales.flatMap((target) => (source === target ? [] : [{ source, target }])),
    );
  }

  async #load(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const codes = (this.#codes ??= this.#ask(signal));
    try {
      return await codes;
    } catch (error) {
      if (this.#codes === codes) this.#codes = undefined;
      throw error;
    }
  }

  async #ask(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const { supported_languages: languages } = await this.#service.supportedLanguages({ signal });
    const codes = new Map<string, string>();
    for (const code of Object.values(languages)) {
      const locale = code === 'auto' ? undefined : parseLocale(code);
      // Of two spellings the service's own canonical one is better: it comes first or is the locale itself.
      if (locale !== undefined && (!codes.has(locale) || code === locale)) codes.set(locale, code);
    }
    return codes;
  }
}
