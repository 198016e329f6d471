import { nearest } from '../base/nearest.ts';
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

/** The code that `code` was probably meant to be; undefined when there is no good guess. */
export function suggestLanguage(code: string): string | undefined {
  const wanted = code.trim().toLowerCase();
  const codes = new Map<string, string>();
  for (const [canonical, name, endonym = name] of [...languageRows, ...variantRows]) {
    for (const word of [canonical, name, endonym]) codes.set(word.toLowerCase(), canonical);
  }
  const known = codes.get(wanted) ?? mistaken.get(wanted) ?? canonicalized(wanted);
  if (known !== undefined) return known;
  const near = nearest(wanted, codes.keys());
  if (near !== undefined) return codes.get(near);
  const language = parseLocale(wanted.split(/[-_@.]/, 1)[0] ?? '');
  return language === wanted ? undefined : language;
}
