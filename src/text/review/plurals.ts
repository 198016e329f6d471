import { pluralTypeOf } from '../adapt.ts';
import type { ComplexNode, MessageNode } from '../node.ts';
import { everydayCategories, isCoveredExactly, pluralCategories, type PluralType } from '../plural.ts';
import type { Remark } from './remark.ts';

/** Categories that CLDR gave up and that programs with older rules still look up. */
const FORMER: Readonly<Record<string, readonly string[]>> = { he: ['many'], iw: ['many'] };

/** What is wrong with the branches of an argument. A select without a branch of the source is the translator's choice. */
export function reviewBranches(node: ComplexNode, locale: string | undefined): readonly Remark[] {
  const name = `{${node.argument}, ${node.style}, …}`;
  const selectors = node.branches.map(({ selector }) => selector);
  if (!hasBranch(node, 'other')) return [{ rule: 'missing-other', detail: `${name} has no branch other` }];
  if (node.style === 'select' || locale === undefined) return [];
  // An offset is taken from the number before its category is chosen, not before an exact selector is.
  const exact = node.head.includes('offset:') ? [] : selectors;
  const type = pluralTypeOf(node);
  return reviewCategories(selectors, { name, locale, type, exact });
}

interface CategoryOptions {
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
      category !== 'other' &&
      !found.includes(category) &&
      !isCoveredExactly(category, new Set(exact), locale, type),
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

/** One text that a message may show: its nodes with a branch chosen for every argument that has some. */
export interface Variant {
  readonly nodes: readonly MessageNode[];
  /** The plural branch that sets this text apart; undefined for what all of the message's texts have. */
  readonly form?: PluralBranch | undefined;
}

export interface PluralBranch {
  /** A plural category, or an exact selector such as `=1`. */
  readonly selector: string;
  readonly type: PluralType;
  /** The argument that counts, where the message names it. */
  readonly argument?: string | undefined;
}

/** Messages have a handful of branches. A message with more was not written for people. */
const MAX_VARIANTS = 64;

/**
 * The texts of a message, one for each branch: beside it all other arguments show their last branch, which is `other`.
 * All combinations would grow beyond bounds, and show nothing more.
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

/** `#` by the name of its argument: a translation may write either. */
function nameNumber({ argument, style }: ComplexNode, body: readonly MessageNode[]): readonly MessageNode[] {
  if (style === 'select') return body;
  return body.map((node) =>
    node.type === 'code' && node.kind === 'pound'
      ? { type: 'code', raw: `{${argument}}`, kind: 'argument' }
      : node,
  );
}

export function hasBranch({ branches }: ComplexNode, selector: string): boolean {
  return branches.some((branch) => branch.selector === selector);
}

/** The arguments with branches, at any depth. */
export function complexIn(nodes: readonly MessageNode[]): readonly ComplexNode[] {
  return nodes.flatMap((node) =>
    node.type === 'complex' ? [node, ...node.branches.flatMap(({ body }) => complexIn(body))] : [],
  );
}
