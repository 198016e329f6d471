/**
 * Every language that a code may begin with: all of ISO 639-1, and the three-letter codes of languages into which
 * software is actually translated. The list is closed on purpose, because most short directory names are some
 * language's code.
 */
export const LANGUAGES: readonly string[] = (
  'aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv ' +
  'dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ' +
  'ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv ' +
  'mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm ' +
  'rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tn to tr ts tt ' +
  'ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu arz ast awa azb bho brx ceb chr ckb crh csb dsb fil ' +
  'frp fur gsw haw hil hmn hsb ilo kab kok lij lmo ltg lus mai mni nds nqo nso pap pms quc scn sco shi ' +
  'sma smj smn szl tpi tzm yue zgh'
).split(' ');

/** Variants that lists name separately. Other regions and scripts of these languages are valid too. */
export const VARIANTS: readonly string[] = (
  'ar-EG ar-SA ca-valencia de-AT de-CH en-AU en-CA en-GB en-IN en-US es-419 es-AR es-ES es-MX fr-BE ' +
  'fr-CA fr-CH nl-BE pt-BR pt-PT sr-Latn zh-CN zh-HK zh-TW'
).split(' ');

/** English names that the CLDR lacks, or for which it has a less common one. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['bn', 'Bengali'],
  ['ku', 'Kurdish (Kurmanji)'],
  ['azb', 'South Azerbaijani'],
  ['ca-valencia', 'Valencian'],
  ['zh-CN', 'Chinese (Simplified)'],
  ['zh-HK', 'Chinese (Hong Kong)'],
  ['zh-TW', 'Chinese (Traditional)'],
]);

/** Names in the languages themselves, if the CLDR lacks them or has a less common one. */
const ENDONYMS: ReadonlyMap<string, string> = new Map([
  ['an', 'aragonés'],
  ['co', 'corsu'],
  ['gn', 'avañe’ẽ'],
  ['ht', 'kreyòl ayisyen'],
  ['ku', 'kurdî'],
  ['la', 'Latina'],
  ['lij', 'lìgure'],
  ['pt-PT', 'português (Portugal)'],
  ['sr-Latn', 'srpski'],
  ['zh-CN', '简体中文'],
  ['zh-HK', '繁體中文（香港）'],
  ['zh-TW', '繁體中文'],
]);

let english: Intl.DisplayNames | undefined;

/** Caches names of languages one by one, because looking up all of them in the CLDR takes milliseconds. */
const found = new Map<string, string>(NAMES);

/** The English name of a listed language, by its canonical code; unique among these. */
export function englishName(code: string): string {
  const known = found.get(code);
  if (known !== undefined) return known;
  english ??= new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' });
  const name = english.of(code) ?? code;
  found.set(code, name);
  return name;
}

/** The language's name in the language itself, if known. */
export function endonymOf(code: string): string {
  return ENDONYMS.get(code) ?? new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
}
