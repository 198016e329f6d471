import { areVariants, parseLocale, sameLanguage, languageOf } from '../../languages/locale.ts';
import type { LanguagePair } from '../engine.ts';
import { fallbackCodes } from '../chain-rules.ts';

/** A language that a service reads, and its target languages, in the service's spelling. */
export interface VendorDirection {
  readonly source: string;
  readonly targets: readonly string[];
}

/** Spellings that only services use; elsewhere they mean something else or nothing. */
const OWN_SPELLINGS: Readonly<Record<string, string>> = {
  pb: 'pt-BR',
  zt: 'zh-TW',
};

type Codes = ReadonlyMap<string, string>;

/** The languages of a service, requested once, and again after a failure. */
export class OfferedLanguages {
  readonly #load: () => Promise<readonly VendorDirection[]>;
  readonly #pivots: boolean;
  #known: Promise<ReadonlyMap<string, { readonly code: string; readonly targets: Codes }>> | undefined;

  /** @param pivots whether the service may use a pivot language without reporting it */
  constructor(load: () => Promise<readonly VendorDirection[]>, pivots = false) {
    this.#load = load;
    this.#pivots = pivots;
  }

  /**
   * A pair of canonical codes in the service's spelling; undefined if unsupported. Between variants of one language,
   * only exactly offered directions count: `pt` to `pt-BR`, never `en` to `en`. @throws errors of `load`
   */
  async find(source: string, target: string): Promise<LanguagePair | undefined> {
    const variants = areVariants(source, target);
    if (variants && this.#pivots) return undefined;
    const known = await this.#ask();
    const sources = new Map([...known].map(([locale, { code }]) => [locale, code]));
    const locale = closestLocale(source, sources) ?? own(languageOf(source), sources);
    const from = locale === undefined ? undefined : known.get(locale);
    const to = from && closestLocale(target, from.targets);
    if (from === undefined || to === undefined || (variants && (to !== target || to === locale))) {
      return undefined;
    }
    const code = from.targets.get(to);
    return code === undefined ? undefined : { source: from.code, target: code };
  }

  /** Every pair, in canonical codes. @throws errors of `load` */
  async pairs(): Promise<readonly LanguagePair[]> {
    const isDone = (source: string, target: string): boolean =>
      this.#pivots ? !areVariants(source, target) : source !== target;
    return [...(await this.#ask())].flatMap(([source, { targets }]) =>
      [...targets.keys()].filter((target) => isDone(source, target)).map((target) => ({ source, target })),
    );
  }

  async #ask(): ReturnType<typeof readDirections> {
    const known = (this.#known ??= readDirections(this.#load()));
    try {
      return await known;
    } catch (error) {
      if (this.#known === known) this.#known = undefined;
      throw error;
    }
  }
}

async function readDirections(
  directions: Promise<readonly VendorDirection[]>,
): Promise<ReadonlyMap<string, { readonly code: string; readonly targets: Codes }>> {
  const known = new Map<string, { readonly code: string; readonly targets: Codes }>();
  for (const { source, targets } of await directions) {
    const locale = localeOf(source);
    if (locale !== undefined) known.set(locale, { code: source, targets: codesOf(targets) });
  }
  return known;
}

function codesOf(spellings: readonly string[]): Codes {
  const codes = new Map<string, string>();
  for (const spelling of spellings) {
    const locale = localeOf(spelling);
    // The first of two spellings is the service's own, unless a later one is canonical.
    if (locale !== undefined && (!codes.has(locale) || spelling === locale)) codes.set(locale, spelling);
  }
  return codes;
}

function localeOf(spelling: string): string | undefined {
  return OWN_SPELLINGS[spelling.toLowerCase()] ?? parseLocale(spelling);
}

/**
 * The best offered locale for a canonical one: itself, its language, otherwise the same language and script in another
 * region: `en` → `en-US`, where most speakers live, and `en-AU` → `en-GB`, the general usage elsewhere.
 */
export function closestLocale(locale: string, offered: ReadonlyMap<string, unknown>): string | undefined {
  const known = fallbackCodes(locale).find((code) => offered.has(code));
  if (known !== undefined) return known;
  const related = [...offered.keys()].filter((other) => sameLanguage(other, locale));
  const region = regionOf(locale);
  const usual = regionOf(languageOf(locale));
  return (
    related.find((other) => regionOf(other) === region) ??
    related.find((other) => regionOf(other) !== usual) ??
    related[0]
  );
}

function own(locale: string, offered: ReadonlyMap<string, unknown>): string | undefined {
  return offered.has(locale) ? locale : undefined;
}

function regionOf(locale: string): string | undefined {
  return new Intl.Locale(locale).maximize().region;
}
