import { languageName } from './catalog.ts';
import { languageOf } from './locale.ts';
import { languageRows } from './table.ts';

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
