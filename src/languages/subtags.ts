import { languageRows } from './table.ts';

const words = (list: string): readonly string[] => list.split(' ');

const languages: ReadonlySet<string> = new Set(languageRows.map(([code]) => code));

/** Codes that were replaced, as ISO 639 and the CLDR replace them. Android and Java still write the first three. */
const replaced: ReadonlyMap<string, string> = new Map([
  ['iw', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
  ['jw', 'jv'],
  ['mo', 'ro'],
  ['tl', 'fil'],
  ['tw', 'ak'],
  ['cmn', 'zh'],
  ['kmr', 'ku'],
  ['gom', 'kok'],
]);

const scripts: ReadonlyMap<string, string> = new Map(
  words(
    'Adlm Arab Armn Beng Cans Cher Cyrl Deva Ethi Geor Grek Gujr Guru Hans Hant Hebr Jpan Khmr Knda Kore Laoo Latn ' +
      'Mlym Mong Mymr Nkoo Olck Orya Sinh Taml Telu Tfng Thaa Thai Tibt',
  ).map((script) => [script.toLowerCase(), script]),
);

/** ISO 3166-1, Kosovo, the regions of the pseudo-locales (XA, XB), and the areas that locales are written for. */
const regions: ReadonlySet<string> = new Set(
  words(
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
      'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM ' +
      'FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS ' +
      'IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML ' +
      'MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN ' +
      'PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG ' +
      'TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW XK XA XB ' +
      '001 150 419',
  ),
);

const variants: ReadonlySet<string> = new Set(
  words('1901 1996 ao1990 colb1945 ekavsk ijekavsk oxendict polyton tarask valencia'),
);

/** What one part of a spelling stands for, in canonical case; undefined when it stands for nothing known. */
export function languageSubtag(part: string): string | undefined {
  const lower = part.toLowerCase();
  const language = replaced.get(lower) ?? lower;
  return languages.has(language) ? language : undefined;
}

export function scriptSubtag(part: string): string | undefined {
  return scripts.get(part.toLowerCase());
}

export function regionSubtag(part: string): string | undefined {
  const upper = part.toUpperCase();
  // Not a code, but what many people write for it.
  if (upper === 'UK') return 'GB';
  return regions.has(upper) ? upper : undefined;
}

export function variantSubtag(part: string): string | undefined {
  const lower = part.toLowerCase();
  return variants.has(lower) ? lower : undefined;
}
