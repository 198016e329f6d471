import { nearestOf } from '../base/nearest.ts';
import { parseLocale } from './locale.ts';
import { languageRows, variantRows } from './table.ts';

/** Codes that people write for a language by mistake: its country, or its bibliographic ISO 639-2 code. */
const mistaken: ReadonlyMap<string, string> = new Map([
  ['al', 'sq'],
  ['br-pt', 'pt-BR'],
  ['cn', 'zh-CN'],
  ['cz', 'cs'],
  ['dk', 'da'],
  ['gb', 'en-GB'],
  ['gr', 'el'],
  ['ir', 'fa'],
  ['jp', 'ja'],
  ['mx', 'es-MX'],
  ['rs', 'sr'],
  ['ua', 'uk'],
  ['us', 'en-US'],
  ['vn', 'vi'],
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

/** Where a user finds the codes; clients of a service get them with the error. */
export const LANGUAGES_HINT = 'dragoman languages lists them.';

/** As many guesses as a question has room for. */
const MOST = 3;

/** The codes that `code` was probably meant to be, the likeliest first; none when there is no good guess. */
export function suggestLanguages(code: string): readonly string[] {
  const wanted = code.trim().toLowerCase();
  const codes = new Map<string, string>();
  for (const [canonical, name, endonym = name] of [...languageRows, ...variantRows]) {
    for (const word of [canonical, name, endonym]) codes.set(word.toLowerCase(), canonical);
  }
  const known = codes.get(wanted) ?? mistaken.get(wanted) ?? canonicalized(wanted);
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
