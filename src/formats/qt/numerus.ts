import { languageOf } from '../../languages/locale.ts';
import { readPluralForms, type PluralRule } from '../po/plural-expression.ts';

/**
 * Qt's own plural rules (qttools, `numerus.cpp`) in gettext's notation, each with its languages. Forms are identified
 * by position. They differ from CLDR's: French has no `many`, and Khmer has two forms.
 */
const RULES: readonly (readonly [rule: string, languages: string])[] = [
  [
    'nplurals=2; plural=n != 1;',
    'aa ab af am as ay az ba bg bn ca co da de el en eo es et eu fi fo fy gl gu ha he hi ia ie it ka kk kl km kn ks ku kw ky la lb ln lo mg ml mn mr nb ne nl nn no oc or pa ps pt-PT qu rm rn rw sd si sn so sq ss st sv sw ta te tg tk tn to ts ug ur uz vo wo xh yi zu',
  ],
  ['nplurals=2; plural=n > 1;', 'br fil fr hy pt ti tl wa'],
  ['nplurals=2; plural=n%10 != 1 || n%100 == 11;', 'is'],
  ['nplurals=3; plural=n%10 == 1 && n%100 != 11 ? 0 : n != 0 ? 1 : 2;', 'lv'],
  ['nplurals=3; plural=n == 1 ? 0 : n == 2 ? 1 : 2;', 'dv ga gv ik iu mi sa se sm'],
  ['nplurals=4; plural=n == 1 || n == 11 ? 0 : n == 2 || n == 12 ? 1 : n >= 3 && n <= 19 ? 2 : 3;', 'gd'],
  ['nplurals=3; plural=n == 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2;', 'cs sk'],
  ['nplurals=3; plural=n%10 == 1 ? 0 : n%10 == 2 ? 1 : 2;', 'mk'],
  [
    'nplurals=3; plural=n%10 == 1 && n%100 != 11 ? 0 : n%10 != 0 && (n%100 < 10 || n%100 > 19) ? 1 : 2;',
    'lt',
  ],
  [
    'nplurals=3; plural=n%10 == 1 && n%100 != 11 ? 0 : n%10 >= 2 && n%10 <= 4 && (n%100 < 10 || n%100 > 19) ? 1 : 2;',
    'be bs hr ru sh sr uk',
  ],
  ['nplurals=3; plural=n == 1 ? 0 : n%10 >= 2 && n%10 <= 4 && (n%100 < 10 || n%100 > 19) ? 1 : 2;', 'pl'],
  ['nplurals=3; plural=n == 1 ? 0 : n == 0 || n%100 >= 1 && n%100 <= 19 ? 1 : 2;', 'mo ro'],
  ['nplurals=4; plural=n%100 == 1 ? 0 : n%100 == 2 ? 1 : n%100 == 3 || n%100 == 4 ? 2 : 3;', 'sl'],
  [
    'nplurals=4; plural=n == 1 ? 0 : n == 0 || n%100 >= 1 && n%100 <= 10 ? 1 : n%100 >= 11 && n%100 <= 19 ? 2 : 3;',
    'mt',
  ],
  ['nplurals=5; plural=n == 0 ? 0 : n == 1 ? 1 : n >= 2 && n <= 5 ? 2 : n == 6 ? 3 : 4;', 'cy'],
  [
    'nplurals=6; plural=n == 0 ? 0 : n == 1 ? 1 : n == 2 ? 2 : n%100 >= 3 && n%100 <= 10 ? 3 : n%100 >= 11 ? 4 : 5;',
    'ar',
  ],
];

/** Languages without a rule have a single form. */
const WITHOUT_PLURAL = 'nplurals=1; plural=0;';

export const NUMERUS_RULES: ReadonlyMap<string, string> = new Map(
  RULES.flatMap(([rule, languages]) => languages.split(' ').map((language) => [language, rule] as const)),
);

/** @param locale canonical */
export function numerusRule(locale: string): PluralRule | undefined {
  return readPluralForms(
    NUMERUS_RULES.get(locale) ?? NUMERUS_RULES.get(languageOf(locale)) ?? WITHOUT_PLURAL,
  );
}
