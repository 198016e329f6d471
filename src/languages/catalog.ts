import { DragomanError } from '../base/errors.ts';
import { nearestOf } from '../base/nearest.ts';
import { languageOf, parseLocale } from './locale.ts';
import { languageOfCountry, RARE_LANGUAGES } from './rare.ts';
import { endonymOf, englishName, LANGUAGES, VARIANTS } from './table.ts';

interface Language {
  /** The canonical code: see `parseLocale`. */
  readonly code: string;
  /** The English name; unique among the languages. */
  readonly name: string;
}

const codes: readonly string[] = [...LANGUAGES, ...VARIANTS].sort();
const known: ReadonlySet<string> = new Set(codes);

/**
 * The known languages, ordered by code. Their other regions and scripts (`fr-LU`) are accepted too: see {@link
 * requireLanguage}. The engine decides whether it can translate them.
 */
export function supportedLanguages(): readonly Language[] {
  return codes.map((code) => ({ code, name: englishName(code) }));
}

/** The English name of a canonical code; for a variant without a name, that of its language, with the code. */
export function languageName(code: string): string {
  if (known.has(code)) return englishName(code);
  const language = languageOf(code);
  if (!known.has(language) && !RARE_LANGUAGES.has(language)) return code;
  const name = englishName(language);
  return name === code || language === code ? name : `${name} (${code})`;
}

/**
 * The canonical code of a language given in any spelling.
 *
 * @param hint tells users where to find the codes; by default, the error's hint lists all of them
 * @throws DragomanError `unsupported_language` for an unknown code and for `auto`
 */
export function requireLanguage(code: string, hint?: string): string {
  if (known.has(code)) return code;
  const canonical = parseLocale(code);
  if (canonical !== undefined) return canonical;
  const shown = JSON.stringify(code.length > 40 ? `${code.slice(0, 40)}…` : code);
  if (code === 'auto') {
    throw new DragomanError(
      'unsupported_language',
      '"auto" can only be a source: a specific language is required here',
    );
  }
  const suggestions = suggestLanguages(code).map((other) => `"${other}" (${languageName(other)})`);
  const question = suggestions.length === 0 ? '' : `; did you mean ${suggestions.join(' or ')}?`;
  throw new DragomanError('unsupported_language', `unsupported language ${shown}${question}`, {
    hint: hint ?? `supported languages: ${codes.join(', ')}`,
  });
}

/** CodeIgniter's names of variants. */
const VARIANT_NAMES: readonly (readonly [name: string, code: string])[] = [
  ['english-british', 'en-GB'],
  ['portuguese-brazilian', 'pt-BR'],
  ['serbian-cyrillic', 'sr-Cyrl'],
  ['serbian-latin', 'sr-Latn'],
  ['simplified-chinese', 'zh-CN'],
  ['traditional-chinese', 'zh-TW'],
];

const NAMES: ReadonlyMap<string, string> = new Map(VARIANT_NAMES.map(([name, code]) => [code, name]));
let byName: ReadonlyMap<string, string> | undefined;

/** The canonical code of a language by its English name in lower case with hyphens: `german`, `simplified-chinese`. */
export function localeOfEnglishName(name: string): string | undefined {
  byName ??= new Map([...LANGUAGES.map((code) => [nameOf(code), code] as const), ...VARIANT_NAMES]);
  return byName.get(name);
}

/** The English name of a locale in lower case with hyphens; for a variant without a name, that of its language. */
export function englishNameOf(locale: string): string {
  return NAMES.get(locale) ?? nameOf(languageOf(locale));
}

function nameOf(code: string): string {
  return languageName(code)
    .toLowerCase()
    .replaceAll(/[^\p{L}]+/gu, '-');
}

/** Codes that people write by mistake. */
const mistaken: ReadonlyMap<string, string> = new Map([
  ['br-pt', 'pt-BR'],
  ['chi', 'zh-CN'],
]);

/**
 * `eng`, and other codes that BCP 47 replaces with `en`, are `en`; `ger`, the bibliographic code of ISO 639-2, is `de`.
 */
function canonicalized(code: string): string | undefined {
  if (!/^[a-z]{3}$/i.test(code)) return undefined;
  const [canonical] = Intl.getCanonicalLocales(code);
  return canonical === undefined ? undefined : parseLocale(canonical);
}

/** Tells users where to find the codes; a service includes the codes in the error. */
export const LANGUAGES_HINT = 'dragoman languages lists them.';

/** The number of suggestions. */
const MOST = 3;

let byWord: ReadonlyMap<string, string> | undefined;

/** The codes of the listed languages, by code and by name in English and in the language itself, in lower case. */
function codesByWord(): ReadonlyMap<string, string> {
  byWord ??= new Map(
    [...LANGUAGES, ...VARIANTS].flatMap((code) =>
      [code, englishName(code), endonymOf(code)].map((word) => [word.toLowerCase(), code] as const),
    ),
  );
  return byWord;
}

/** The codes that `code` was probably meant to be, the likeliest first; empty without a plausible one. */
function suggestLanguages(code: string): readonly string[] {
  const wanted = code.trim().toLowerCase();
  const words = codesByWord();
  const suggestions =
    words.get(wanted) ?? mistaken.get(wanted) ?? languageOfCountry(wanted) ?? canonicalized(wanted);
  if (suggestions !== undefined) return [suggestions];
  const near = new Set(nearestOf(wanted, words.keys()).map((word) => words.get(word) ?? word));
  if (near.size > 0) return [...near].slice(0, MOST);
  const language = parseLocale(wanted.split(/[-_@.]/, 1)[0] ?? '');
  return language === undefined || language === wanted ? [] : [language];
}

/** The first suggestion of {@link suggestLanguages}. */
export function suggestLanguage(code: string): string | undefined {
  return suggestLanguages(code)[0];
}
