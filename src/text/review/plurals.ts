import { pluralTypeOf } from '../adapt.ts';
import type { ComplexNode, MessageNode } from '../node.ts';
import { allowedCategories, everydayCategories, isCoveredExactly, type PluralType } from '../plural.ts';
import type { Remark } from './remark.ts';

/** The defects of an argument's branches. A select may omit branches of the source. */
export function reviewBranches(node: ComplexNode, locale: string | undefined): readonly Remark[] {
  const name = `{${node.argument}, ${node.style}, …}`;
  const selectors = node.branches.map(({ selector }) => selector);
  if (!hasOther(node)) return [{ rule: 'missing-other', detail: `${name} has no "other" branch` }];
  if (node.style === 'select' || locale === undefined) return [];
  // An offset is subtracted before the category is chosen, but not before an exact selector is compared.
  const exact = node.head.includes('offset:') ? [] : selectors;
  const type = pluralTypeOf(node);
  return reviewCategories(selectors, { name, locale, type, exact });
}

interface CategoryOptions {
  /** The name of the plural in findings. */
  readonly name: string;
  readonly locale: string;
  readonly type: PluralType;
  /** The selectors, where `=1` means the number 1 alone. */
  readonly exact: readonly string[];
}

/**
 * Categories that everyday numbers select and the plural lacks, and categories that no number selects. `other` alone,
 * or with exact numbers, is one text for all numbers, which is valid in any language.
 */
export function reviewCategories(
  selectors: readonly string[],
  { name, locale, type, exact }: CategoryOptions,
): readonly Remark[] {
  const found = selectors.filter((selector) => !selector.startsWith('='));
  if (found.every((category) => category === 'other')) return [];
  const lacking = everydayCategories(locale, type).filter(
    (category) =>
      category !== 'other' &&
      !found.includes(category) &&
      !isCoveredExactly(category, new Set(exact), locale, type),
  );
  const known = new Set([...allowedCategories(locale, type), 'other']);
  const unknown = found.filter((category) => !known.has(category));
  const remarks: Remark[] = [];
  // The form for 0 is never displayed.
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

/** A text that a message can display: its nodes with one branch chosen for every argument. */
export interface Variant {
  readonly nodes: readonly MessageNode[];
  /** The plural branch that distinguishes this text; undefined for the message's common text. */
  readonly form?: PluralBranch | undefined;
}

export interface PluralBranch {
  /** A plural category, or an exact selector such as `=1`. */
  readonly selector: string;
  readonly type: PluralType;
  /** The counting argument, if the message names it. */
  readonly argument?: string | undefined;
}

/** More branches than any message for people has. */
const MAX_VARIANTS = 64;

/**
 * The texts of a message, one for each branch, in which all other arguments take their last branch, `other`. The number
 * of combinations would grow exponentially, and they would not show anything more.
 */
export function variantsOf(nodes: readonly MessageNode[]): readonly Variant[] {
  if (!nodes.some((node) => node.type === 'complex')) return [{ nodes }];
  const variants: Variant[] = [];
  collect(nodes, (body) => body, undefined, variants);
  return variants;
}

function collect(
  nodes: readonly MessageNode[],
  wrap: (body: readonly MessageNode[]) => readonly MessageNode[],
  form: PluralBranch | undefined,
  variants: Variant[],
): void {
  const branching = nodes.flatMap((node, at) => (node.type === 'complex' ? [{ node, at }] : []));
  if (branching.length === 0) variants.push({ nodes: wrap(nodes), form });
  for (const { node, at } of branching) {
    const before = nodes.slice(0, at).flatMap(shownByDefault);
    const after = nodes.slice(at + 1).flatMap(shownByDefault);
    for (const { selector, body } of node.branches) {
      if (variants.length >= MAX_VARIANTS) return;
      const inner = node.style === 'select' ? form : formOf(node, selector);
      const around = (text: readonly MessageNode[]): readonly MessageNode[] =>
        wrap([...before, ...text, ...after]);
      collect(nameNumber(node, body), around, inner, variants);
    }
  }
}

function formOf(node: ComplexNode, selector: string): PluralBranch {
  return { selector, type: pluralTypeOf(node), argument: node.argument };
}

function shownByDefault(node: MessageNode): readonly MessageNode[] {
  if (node.type !== 'complex') return [node];
  const branch = node.branches.find(({ selector }) => selector === 'other') ?? node.branches.at(-1);
  return nameNumber(node, branch?.body ?? []).flatMap(shownByDefault);
}

/** Replaces `#` with its argument's name: a translation may use either. */
function nameNumber({ argument, style }: ComplexNode, body: readonly MessageNode[]): readonly MessageNode[] {
  if (style === 'select') return body;
  return body.map((node) =>
    node.type === 'code' && node.kind === 'pound'
      ? { type: 'code', raw: `{${argument}}`, kind: 'argument' }
      : node,
  );
}

export function hasOther({ branches }: ComplexNode): boolean {
  return branches.some(({ selector }) => selector === 'other');
}

/** The arguments with branches, at any depth. */
export function complexIn(nodes: readonly MessageNode[]): readonly ComplexNode[] {
  return nodes.flatMap((node) =>
    node.type === 'complex' ? [node, ...node.branches.flatMap(({ body }) => complexIn(body))] : [],
  );
}
