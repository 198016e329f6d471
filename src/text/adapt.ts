import type { Branch, ComplexNode, MessageNode } from './node.ts';
import {
  isPluralCategory,
  isTakenExactly,
  pluralCategories,
  pluralOrder,
  sourceForm,
  type PluralType,
} from './plural.ts';

/**
 * The branches of an argument in a language: a select keeps its own; a plural gets exactly the language's categories
 * and its exact selectors (`=0`), without categories for which no number remains. Missing ones copy the text of the
 * source form that they correspond to, and the layout of their neighbours.
 */
export function adaptBranches(node: ComplexNode, locale: string): readonly Branch[] {
  if (node.style === 'select') return node.branches;
  const type = pluralTypeOf(node);
  const wanted = new Set([...pluralCategories(locale, type), 'other']);
  const kept = node.branches.filter((b) => !isPluralCategory(b.selector) || wanted.has(b.selector));
  // An offset is subtracted before the category is chosen, but not before an exact selector is compared. Flutter treats
  // `=1` and `one` alike and displays the last of them.
  const exact = new Set(node.head.includes('offset:') ? [] : node.branches.map(({ selector }) => selector));
  const missing = [...wanted].filter(
    (category) =>
      !kept.some((b) => b.selector === category) && !isTakenExactly(category, exact, locale, type),
  );
  const adapted = withoutNumberlessOne(node, kept, locale, type);
  for (const category of missing) insert(adapted, node, category, locale);
  return leadLike(node.branches, adapted);
}

export function pluralTypeOf(node: ComplexNode): PluralType {
  return node.style === 'selectordinal' ? 'ordinal' : 'cardinal';
}

function withoutNumberlessOne(
  node: ComplexNode,
  kept: readonly Branch[],
  locale: string,
  type: PluralType,
): Branch[] {
  return kept.map((branch) => {
    if (branch.selector !== 'one') return branch;
    const from = sourceForm(categoriesOf(node), 'one', locale, {
      type,
      showsNumber: (category) => showsNumber(bodyOf(node, category), node.argument),
    });
    return from === 'other' ? { ...branch, body: bodyOf(node, 'other') } : branch;
  });
}

function insert(branches: Branch[], node: ComplexNode, category: string, locale: string): void {
  const form = sourceForm(categoriesOf(node), category, locale, { type: pluralTypeOf(node) });
  const model = node.branches.find((b) => b.selector === form);
  if (!model) return;
  const after = branches.findIndex((b) => pluralOrder(b.selector) > pluralOrder(category));
  branches.splice(after < 0 ? branches.length : after, 0, { ...model, selector: category });
}

/**
 * The first branch keeps the leading white space of the source's first branch; added branches copy their neighbours'.
 */
function leadLike(source: readonly Branch[], adapted: readonly Branch[]): readonly Branch[] {
  const first = source[0];
  if (!first || adapted.every((branch, i) => branch === source[i])) return adapted;
  const usual = source[1]?.lead ?? first.lead;
  const leads = new Map(source.slice(1).map(({ selector, lead }) => [selector, lead]));
  return adapted.map((branch, i) => {
    if (i === 0) return { ...branch, lead: first.lead };
    return { ...branch, lead: leads.get(branch.selector) ?? usual };
  });
}

function categoriesOf(node: ComplexNode): string[] {
  return node.branches.map((b) => b.selector).filter(isPluralCategory);
}

function bodyOf(node: ComplexNode, category: string): readonly MessageNode[] {
  return node.branches.find((b) => b.selector === category)?.body ?? [];
}

/** Whether a text displays the number of the plural around it. */
export function showsNumber(body: readonly MessageNode[], argument: string): boolean {
  return body.some((node) => {
    if (node.type === 'code') return node.kind === 'pound' || isArgument(node.raw, argument);
    if (node.type !== 'complex') return false;
    // A `#` in a nested plural refers to that plural's number.
    return node.branches.some((b) =>
      showsNumber(
        node.style === 'select' || node.argument === argument
          ? b.body
          : b.body.filter((inner) => inner.type !== 'code' || inner.kind !== 'pound'),
        argument,
      ),
    );
  });
}

/** Whether a placeholder is this argument: `{n}` or `{n, number}`. */
export function isArgument(raw: string, argument: string): boolean {
  if (!raw.startsWith('{')) return false;
  return raw.slice(1).split(/[,}]/, 1)[0]?.trim() === argument;
}
