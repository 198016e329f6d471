import { unlessAborted } from '../base/interruption.ts';
import type { LanguagePair } from '../engines/engine.ts';
import { fallbackCodes } from '../engines/chain-rules.ts';
import { areVariants, parseLocale } from '../languages/locale.ts';
import type { PlainMethods } from '../service/service.ts';

/**
 * The languages of a service, in its spelling. Requested once for all callers, and again after a failure. Closing it
 * ends a pending request.
 */
export class ServiceLanguages {
  readonly #service: Pick<PlainMethods, 'supportedLanguages'>;
  readonly #closing = new AbortController();
  #codes: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(service: Pick<PlainMethods, 'supportedLanguages'>) {
    this.#service = service;
  }

  /** The service's code of a canonical locale, or of its fallback: `fr` for `fr-CA`. @throws DragomanError of the call. */
  async codeOf(locale: string, signal?: AbortSignal): Promise<string | undefined> {
    return closestCode(await this.#load(signal), locale);
  }

  /**
   * A pair of canonical codes in the service's spelling; undefined if it lacks one. Between variants of a language, it
   * must list the target separately. @throws DragomanError of the call
   */
  async pairOf(source: string, target: string, signal?: AbortSignal): Promise<LanguagePair | undefined> {
    const codes = await this.#load(signal);
    const from = closestCode(codes, source);
    const variants = areVariants(source, target);
    const to = variants ? codes.get(target) : closestCode(codes, target);
    if (from === undefined || to === undefined || (variants && from === to)) return undefined;
    return { source: from, target: to };
  }

  /** Every direction, in canonical codes. */
  async pairs(signal?: AbortSignal): Promise<readonly LanguagePair[]> {
    const locales = [...(await this.#load(signal)).keys()];
    return locales.flatMap((source) =>
      locales.flatMap((target) => (source === target ? [] : [{ source, target }])),
    );
  }

  close(): void {
    this.#closing.abort();
  }

  #load(signal: AbortSignal | undefined): Promise<ReadonlyMap<string, string>> {
    this.#codes ??= this.#ask();
    return unlessAborted(this.#codes, signal);
  }

  async #ask(): Promise<ReadonlyMap<string, string>> {
    try {
      const { signal } = this.#closing;
      const { supported_languages: languages } = await this.#service.supportedLanguages({ signal });
      return codesOf(Object.values(languages));
    } catch (error) {
      this.#codes = undefined;
      throw error;
    }
  }
}

function closestCode(codes: ReadonlyMap<string, string>, locale: string): string | undefined {
  for (const code of fallbackCodes(locale)) {
    const own = codes.get(code);
    if (own !== undefined) return own;
  }
  return undefined;
}

function codesOf(spellings: readonly string[]): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  for (const code of spellings) {
    const locale = code === 'auto' ? undefined : parseLocale(code);
    // If there are two spellings, the canonical one is preferred: the first, unless a later one is the locale itself.
    if (locale !== undefined && (!codes.has(locale) || code === locale)) codes.set(locale, code);
  }
  return codes;
}
