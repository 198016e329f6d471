import { parseRareLocale } from '../../languages/locale.ts';
import type { RetargetOptions } from '../format.ts';
import { readMessages } from './catalog.ts';
import { fieldOf, findHeader, languageIn, pluralRuleIn, type Header } from './header.ts';
import { readPluralForms, type PluralRule } from './plural-expression.ts';

/**
 * The Plural-Forms header of a language: CLDR's forms for whole numbers in CLDR's order (zero, one, two, few, many,
 * other), spelled as in gettext's own table.
 *
 * Two deliberate differences from CLDR: the `many` of the Romance languages, used only for millions, is omitted as is
 * usual with gettext; and languages that CLDR lacks have the rule that their translators use.
 */
const RULES: readonly (readonly [header: string, languages: string])[] = [
  [
    'nplurals=1; plural=0;',
    'bm bo dz hnj id ig ii ja jbo jv kde kea km ko lkt lo ms my nqo osa sah ses sg su th to tpi vi wo yo yue zh ay crh tt',
  ],
  [
    'nplurals=2; plural=(n != 1);',
    'af an asa ast az bal bem bez bg brx ca cgg ce chr ckb da de dv ee el en eo es et eu fi fo fur fy gl gsw ha haw hu ia ie io it ka jgo ji jmc kaj kcg kk kkj kl ks ksb ku ky la lb lg lij lld mai mas mgo ml mn mr nah nap nb nd ne nl nn nnh no nr ny nyn om or os pap pms ps pt-PT rm rof rw rwk saq sc scn sco sd sdh seh sn so sq ss ssy st sv sw syr ta te teo tig tk tn tr ts ug ur uz ve vec vo vun wae xh xog yi',
  ],
  [
    'nplurals=2; plural=(n > 1);',
    'ach ak am arn as bho bn csw doi fa ff fr frp gu guw gun hi hy kab kn kok ln mfe mg mi nso oc pa pcm pt si tg ti wa zu',
  ],
  ['nplurals=2; plural=(n > 1 && (n < 11 || n > 99));', 'tzm'],
  ['nplurals=2; plural=(n%10 == 4 || n%10 == 6 || n%10 == 9);', 'ceb fil tl'],
  ['nplurals=2; plural=(n%10 != 1 || n%100 == 11);', 'is mk'],
  ['nplurals=3; plural=(n == 0 ? 0 : n == 1 ? 1 : 2);', 'blo cv ksh lag'],
  ['nplurals=3; plural=(n == 1 ? 0 : n == 2 ? 1 : 2);', 'he iu iw naq sat se sma smi smj smn sms'],
  ['nplurals=3; plural=(n <= 1 ? 0 : n <= 10 ? 1 : 2);', 'shi'],
  ['nplurals=3; plural=(n == 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2);', 'cs sk'],
  ['nplurals=3; plural=(n == 1 ? 0 : n == 0 || (n%100 > 0 && n%100 < 20) ? 1 : 2);', 'mo ro'],
  [
    'nplurals=3; plural=(n%10 == 1 && n%100 != 11 ? 0 : n%10 >= 2 && n%10 <= 4 && (n%100 < 10 || n%100 >= 20) ? 1 : 2);',
    'be bs hr ru rue sh sr uk',
  ],
  [
    'nplurals=3; plural=(n == 1 ? 0 : n%10 >= 2 && n%10 <= 4 && (n%100 < 10 || n%100 >= 20) ? 1 : 2);',
    'csb pl szl',
  ],
  [
    'nplurals=3; plural=(n%10 == 1 && n%100 != 11 ? 0 : n%10 >= 2 && (n%100 < 10 || n%100 >= 20) ? 1 : 2);',
    'lt',
  ],
  [
    'nplurals=3; plural=(n%10 == 0 || (n%100 >= 11 && n%100 <= 19) ? 0 : n%10 == 1 && n%100 != 11 ? 1 : 2);',
    'lv prg',
  ],
  ['nplurals=4; plural=(n%100 == 1 ? 0 : n%100 == 2 ? 1 : n%100 == 3 || n%100 == 4 ? 2 : 3);', 'dsb hsb sl'],
  ['nplurals=4; plural=(n == 1 || n == 11 ? 0 : n == 2 || n == 12 ? 1 : n > 2 && n < 20 ? 2 : 3);', 'gd'],
  ['nplurals=4; plural=(n%10 == 1 ? 0 : n%10 == 2 ? 1 : n%20 == 0 ? 2 : 3);', 'gv'],
  [
    'nplurals=4; plural=(n%10 == 1 && n%100 != 11 ? 0 : n == 2 ? 1 : n%10 >= 2 && (n%100 < 10 || n%100 >= 20) ? 2 : 3);',
    'sgs',
  ],
  ['nplurals=5; plural=(n == 1 ? 0 : n == 2 ? 1 : n >= 3 && n <= 6 ? 2 : n >= 7 && n <= 10 ? 3 : 4);', 'ga'],
  [
    'nplurals=5; plural=(n == 1 ? 0 : n == 2 ? 1 : n == 0 || (n%100 >= 3 && n%100 <= 10) ? 2 : n%100 >= 11 && n%100 <= 19 ? 3 : 4);',
    'mt',
  ],
  [
    'nplurals=5; plural=(n%10 == 1 && n%100 != 11 && n%100 != 71 && n%100 != 91 ? 0 : n%10 == 2 && n%100 != 12 && n%100 != 72 && n%100 != 92 ? 1 : (n%10 == 3 || n%10 == 4 || n%10 == 9) && (n%100 < 10 || (n%100 > 19 && n%100 < 70) || (n%100 > 79 && n%100 < 90)) ? 2 : n != 0 && n%1000000 == 0 ? 3 : 4);',
    'br',
  ],
  [
    'nplurals=6; plural=(n == 0 ? 0 : n == 1 ? 1 : n == 2 ? 2 : n%100 >= 3 && n%100 <= 10 ? 3 : n%100 >= 11 ? 4 : 5);',
    'ar ars',
  ],
  ['nplurals=6; plural=(n == 0 ? 0 : n == 1 ? 1 : n == 2 ? 2 : n == 3 ? 3 : n == 6 ? 4 : 5);', 'cy'],
  [
    'nplurals=6; plural=(n == 0 ? 0 : n == 1 ? 1 : n%100 == 2 || n%100 == 22 || n%100 == 42 || n%100 == 62 || n%100 == 82 || (n%1000 == 0 && ((n%100000 >= 1000 && n%100000 <= 20000) || n%100000 == 40000 || n%100000 == 60000 || n%100000 == 80000)) || (n != 0 && n%1000000 == 100000) ? 2 : n%100 == 3 || n%100 == 23 || n%100 == 43 || n%100 == 63 || n%100 == 83 ? 3 : n%100 == 1 || n%100 == 21 || n%100 == 41 || n%100 == 61 || n%100 == 81 ? 4 : 5);',
    'kw',
  ],
];

export const PLURAL_FORMS: ReadonlyMap<string, string> = new Map(
  RULES.flatMap(([header, languages]) => languages.split(' ').map((language) => [language, header] as const)),
);

/** The rule of most languages, and gettext's default. */
const GERMANIC = 'nplurals=2; plural=(n != 1);';

/**
 * The value of the Plural-Forms header for a language.
 *
 * @param locale canonical: `pt-PT` and `pt` differ
 */
export function pluralFormsOf(locale: string): string {
  const subtags = locale.split('-');
  for (let length = subtags.length; length > 0; length--) {
    const header = PLURAL_FORMS.get(subtags.slice(0, length).join('-'));
    if (header !== undefined) return header;
  }
  return GERMANIC;
}

/**
 * The rule that counts and names the forms of a catalogue: the header's, otherwise the one that the header will get.
 * Undefined if the language is unknown too.
 *
 * @param locale canonical, if known
 */
export function pluralRuleOf(
  text: string,
  header: Header | undefined,
  locale = parseRareLocale(languageIn(header) ?? ''),
): PluralRule | undefined {
  return (
    pluralRuleIn(header) ?? (locale === undefined ? undefined : readPluralForms(missingForms(text, locale)))
  );
}

/** The value of `Plural-Forms` for a retargeted catalogue, and for an existing one without a rule. */
export function pluralFormsFor(
  text: string,
  header: Header | undefined,
  { locale, role, like }: RetargetOptions,
): string {
  if (role === 'existing') return ownForms(header) ?? missingForms(text, locale);
  if (!like) return pluralFormsOf(locale);
  return ownForms(findHeader(like.text)) ?? missingForms(like.text, locale);
}

function ownForms(header: Header | undefined): string | undefined {
  return pluralRuleIn(header) && fieldOf(header, 'Plural-Forms')?.value;
}

/** A catalogue without a rule may rely on gettext's default of two forms. */
function missingForms(text: string, locale: string): string {
  const forms = pluralFormsOf(locale);
  let written = 0;
  readMessages(text, (message) => {
    if (message.plural) written = Math.max(written, message.forms.length);
  });
  const nplurals = readPluralForms(forms)?.nplurals ?? 0;
  return nplurals < written && written === 2 ? GERMANIC : forms;
}
