import { parseRareLocale } from '../../languages/locale.ts';
import type { PluralRule } from './plural-expression.ts';

/** The forms of a file, by index. */
export interface FormNaming {
  /** The CLDR category of a form; its index as text if no category matches. */
  categoryOf(index: number): string;
  /** The source text of a form: msgid for the form used for 1, msgid_plural for the others. */
  sourceOf(index: number, singular: string, plural: string): string;
}

/** gettext's default for files without a rule. */
const WITHOUT_RULE: FormNaming = {
  categoryOf: (index) => ['one', 'other'][index] ?? String(index),
  sourceOf: (index, singular, plural) => (index === 0 ? singular : plural),
};

/** High enough to find every form of every language, except forms that only millions select. */
const LAST_NUMBER = 1000;
const LARGE_NUMBERS = [10_000, 100_000, 1_000_000, 2_000_000, 10_000_000];

/**
 * Names the forms of a rule by the numbers that select them.
 *
 * @param locale of the file, in any spelling; without it, or for a language that CLDR lacks, forms are only
 * distinguished as one and many
 */
export function nameForms(rule: PluralRule | undefined, locale: string | undefined): FormNaming {
  if (!rule) return WITHOUT_RULE;
  // Many catalogues have no plurals, so the thousand numbers are tried only when a form is named.
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
      // "One file" cannot also be used for 21 files, but "%d files" can.
      return chosen.length <= FEW || countArguments(singular) === countArguments(plural) ? singular : plural;
    },
  };
}

/** A form may omit the number if it applies to at most this many numbers: gettext's own limit. */
const FEW = 5;

function countArguments(text: string): number {
  return text.match(/%(?!%)|\{/g)?.length ?? 0;
}

/** The numbers of each form, and its CLDR category if it has exactly one. */
interface TriedRule {
  readonly numbers: readonly (readonly number[])[];
  readonly categories: readonly (string | undefined)[];
}

function tryNumbers(rule: PluralRule, locale: string | undefined): TriedRule {
  const numbers = numbersByIndex(rule);
  return { numbers, categories: categoriesOf(numbers, pluralRulesOf(locale)) };
}

const numbersOf = new WeakMap<PluralRule, readonly (readonly number[])[]>();

function numbersByIndex(rule: PluralRule): readonly (readonly number[])[] {
  const known = numbersOf.get(rule);
  if (known) return known;
  const numbers: number[][] = Array.from({ length: rule.nplurals }, () => []);
  for (let n = 0; n <= LAST_NUMBER; n++) numbers[rule.indexOf(n) ?? -1]?.push(n);
  const rare = numbers.map((some) => some.length === 0);
  for (const n of LARGE_NUMBERS) {
    const index = rule.indexOf(n) ?? -1;
    if (rare[index]) numbers[index]?.push(n);
  }
  numbersOf.set(rule, numbers);
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

/**
 * Names the form for 1 and the form for all other numbers, for a language that CLDR lacks, if there are exactly two
 * forms.
 */
function withoutCldr(numbers: readonly (readonly number[])[]): readonly (string | undefined)[] {
  if (numbers.length === 1) return ['other'];
  const [first, second] = numbers;
  return numbers.length === 2 && first?.includes(1) && second?.includes(2) ? ['one', 'other'] : [];
}

/** CLDR's plural rules for a language. Results are cached: all catalogues use the same numbers. */
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
/** More languages than any project has. Untrusted catalogues can name any number of variants. */
const MAX_REMEMBERED = 100;

function pluralRulesOf(locale: string | undefined): LanguageRules | undefined {
  const code = locale === undefined ? undefined : parseRareLocale(locale);
  if (code === undefined) return undefined;
  let rules = remembered.get(code);
  if (!rules) {
    if (Intl.PluralRules.supportedLocalesOf([code]).length === 0) return undefined;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(code, (rules = new LanguageRules(code)));
  }
  return rules;
}
