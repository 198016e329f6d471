import { pluralTypeOf } from '../adapt.ts';
import type { ComplexNode } from '../node.ts';
import { everydayCategories, isCoveredExactly, pluralCategories, type PluralType } from '../plural.ts';
import type { Remark } from './remark.ts';

/** Categories that CLDR gave up and that programs with older rules still look up. */
const FORMER: Readonly<Record<string, readonly string[]>> = { he: ['many'], iw: ['many'] };

/** What is wrong with the branches of an argument. A select without a branch of the source is the translator's choice. */
export function reviewBranches(node: ComplexNode, locale: string | undefined): readonly Remark[] {
  const name = `{${node.argument}, ${node.style}, …}`;
  const selectors = node.branches.map(({ selector }) => selector);
  if (!selectors.includes('other')) return [{ rule: 'missing-other', detail: `${name} has no branch other` }];
  if (node.style === 'select' || locale === undefined) return [];
  // An offset is taken from the number before its category is chosen, not before an exact selector is.
  const exact = node.head.includes('offset:') ? [] : selectors;
  const type = pluralTypeOf(node);
  return reviewCategories(selectors, { name, locale, type, exact });
}

export interface CategoryOptions {
  /** How the finding names the plural. */
  readonly name: string;
  readonly locale: string;
  readonly type: PluralType;
  /** Selectors among which `=1` stands for the number 1 alone. */
  readonly exact: readonly string[];
}

/**
 * Categories that everyday numbers choose and that a plural lacks, and those that no number chooses. `other` alone, or
 * with exact numbers, is one text for all of them, which a translator may want in any language.
 */
export function reviewCategories(
  selectors: readonly string[],
  { name, locale, type, exact }: CategoryOptions,
): readonly Remark[] {
  const found = selectors.filter((selector) => !selector.startsWith('='));
  if (found.every((category) => category === 'other')) return [];
  const lacking = everydayCategories(locale, type).filter(
    (category) =>
      category !== 'other' && !found.includes(category) && !isCoveredExactly(category, exact, locale, type),
  );
  const former = FORMER[locale.split('-', 1)[0] ?? ''] ?? [];
  const known = new Set([...pluralCategories(locale, type), ...former, 'other']);
  const unknown = found.filter((category) => !known.has(category));
  const remarks: Remark[] = [];
  // The text for 0 is never shown.
  const never = unknown.includes('zero') ? `has zero, which ${locale} never uses` : '';
  const lacks = lacking.length > 0 ? `lacks ${lacking.join(', ')} for ${locale}` : '';
  const problems = [lacks, never].filter(Boolean).join(' and ');
  if (problems !== '') remarks.push({ rule: 'plural-categories', detail: `${name} ${problems}` });
  const unused = unknown.filter((category) => category !== 'zero');
  if (unused.length > 0)
    remarks.push({
      rule: 'unused-category',
      detail: `${name} has ${unused.join(', ')}, which ${locale} never uses`,
    });
  return remarks;
}
