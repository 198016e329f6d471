import { DragomanError } from '../base/errors.ts';
import { nearestOf } from '../base/nearest.ts';
import { languageOf, parseLocale } from './locale.ts';
import { languageOfCountry, RARE_LANGUAGES } from './rare.ts';
import { type LanguageRow, languageRows, variantRows } from './table.ts';

interface Language {
  /** Canonical: see `parseLocale`. */
  readonly code: string;
  /** In English, and no two languages have the same. */
  readonly name: string;
  /** The language's name in itself, where the list has it. */
  readonly endonym?: string;
}

const languages: readonly Language[] = [...languageRows, ...variantRows]
  .map(([code, name, endonym]: LanguageRow) =>
    endonym === undefined ? { code, name } : { code, name, endonym },
  )
  .sort((a, b) => (a.code < b.code ? -1 : 1));

const byCode: ReadonlyMap<string, Language> = new Map(languages.map((language) => [language.code, language]));

/**
 * The known languages, ordered by code. Any other region or script of one of them (`fr-LU`) is accepted too: {@link
 * requireLanguage}. The engine decides whether it can translate it.
 */
export function supportedLanguages(): readonly Language[] {
  return languages;
}

/** The English name of a canonical code; that of its language, with the code, for a variant without a name. */
export function languageName(code: string): string {
  const named = byCode.get(code);
  if (named) return named.name;
  const name = byCode.get(languageOf(code))?.name ?? rareName(languageOf(code));
  return name === undefined || name === code ? code : languageOf(code) === code ? name : `${name} (${code})`;
}

function rareName(language: string): string | undefined {
  return RARE_LANGUAGES.has(language)
    ? new Intl.DisplayNames(['en'], { type: 'language' }).of(language)
    : undefined;
}

/**
 * The canonical code of a language given in any spelling.
 *
 * @param hint where the codes are; by default the hint of the error lists all of them
 * @throws DragomanError `unsupported_language` for an unknown code and for `auto`
 */
export function requireLanguage(code: string, hint?: string): string {
  if (byCode.has(code)) return code;
  const canonical = parseLocale(code);
  if (canonical !== undefined) return canonical;
  const shown = JSON.stringify(code.length > 40 ? `${code.slice(0, 40)}…` : code);
  if (code === 'auto') {
    throw new DragomanError(
      'unsupported_language',
      '"auto" can be a source only: a definite language is needed here',
    );
  }
  const meant = suggestLanguages(code).map((other) => `"${other}" (${languageName(other)})`);
  const question = meant.length === 0 ? '' : `; did you mean ${meant.join(' or ')}?`;
  throw new DragomanError('unsupported_language', `unsupported language ${shown}${question}`, {
    hint: hint ?? `supported languages: ${languages.map((language) => language.code).join(', ')}`,
  });
}

/** Variants as CodeIgniter's translations call them. */
const VARIANTS: readonly (readonly [name: string, code: string])[] = [
  ['english-british', 'en-GB'],
  ['portuguese-brazilian', 'pt-BR'],
  ['serbian-cyrillic', 'sr-Cyrl'],
  ['serbian-latin', 'sr-Latn'],
  ['simplified-chinese', 'zh-CN'],
  ['traditional-chinese', 'zh-TW'],
];

const CODES: ReadonlyMap<string, string> = new Map([
  ...languageRows.map(([code]) => [nameOf(code), code] as const),
  ...VARIANTS,
]);
const NAMES: ReadonlyMap<string, string> = new Map(VARIANTS.map(([name, code]) => [code, name]));

/** The canonical code of a language by its English name in lower case with hyphens: `german`, `simplified-chinese`. */
export function localeOfEnglishName(name: string): string | undefined {
  return CODES.get(name);
}

/** The English name of a locale in lower case with hyphens; that of its language for a variant without a name. */
export function englishNameOf(locale: string): string {
  return NAMES.get(locale) ?? nameOf(languageOf(locale));
}

function nameOf(code: string): string {
  return languageName(code)
    .toLowerCase()
    .replaceAll(/[^\p{L}]+/gu, '-');
}

/** Codes that people write for a language by mistake, such as its bibliographic one of ISO 639-2. */
const mistaken: ReadonlyMap<string, string> = new Map([
  ['br-pt', 'pt-BR'],
  ['alb', 'sq'],
  ['arm', 'hy'],
  ['baq', 'eu'],
  ['bur', 'my'],
  ['chi', 'zh-CN'],
  ['cze', 'cs'],
  ['dut', 'nl'],
  ['fre', 'fr'],
  ['geo', 'ka'],
  ['ger', 'de'],
  ['gre', 'el'],
  ['ice', 'is'],
  ['mac', 'mk'],
  ['may', 'ms'],
  ['per', 'fa'],
  ['rum', 'ro'],
  ['slo', 'sk'],
  ['wel', 'cy'],
]);

/** `eng` is `en`: what BCP 47 calls the same language. */
function canonicalized(code: string): string | undefined {
  if (!/^[a-z]{3}$/i.test(code)) return undefined;
  const [canonical] = Intl.getCanonicalLocales(code);
  return canonical === undefined ? undefined : parseLocale(canonical);
}

/** Where a user finds the codes; a service includes them in the error. */
export const LANGUAGES_HINT = 'dragoman languages lists them.';

/** The number of suggestions. */
const MOST = 3;

/** The codes that `code` was probably meant to be, the likeliest first; empty without a good guess. */
function suggestLanguages(code: string): readonly string[] {
  const wanted = code.trim().toLowerCase();
  const codes = new Map<string, string>();
  for (const [canonical, name, endonym = name] of [...languageRows, ...variantRows]) {
    for (const word of [canonical, name, endonym]) codes.set(word.toLowerCase(), canonical);
  }
  const known =
    codes.get(wanted) ?? mistaken.get(wanted) ?? languageOfCountry(wanted) ?? canonicalized(wanted);
  if (known !== undefined) return [known];
  const near = new Set(nearestOf(wanted, codes.keys()).map((word) => codes.get(word) ?? word));
  if (near.size > 0) return [...near].slice(0, MOST);
  const language = parseLocale(wanted.split(/[-_@.]/, 1)[0] ?? '');
  return language === undefined || language === wanted ? [] : [language];
}

/** The likeliest one of {@link suggestLanguages}. */
export function suggestLanguage(code: string): string | undefined {
  return suggestLanguages(code)[0];
}
