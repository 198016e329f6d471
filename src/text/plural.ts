export type PluralType = 'cardinal' | 'ordinal';

const CLDR_ORDER = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;

/** Numbers that show every category that whole numbers of everyday size have. */
const COMMON = Array.from({ length: 131 }, (_, n) => n);

const memo = new Map<string, readonly string[]>();
const chosen = new Map<string, readonly string[] | undefined>();

/**
 * The plural categories of a language in CLDR order, `other` last. A language that Intl does not know gets `one` and
 * `other`, which most languages have: a form that is never chosen does less harm than one that is missing.
 */
export function pluralCategories(locale: string, type: PluralType = 'cardinal'): readonly string[] {
  const key = `${type} ${locale}`;
  let categories = memo.get(key);
  if (!categories) {
    const found = new Set<string>(
      rulesOf(locale, type)?.resolvedOptions().pluralCategories ?? ['one', 'other'],
    );
    categories = CLDR_ORDER.filter((category) => found.has(category));
    memo.set(key, categories);
  }
  return categories;
}

/**
 * The categories without which a message is wrong for everyday numbers. The others, such as `many` in French (millions)
 * and Czech (fractions), may be left out: `other` takes their place.
 */
export function requiredCategories(locale: string, type: PluralType = 'cardinal'): readonly string[] {
  const categories = everydayCategories(locale, type);
  return categories.includes('other') ? categories : [...categories, 'other'];
}

/** The categories that whole numbers of everyday size choose: in Russian `one`, `few` and `many`, but not `other`. */
export function everydayCategories(locale: string, type: PluralType = 'cardinal'): readonly string[] {
  const found = new Set<string>(choicesOf(locale, type) ?? ['one', 'other']);
  return pluralCategories(locale, type).filter((category) => found.has(category));
}

/** How many everyday numbers choose a category; undefined for a language whose rules are not known. */
export function countNumbers(category: string, locale: string, type: PluralType): number | undefined {
  return choicesOf(locale, type)?.filter((choice) => choice === category).length;
}

/** Whether exact selectors such as `=1` are for every everyday number of a category: English `one` is for 1 alone. */
export function isCoveredExactly(
  category: string,
  selectors: ReadonlySet<string>,
  locale: string,
  type: PluralType = 'cardinal',
): boolean {
  const choices = choicesOf(locale, type);
  if (!choices) return selectors.has('=1');
  return choices.every((choice, n) => choice !== category || selectors.has(`=${n}`));
}

/** Whether exact selectors are for all numbers of a category that has some: a form of it would never be shown. */
export function isTakenExactly(
  category: string,
  selectors: ReadonlySet<string>,
  locale: string,
  type: PluralType = 'cardinal',
): boolean {
  const hasNumbers = (countNumbers(category, locale, type) ?? 0) > 0;
  return category !== 'other' && hasNumbers && isCoveredExactly(category, selectors, locale, type);
}

/** What each everyday number chooses, from 0 on. */
function choicesOf(locale: string, type: PluralType): readonly string[] | undefined {
  const key = `${type} ${locale}`;
  if (!chosen.has(key)) {
    const rules = rulesOf(locale, type);
    chosen.set(key, rules && COMMON.map((n) => rules.select(n)));
  }
  return chosen.get(key);
}

/** The category of the number 1. */
export function categoryOfOne(locale: string): string {
  return choicesOf(locale, 'cardinal')?.[1] ?? 'one';
}

/** Whether a string is one of the six CLDR plural categories. */
export function isPluralCategory(selector: string): boolean {
  return (CLDR_ORDER as readonly string[]).includes(selector);
}

/** Where a category stands in CLDR order; exact selectors such as `=0` come before all of them. */
export function pluralOrder(selector: string): number {
  return (CLDR_ORDER as readonly string[]).indexOf(selector);
}

/**
 * Whether the category `one` of the language is for the number 1 alone (English), so that its text need not show the
 * number; not so where it is also for 0 (French) or for 21 (Russian). True where the language has no `one`.
 */
export function matchesOnlyOne(locale: string, type: PluralType = 'cardinal'): boolean {
  return choicesOf(locale, type)?.every((choice, n) => n === 1 || choice !== 'one') ?? true;
}

/**
 * Which form of the source a form of the target is translated from. The same category, else `other`; for `one` where
 * the target's `one` covers more numbers than 1, `other` when the source's `one` does not show the number.
 *
 * @param available categories that the source message has
 * @param showsNumber whether the source's form of a category contains the number; default: every form does
 * @returns undefined when the source has neither the category nor `other`
 */
export function sourceForm(
  available: readonly string[],
  category: string,
  locale: string,
  options: {
    readonly type?: PluralType | undefined;
    readonly showsNumber?: (category: string) => boolean;
  } = {},
): string | undefined {
  const hasOther = available.includes('other');
  if (!available.includes(category)) return hasOther ? 'other' : undefined;
  if (category !== 'one' || !hasOther || matchesOnlyOne(locale, options.type)) return category;
  const shows = options.showsNumber ?? ((): boolean => true);
  return !shows('one') && shows('other') ? 'other' : 'one';
}

function rulesOf(locale: string, type: PluralType): Intl.PluralRules | undefined {
  try {
    // Without the check an unknown language would silently get the categories of the machine's own.
    if (Intl.PluralRules.supportedLocalesOf(locale).length === 0) return undefined;
    return new Intl.PluralRules(locale, { type });
  } catch {
    return undefined;
  }
}
