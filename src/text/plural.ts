export type PluralType = 'cardinal' | 'ordinal';

const CLDR_ORDER = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;

/** Numbers that together select every category that everyday whole numbers can select. */
const COMMON = Array.from({ length: 131 }, (_, n) => n);

const memo = new Map<string, readonly string[]>();
const chosen = new Map<string, readonly string[] | undefined>();
const examples = new Map<string, readonly number[]>();

/**
 * The plural categories of a language in CLDR order, `other` last. A language that Intl lacks gets `one` and `other`,
 * which most languages have: an unused form does less harm than a missing one.
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

/** Categories that CLDR removed, by language. */
const FORMER: Readonly<Record<string, readonly string[]>> = { he: ['many'], iw: ['many'] };

/** The categories that a translation may have: the language's, and former ones, which older programs look up. */
export function allowedCategories(locale: string, type: PluralType = 'cardinal'): readonly string[] {
  return [...pluralCategories(locale, type), ...(FORMER[locale.split('-', 1)[0] ?? ''] ?? [])];
}

/**
 * The categories that everyday numbers need. Others, such as `many` in French (millions) and Czech (fractions), may be
 * omitted: `other` replaces them.
 */
export function requiredCategories(locale: string, type: PluralType = 'cardinal'): readonly string[] {
  const categories = everydayCategories(locale, type);
  return categories.includes('other') ? categories : [...categories, 'other'];
}

/** The categories that everyday whole numbers select: in Russian `one`, `few` and `many`, but not `other`. */
export function everydayCategories(locale: string, type: PluralType = 'cardinal'): readonly string[] {
  const found = new Set<string>(choicesOf(locale, type) ?? ['one', 'other']);
  return pluralCategories(locale, type).filter((category) => found.has(category));
}

/** How many everyday numbers select a category; undefined for a language with unknown rules. */
export function countNumbers(category: string, locale: string, type: PluralType): number | undefined {
  return choicesOf(locale, type)?.filter((choice) => choice === category).length;
}

/** Less common numbers, in the order in which they explain a category best. */
const RARE = [1_000_000, 2_000_000, 0.5, 1.5, 0.1, 1.1];

/** At most five numbers that select a category; empty for a language with unknown rules. */
export function exampleNumbers(category: string, locale: string, type: PluralType): readonly number[] {
  const key = `${type} ${locale} ${category}`;
  let found = examples.get(key);
  if (!found) {
    const rules = rulesOf(locale, type);
    found = [...COMMON, ...(type === 'cardinal' ? RARE : [])]
      .filter((n) => rules?.select(n) === category)
      .slice(0, 5);
    examples.set(key, found);
  }
  return found;
}

/** Whether exact selectors such as `=1` cover every everyday number of a category: English `one` only covers 1. */
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

/**
 * Whether exact selectors cover all numbers of a category that has any, in which case its form would never be
 * displayed.
 */
export function isTakenExactly(
  category: string,
  selectors: ReadonlySet<string>,
  locale: string,
  type: PluralType = 'cardinal',
): boolean {
  const hasNumbers = (countNumbers(category, locale, type) ?? 0) > 0;
  return category !== 'other' && hasNumbers && isCoveredExactly(category, selectors, locale, type);
}

/** The category of each everyday number, from 0 on. */
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

/** The position of a category in CLDR order; exact selectors such as `=0` come first. */
export function pluralOrder(selector: string): number {
  return (CLDR_ORDER as readonly string[]).indexOf(selector);
}

/**
 * Whether the language's `one` only covers the number 1 (English), so its text need not display the number. False if it
 * also covers 0 (French) or 21 (Russian). True if the language has no `one`.
 */
export function matchesOnlyOne(locale: string, type: PluralType = 'cardinal'): boolean {
  return choicesOf(locale, type)?.every((choice, n) => n === 1 || choice !== 'one') ?? true;
}

/**
 * The source form from which a target form is translated: the same category, otherwise `other`; for a target `one` that
 * covers more numbers than 1, `other` if the source's `one` does not display the number.
 *
 * @param available categories in the source message
 * @param showsNumber whether the source's form of a category contains the number; default: every form does
 * @returns undefined if the source has neither the category nor `other`
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
    // Without this check, an unknown language would silently get the categories of the system's locale.
    if (Intl.PluralRules.supportedLocalesOf(locale).length === 0) return undefined;
    return new Intl.PluralRules(locale, { type });
  } catch {
    return undefined;
  }
}
