import { RARE_LANGUAGES } from './rare.ts';
import { LANGUAGES } from './table.ts';

/**
 * How a project spells its locales:
 *
 * | style | zh-CN | sr-Latn | pt-BR | he |
 * |---|---|---|---|---|
 * | bcp47 | zh-CN | sr-Latn | pt-BR | he |
 * | underscore | zh_CN | sr_Latn | pt_BR | he |
 * | android | zh-rCN | b+sr+Latn | pt-rBR | iw |
 * | script | zh-Hans | sr-Latn | pt-BR | he |
 * | script-underscore | zh_Hans | sr_Latn | pt_BR | he |
 * | gettext | zh_CN | sr@latin | pt_BR | he |
 * | lower-hyphen | zh-cn | sr-latn | pt-br | he |
 * | lower-underscore | zh_cn | sr_latn | pt_br | he |
 * | camel-upper | zhCN | sr-Latn | ptBR | he |
 * | camel | zhCn | sr-Latn | ptBr | he |
 * | lower | zhcn | sr-Latn | ptbr | he |
 */
export type LocaleStyle = (typeof localeStyles)[number];

/** Every style, the most common first. */
export const localeStyles = [
  'bcp47',
  'underscore',
  'android',
  'script',
  'script-underscore',
  'gettext',
  'lower-hyphen',
  'lower-underscore',
  'camel-upper',
  'camel',
  'lower',
] as const;

interface Subtags {
  readonly language: string;
  readonly script?: string | undefined;
  readonly region?: string | undefined;
  readonly variant?: string | undefined;
}

const charset =
  /\.(?:utf-?8|iso-?8859-?\d{1,2}|gb2312|gbk|gb18030|big5(?:-?hkscs)?|euc-?(?:cn|jp|kr|tw)|koi8-?[rtu]|(?:cp|windows-?)\d{3,4}|s(?:hift_?)?jis|tis-?620)$/i;

/** Longer spellings are never locales. */
const longestSpelling = 40;

/** Reads the subtags after a language, in order, each at most once; undefined if one of them is unknown. */
function readSubtags(language: string | undefined, rest: readonly string[]): Subtags | undefined {
  if (language === undefined) return undefined;
  let script: string | undefined;
  let region: string | undefined;
  let variant: string | undefined;
  for (const part of rest) {
    const chinese = language === 'zh' ? /^CH([ST])$/i.exec(part)?.[1] : undefined;
    const asScript = chinese === undefined ? scriptSubtag(part) : /s/i.test(chinese) ? 'Hans' : 'Hant';
    if (variant !== undefined) return undefined;
    if (asScript !== undefined && script === undefined && region === undefined) script = asScript;
    else if (regionSubtag(part) !== undefined && region === undefined) region = regionSubtag(part);
    else {
      variant = variantSubtag(part);
      if (variant === undefined) return undefined;
    }
  }
  return { language, script, region, variant };
}

/** Codes that are commonly written as one word in lower case; others would be found in ordinary words. */
const IN_ONE_WORD = new Set('engb enus esmx frca frch nlbe ptbr ptpt zhcn zhhk zhtw'.split(' '));

/**
 * The language and region in `zhtw` or `jaJP`. Apart from the listed codes, the region must be in capitals or begin
 * with one, and must be where most people speak the language: other names are words.
 */
function splitWord(name: string): readonly string[] | undefined {
  const match = /^([a-z]{2})([A-Za-z]{2})$/.exec(name);
  if (match === null || IN_ONE_WORD.has(name.toLowerCase())) return match ?? undefined;
  const [, language = '', region = ''] = match;
  const isLikely =
    /^[A-Z]/.test(region) && withLikelyRegion(language) === `${language}-${region.toUpperCase()}`;
  return isLikely ? match : undefined;
}

function readSpelling(spelling: string, isRare = true): Subtags | undefined {
  if (spelling.length > longestSpelling) return undefined;
  if (spelling.startsWith('b+')) {
    const [, language = '', ...rest] = spelling.split('+');
    return readSubtags(languageSubtag(language, isRare), rest);
  }
  const [base = '', modifier, ...more] = spelling.split('@').map((part) => part.replace(charset, ''));
  if (more.length > 0) return undefined;
  const android = /^([a-z]{2,3})-r([A-Z]{2})$/.exec(base) ?? splitWord(base);
  const parts = android ? android.slice(1) : base.split(/[-_]/);
  // `no_nb`: Norwegian and its standard.
  const [language = '', ...rest] = /^no[-_]n[bn](?![a-z])/i.test(base) ? parts.slice(1) : parts;
  const subtags = readSubtags(languageSubtag(language, isRare), rest);
  if (modifier === undefined || subtags === undefined) return subtags;
  const meaning = readModifier(modifier);
  if (meaning === undefined) return undefined;
  if (meaning.script !== undefined && subtags.script !== undefined) return undefined;
  if (meaning.variant !== undefined && subtags.variant !== undefined) return undefined;
  return { ...subtags, ...meaning };
}

/** Replaces the script of a Chinese code with the region of the same meaning, as in canonical codes. */
function settleChinese(subtags: Subtags): Subtags {
  const { language, script, region, variant } = subtags;
  if (language !== 'zh') return subtags;
  if (script === 'Hans' || (script === undefined && region === 'SG'))
    return { language, region: 'CN', variant };
  if (script !== 'Hant') return subtags;
  return { language, region: region === 'HK' || region === 'MO' ? region : 'TW', variant };
}

function join(subtags: Subtags, separator: string): string {
  const { language, script, region, variant } = subtags;
  return [language, script, region, variant].filter((part) => part !== undefined).join(separator);
}

/** `cy-GB` for `cy`; undefined for a language without a likely country. */
export function withLikelyRegion(language: string): string | undefined {
  const { region = '' } = new Intl.Locale(language).maximize();
  return /^[A-Z]{2}$/.test(region) ? `${language}-${region}` : undefined;
}

/**
 * The canonical code of a locale, however it is spelled: `pt_BR`, `pt-rBR`, `b+sr+Latn`, `zh_Hans`, `zh_CN.UTF-8`,
 * `sr@latin`, `iw`. Canonical codes are BCP 47 in its usual case, with today's code for a replaced one (`he`), and with
 * the region for Chinese (`zh-CN`, `zh-TW`, `zh-HK`); `zh` and `no` do not change, because they are more general than
 * `zh-CN` and `nb`.
 *
 * @returns undefined for spellings with an unknown language or an unknown further part: `src`, `Base`, `en-test`,
 * `values-night`.
 */
export function parseLocale(spelling: string): string | undefined {
  const subtags = readSpelling(spelling, false);
  return subtags && join(settleChinese(subtags), '-');
}

/**
 * Same as {@link parseLocale}, but includes the languages whose codes usually mean something else: see
 * `RARE_LANGUAGES`.
 */
export function parseRareLocale(spelling: string): string | undefined {
  const subtags = readSpelling(spelling);
  return subtags && join(settleChinese(subtags), '-');
}

/** Android's resource lookup still uses the replaced codes. */
const androidLanguages: ReadonlyMap<string, string> = new Map([
  ['he', 'iw'],
  ['id', 'in'],
  ['yi', 'ji'],
]);

function writeAndroid(subtags: Subtags): string {
  const { script, region, variant } = subtags;
  const language = androidLanguages.get(subtags.language) ?? subtags.language;
  if (script !== undefined || variant !== undefined || /^\d/.test(region ?? ''))
    return `b+${join(subtags, '+')}`;
  return region === undefined ? language : `${language}-r${region}`;
}

function writeGettext(subtags: Subtags): string {
  const { language, script, region, variant } = subtags;
  const modifier = modifierName(script, variant);
  return modifier === undefined ? join(subtags, '_') : `${join({ language, region }, '_')}@${modifier}`;
}

function byScript(subtags: Subtags): Subtags {
  const { language, script, region, variant } = subtags;
  if (language !== 'zh' || script !== undefined) return subtags;
  if (region === 'CN') return { language, script: 'Hans', variant };
  return region === 'TW' ? { language, script: 'Hant', variant } : subtags;
}

/** A language and its region as one word if that word can be read back (`deAT` cannot), otherwise as a code. */
function writeWord(subtags: Subtags, inCase: (region: string) => string): string {
  const code = join(subtags, '-');
  const word = code.replace(/-(.*)/, (_, rest: string) => inCase(rest));
  return splitWord(word) ? word : code;
}

const writers: Readonly<Record<LocaleStyle, (subtags: Subtags) => string>> = {
  bcp47: (subtags) => join(subtags, '-'),
  underscore: (subtags) => join(subtags, '_'),
  android: writeAndroid,
  script: (subtags) => join(byScript(subtags), '-'),
  'script-underscore': (subtags) => join(byScript(subtags), '_'),
  gettext: writeGettext,
  'lower-hyphen': (subtags) => join(subtags, '-').toLowerCase(),
  'lower-underscore': (subtags) => join(subtags, '_').toLowerCase(),
  'camel-upper': (subtags) => writeWord(subtags, (region) => region),
  camel: (subtags) => writeWord(subtags, (region) => region.slice(0, 1) + region.slice(1).toLowerCase()),
  lower: (subtags) => writeWord(subtags, (region) => region.toLowerCase()),
};

/**
 * Spells a canonical code in a project's style. `parseLocale` of the result is `code` again. A code that is not a
 * locale is returned unchanged.
 */
export function spellLocale(code: string, style: LocaleStyle): string {
  const subtags = readSpelling(code);
  return subtags ? writers[style](settleChinese(subtags)) : code;
}

/** Whether a spelling has this style. Compares everything after the language code. */
function fits(spelling: string, subtags: Subtags, style: LocaleStyle): boolean {
  const chineseScript = subtags.language === 'zh' && /^Han[st]$/.test(subtags.script ?? '');
  if (chineseScript && (style === 'bcp47' || style === 'underscore' || style === 'gettext')) return false;
  const rest = /^[a-z]+(.*)$/s;
  return rest.exec(writers[style](subtags))?.[1] === rest.exec(spelling)?.[1];
}

/**
 * The style that fits most of the given spellings. Spellings that look the same in every style (`es`) and those that
 * are not locales are ignored. On a tie, `fallback` wins if it is among the best, otherwise the most common style.
 */
export function localeStyle(spellings: readonly string[], fallback: LocaleStyle): LocaleStyle {
  const votes = new Map<LocaleStyle, number>(localeStyles.map((style) => [style, 0]));
  for (const spelling of spellings) {
    const subtags = readSpelling(spelling);
    if (!subtags) continue;
    for (const style of localeStyles) {
      if (fits(spelling, subtags, style)) votes.set(style, (votes.get(style) ?? 0) + 1);
    }
  }
  const most = Math.max(...votes.values());
  const best = localeStyles.filter((style) => votes.get(style) === most);
  return best.includes(fallback) ? fallback : (best[0] ?? fallback);
}

/** The primary language subtag: `pt` of `pt-BR`. */
export function languageOf(code: string): string {
  return code.split('-', 1)[0] ?? code;
}

/** The ISO 15924 code of the script of a canonical code's language; undefined if it is unknown. */
export function scriptOf(code: string): string | undefined {
  return languageAndScript(code).split('-')[1] || undefined;
}

function languageAndScript(code: string): string {
  const known = maximized.get(code);
  if (known !== undefined) return known;
  const { language, script } = new Intl.Locale(code).maximize();
  const name = `${writtenStandard(language)}-${script ?? ''}`;
  if (maximized.size < mostMaximized) maximized.set(code, name);
  return name;
}

/** Norwegian without a standard is Bokmål. */
function writtenStandard(language: string): string {
  return language === 'no' ? 'nb' : language;
}

/** Cached: querying `Intl` takes longer than everything else, and the same few codes are queried repeatedly. */
const maximized = new Map<string, string>();
const mostMaximized = 1_000;

/**
 * Whether two canonical codes name the same language in the same script, and therefore differ only in usage: `en` and
 * `en-GB`, `no` and `nb`, `zh` and `zh-CN`; not `zh-CN` and `zh-TW`, not `sr` and `sr-Latn`.
 */
export function sameLanguage(a: string, b: string): boolean {
  return a === b || languageAndScript(a) === languageAndScript(b);
}

/**
 * Whether two canonical codes name the same language with the same script and region: `de` and `de-DE`, not `de` and
 * `de-AT`.
 */
export function sameLocale(a: string, b: string): boolean {
  return a === b || new Intl.Locale(a).maximize().toString() === new Intl.Locale(b).maximize().toString();
}

/**
 * Whether two canonical codes name varieties of the same language, in any script: `en-GB` and `en-US`, `ca` and
 * `ca-valencia`, `zh-CN` and `zh-TW`. A translation through a pivot language would lose their similarity.
 */
export function areVariants(a: string, b: string): boolean {
  return writtenStandard(languageOf(a)) === writtenStandard(languageOf(b));
}

/** The meaning of a gettext modifier (`sr@latin`). */
interface Modifier {
  readonly script?: string;
  readonly variant?: string;
}

const modifiers: ReadonlyMap<string, Modifier> = new Map<string, Modifier>([
  ['latin', { script: 'Latn' }],
  ['cyrillic', { script: 'Cyrl' }],
  ['devanagari', { script: 'Deva' }],
  ['arabic', { script: 'Arab' }],
  ['hebrew', { script: 'Hebr' }],
  ['gurmukhi', { script: 'Guru' }],
  ['valencia', { variant: 'valencia' }],
  ['tarask', { variant: 'tarask' }],
  ['ijekavian', { variant: 'ijekavsk' }],
  ['ijekavianlatin', { script: 'Latn', variant: 'ijekavsk' }],
  // A currency, which is irrelevant to the language.
  ['euro', {}],
]);

/** Undefined for a modifier that does not concern language or script (`quot`, `boldquot`, `shaw`). */
function readModifier(name: string): Modifier | undefined {
  const known = modifiers.get(name.toLowerCase());
  if (known !== undefined) return known;
  const script = scriptSubtag(name);
  return script === undefined ? undefined : { script };
}

/** The modifier for a script and a variant, if gettext has one. */
function modifierName(script: string | undefined, variant: string | undefined): string | undefined {
  for (const [name, meaning] of modifiers) {
    if (meaning.script === script && meaning.variant === variant && name !== 'euro') return name;
  }
  return undefined;
}

const words = (list: string): readonly string[] => list.split(' ');

const languages: ReadonlySet<string> = new Set(LANGUAGES);

/** Codes that ISO 639 and the CLDR have replaced. Android and Java still write the first three. */
const replaced: ReadonlyMap<string, string> = new Map(
  words('iw in ji jw mo tl tw cmn kmr gom').map((code) => [code, new Intl.Locale(code).language]),
);

const scripts: ReadonlyMap<string, string> = new Map(
  words(
    'Adlm Arab Armn Beng Cans Cher Cyrl Deva Ethi Geor Grek Gujr Guru Hans Hant Hebr Jpan Khmr Knda Kore Laoo Latn ' +
      'Mlym Mong Mymr Nkoo Olck Orya Sinh Taml Telu Tfng Thaa Thai Tibt',
  ).map((script) => [script.toLowerCase(), script]),
);

/** ISO 3166-1, Kosovo, the regions of pseudo-locales (XA, XB), and the larger areas that locales use. */
const regions: ReadonlySet<string> = new Set(
  words(
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
      'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM ' +
      'FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS ' +
      'IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML ' +
      'MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN ' +
      'PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG ' +
      'TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW XK XA XB ' +
      '001 150 419 ' +
      // Former countries: `sr_CS` predates the code of Serbia and is still in use.
      'AN CS DD SU YU ZR',
  ),
);

const variants: ReadonlySet<string> = new Set(
  words('1901 1996 ao1990 colb1945 ekavsk ijekavsk oxendict polyton tarask valencia'),
);

/** The meaning of one part of a spelling, in canonical case; undefined if unknown. */
function languageSubtag(part: string, isRare: boolean): string | undefined {
  const lower = part.toLowerCase();
  const language = replaced.get(lower) ?? lower;
  return languages.has(language) || (isRare && RARE_LANGUAGES.has(language)) ? language : undefined;
}

function scriptSubtag(part: string): string | undefined {
  return scripts.get(part.toLowerCase());
}

/** Whether this is the code of a country or a larger area, in capital letters. */
export function isRegion(code: string): boolean {
  return regions.has(code);
}

function regionSubtag(part: string): string | undefined {
  const upper = part.toUpperCase();
  // A common spelling that is not a code.
  if (upper === 'UK') return 'GB';
  return regions.has(upper) ? upper : undefined;
}

function variantSubtag(part: string): string | undefined {
  const lower = part.toLowerCase();
  return variants.has(lower) ? lower : undefined;
}
