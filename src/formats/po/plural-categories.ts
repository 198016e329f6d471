import { parseLocale } from '../../languages/locale.ts';
import type { PluralRule } from './plural-expression.ts';

/** What is known about the forms of a file: by index. */
export interface FormNaming {
  /** The CLDR category of a form; its index as text where no category is its own. */
  categoryOf(index: number): string;
  /** What the form is translated from: msgid for the one that stands for 1, msgid_plural for the others. */
  sourceOf(index: number, singular: string, plural: string): string;
}

/** gettext's own assumption when a file says nothing. */
const WITHOUT_RULE: FormNaming = {
  categoryOf: (index) => ['one', 'other'][index] ?? String(index),
  sourceOf: (index, singular, plural) => (index === 0 ? singular : plural),
};

/** Enough to meet every form of every language that does not need millions. */
const LAST_NUMBER = 1000;
const LARGE_NUMBERS = [10_000, 100_000, 1_000_000, 2_000_000, 10_000_000];

/**
 * Names the forms of a rule by the numbers that choose them.
 *
 * @param locale of the file, in any spelling; without it, or for a language CLDR does not know, forms are told apart
 * as far as one and many go
 */
export function nameForms(rule: PluralRule | undefined, locale: string | undefined): FormNaming {
  if (!rule) return WITHOUT_RULE;
  // Most catalogues are small and many have no plural: the thousand numbers are tried when a form has to be named.
  let tried: TriedRule | undefined;
  const tryRule = (): TriedRule => (tried ??= tryNumbers(rule, locale));
  return {
    categoryOf: (index) => tryRule().categories[index] ?? String(index),
    sourceOf: (index, singular, plural) => {
      const { numbers, categories } = tryRule();
      const chosen = numbers[index] ?? [];
      const named = categories[index];
      const isSingular = named === 'one' || (named === undefined && numbers.length > 1 && chosen.includes(1));
      if (!isSingular) return plural;
      // "One file" cannot stand for 21 files as well, "%d file" can.
      return chosen.length <= FEW || countArguments(singular) === countArguments(plural) ? singular : plural;
    },
  };
}

/** How many of the numbers a form can be for and still leave the number out: gettext's own limit. */
const FEW = 5;

function countArguments(text: string): number {
  return text.match(/%(?!%)|\{/g)?.length ?? 0;
}

/** The numbers of each form, and its CLDR category where it has one of its own. */
interface TriedRule {
  readonly numbers: readonly (readonly number[])[];
  readonly categories: readonly (string | undefined)[];
}

function tryNumbers(rule: PluralRule, locale: string | undefined): TriedRule {
  const numbers = numbersByIndex(rule);
  return { numbers, categories: categoriesOf(numbers, pluralRulesOf(locale)) };
}

function numbersByIndex(rule: PluralRule): readonly (readonly number[])[] {
  const numbers: number[][] = Array.from({ length: rule.nplurals }, () => []);
  for (let n = 0; n <= LAST_NUMBER; n++) numbers[rule.indexOf(n) ?? -1]?.push(n);
  const rare = numbers.map((some) => some.length === 0);
  for (const n of LARGE_NUMBERS) {
    const index = rule.indexOf(n) ?? -1;
    if (rare[index]) numbers[index]?.push(n);
  }
  return numbers;
}

function categoriesOf(
  numbers: readonly (readonly number[])[],
  rules: LanguageRules | undefined,
): readonly (string | undefined)[] {
  if (!rules || (numbers.length > 1 && rules.hasOneCategory)) return withoutCldr(numbers);
  const sets = numbers.map((some) => new Set(some.map((n) => rules.categoryOf(n))));
  return sets.map((set, index) => {
    const [category] = set;
    if (set.size !== 1 || category === undefined) return undefined;
    return sets.some((other, i) => i !== index && other.has(category)) ? undefined : category;
  });
}

/** A language that CLDR does not know: the forms of one and of the rest, where there are no more. */
function withoutCldr(numbers: readonly (readonly number[])[]): readonly (string | undefined)[] {
  if (numbers.length === 1) return ['other'];
  const [first, second] = numbers;
  return numbers.length === 2 && first?.includes(1) && second?.includes(2) ? ['one', 'other'] : [];
}

/** CLDR's rules of a language. It remembers the numbers: those of all catalogues are the same. */
class LanguageRules {
  readonly hasOneCategory: boolean;
  readonly #rules: Intl.PluralRules;
  readonly #categories = new Map<number, string>();

  constructor(code: string) {
    this.#rules = new Intl.PluralRules(code);
    this.hasOneCategory = this.#rules.resolvedOptions().pluralCategories.length === 1;
  }

  categoryOf(n: number): string {
    let category = this.#categories.get(n);
    if (category === undefined) this.#categories.set(n, (category = this.#rules.select(n)));
    return category;
  }
}

const remembered = new Map<string, LanguageRules>();
/** More than a project's languages. Catalogues from elsewhere can name any number of variants. */
const MAX_REMEMBERED = 100;

function pluralRulesOf(locale: string | undefined): LanguageRules | undefined {
  const code = locale === undefined ? undefined : parseLocale(locale);
  if (code === undefined) return undefined;
  let rules = remembered.get(code);
  if (!rules) {
    if (Intl.PluralRules.supportedLocalesOf([code]).length === 0) return undefined;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(code, (rules = new LanguageRules(code)));
  }
  return rules;
}
