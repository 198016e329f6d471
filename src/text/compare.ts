import { mayLackOther } from './complex.ts';
import { isArgument, pluralTypeOf } from './adapt.ts';
import { type BranchPositions, branchesFor, type BranchRule, conditionOf, isChoice } from './choice.ts';
import { identify, signsOf, type Inventory } from './inventory.ts';
import { tagProblems } from './nesting.ts';
import type { Branch, ComplexNode, MessageNode, MessageProblem } from './node.ts';
import type { Parsed } from './parse.ts';
import { isCoveredExactly, isPluralCategory, pluralCategories, requiredCategories } from './plural.ts';
import type { Syntax } from './syntax.ts';
import { UnmatchedParts } from './unmatched-parts.ts';

export interface MessageComparison {
  readonly syntax: Syntax;
  readonly locale: string;
  /** The application's rule: see `parseMessage`. */
  readonly rule?: BranchRule | undefined;
  readonly source: string;
  readonly target: string;
  /** The number of enclosing arguments with branches. Default: 0. */
  readonly depth?: number;
}

/** The significant differences between two parsed values. */
export function compareParts(
  source: Parsed,
  target: Parsed,
  comparison: MessageComparison,
): MessageProblem[] {
  const { syntax, locale, rule } = comparison;
  const branches = branchesFor(source.parts, { syntax, locale, rule });
  if (branches || isChoice(source.parts, syntax)) return compareChoice(source, target, comparison, branches);
  if (source.parts.length !== target.parts.length) {
    return [mismatch(`${target.parts.length} branches between bars instead of ${source.parts.length}`)];
  }
  if (source.quoting !== target.quoting && /'/.test(comparison.source + comparison.target)) {
    return [mismatch('apostrophes have a different meaning than in the source')];
  }
  return source.parts.flatMap((part, i) => {
    const other = target.parts[i];
    const found = compareNodes(part.nodes, other?.nodes ?? [], comparison, undefined);
    if (found.length > 0 || comparison.syntax !== 'laravel' || !other || source.parts.length < 2)
      return found;
    const condition = conditionOf(part, comparison.syntax);
    // Elsewhere in the branch, a condition would be part of the text.
    return conditionOf(other, comparison.syntax) === condition
      ? []
      : [mismatch(`a branch does not begin with ${condition ?? 'its text'}`)];
  });
}

/** Compares each branch with the best matching one of the source; a branch for a single number may omit the number. */
function compareChoice(
  source: Parsed,
  target: Parsed,
  comparison: MessageComparison,
  positions: BranchPositions | undefined,
): MessageProblem[] {
  const wanted = positions?.length ?? source.parts.length;
  const found = target.parts.length;
  const { syntax, rule, locale } = comparison;
  // If a branch is missing, Laravel displays the first one; vue-i18n displays nothing.
  const isSound = syntax === 'vue' ? rule?.(locale, found) !== undefined : found === source.parts.length;
  if (found !== wanted && !isSound) {
    return [mismatch(`${found} branches between bars instead of ${wanted}`)];
  }
  return target.parts.flatMap(({ nodes }, i) => {
    const isSingle = found === wanted && positions?.[i]?.length === 1;
    const shown = (all: readonly MessageNode[]): readonly MessageNode[] =>
      isSingle
        ? all.filter((node) => node.type !== 'code' || !/^(?::count|\{(?:n|count)\})$/i.test(node.raw))
        : all;
    const outcomes = source.parts.map((part) =>
      compareNodes(shown(part.nodes), shown(nodes), comparison, undefined),
    );
    return outcomes.reduce((fewest, next) => (next.length < fewest.length ? next : fewest));
  });
}

function mismatch(detail: string): MessageProblem {
  return { rule: 'placeholder-mismatch', detail };
}

function compareNodes(
  source: readonly MessageNode[],
  target: readonly MessageNode[],
  comparison: MessageComparison,
  number: string | undefined,
): MessageProblem[] {
  if (hasSameCodes(source, target, comparison.syntax)) return [];
  return [
    ...compareInventories(
      identify(source, comparison.syntax, number),
      identify(target, comparison.syntax, number),
    ),
    ...tagProblems(source, target, comparison.syntax),
    ...compareComplex(source, target, comparison),
    ...compareAsides(source, target, comparison),
  ];
}

/** Titles of links are ordered like the links, which a translation may reorder, so they are compared as a set. */
function compareAsides(
  source: readonly MessageNode[],
  target: readonly MessageNode[],
  comparison: MessageComparison,
): MessageProblem[] {
  const [from, to] = [asidesIn(source), asidesIn(target)];
  if (from.length === 0 && to.length === 0) return [];
  if (from.length !== to.length) return [mismatch(`${to.length} titles of links instead of ${from.length}`)];
  return compareNodes(from.flat(), to.flat(), comparison, undefined);
}

function asidesIn(nodes: readonly MessageNode[]): readonly (readonly MessageNode[])[] {
  return nodes.flatMap((node) => (node.type === 'close' && node.aside ? [node.aside.nodes] : []));
}

/**
 * Whether both have the same placeholders and tags in the same order and no branches, and the target has no character
 * that could belong to a placeholder. True for most translations, which then have no differences.
 */
function hasSameCodes(
  source: readonly MessageNode[],
  target: readonly MessageNode[],
  syntax: Syntax,
): boolean {
  const signs = signsOf(syntax);
  let at = 0;
  const nextOfSource = (): MessageNode | undefined => {
    while (source[at]?.type === 'text') at++;
    return source[at++];
  };
  for (const node of target) {
    if (node.type === 'text') {
      for (const sign of signs) if (node.text.includes(sign)) return false;
      continue;
    }
    if (!isSameCode(node, nextOfSource())) return false;
  }
  return nextOfSource() === undefined;
}

function isSameCode(node: MessageNode, other: MessageNode | undefined): boolean {
  if (node.type === 'text' || node.type === 'complex' || other?.type !== node.type) return false;
  if (node.type === 'code' && (other.type !== 'code' || other.kind !== node.kind)) return false;
  return other.raw === node.raw;
}

function compareInventories(source: Inventory, target: Inventory): MessageProblem[] {
  const problems: MessageProblem[] = [];
  for (const [id, { count, raw }] of source.codes) {
    const found = target.codes.get(id)?.count ?? 0;
    if (found < count) problems.push(mismatch(`${raw} is missing`));
  }
  for (const [id, { count, raw }] of target.codes) {
    if (count > (source.codes.get(id)?.count ?? 0)) problems.push(mismatch(`${raw} is not in the source`));
  }
  for (const problem of compareLinks(source.links, target.links)) problems.push(problem);
  if (target.mixed && !source.mixed)
    problems.push(mismatch('placeholders with and without numbers are mixed'));
  if (source.format || target.format) {
    for (const sign of target.loose)
      if (!source.loose.has(sign)) problems.push(mismatch(describeLoose(sign)));
  }
  if (target.doublePercent && !source.doublePercent && source.loose.has('%')) {
    problems.push(mismatch('%% is not in the source'));
  }
  return problems;
}

/** Describes a format character that does not begin a directive. */
export function describeLoose(sign: string): string {
  if (sign === '%') return 'a literal percent sign is not written as %%';
  return `${sign} is not part of a placeholder`;
}

/**
 * A translator may link to another page of the same site, and add a link. A longer link includes a word; a link to
 * another site or another person's e-mail address is a mistake.
 */
function compareLinks(source: readonly string[], target: readonly string[]): MessageProblem[] {
  const equal = new UnmatchedParts(target, (link) => link);
  const changed = source.filter((link) => !equal.take(link));
  const sameSite = new UnmatchedParts(equal.rest(), siteOf);
  const lost = changed.filter(
    (link) => !sameSite.take(siteOf(link), (other) => !other.includes(link) && !link.includes(other)),
  );
  // The rest of a URL after an argument belongs to that link.
  const rests = sameSite.rest().filter((link) => !ADDRESS.test(link));
  return [
    ...lost.map((link) => mismatch(`${link} is missing`)),
    ...rests.map((link) => mismatch(`${link} in a link is not in the source`)),
  ];
}

/** A complete link: a URL, a host with or without a path, an e-mail address. */
const ADDRESS = /^[a-z]+:\/\/|^[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)|^[\w.+-]+@[\w-]+\.[\w.-]+$/;

function siteOf(link: string): string {
  return /^(?:[a-z]+:\/\/[^/?#]*|[\w-]+(?:\.[\w-]+)+(?=\/))/.exec(link)?.[0] ?? link;
}

function compareComplex(
  source: readonly MessageNode[],
  target: readonly MessageNode[],
  comparison: MessageComparison,
): MessageProblem[] {
  const problems: MessageProblem[] = [];
  const keyOf = ({ style, argument }: ComplexNode): string => `${style} ${argument}`;
  const waiting = new UnmatchedParts(
    target.filter((node) => node.type === 'complex'),
    keyOf,
  );
  for (const node of source) {
    if (node.type !== 'complex') continue;
    const found = waiting.take(keyOf(node));
    if (!found) problems.push(mismatch(`{${node.argument}, ${node.style}, …} is missing`));
    else for (const problem of compareBranches(node, found, comparison)) problems.push(problem);
  }
  for (const node of waiting.rest())
    problems.push(mismatch(`{${node.argument}, ${node.style}, …} is not in the source`));
  return problems;
}

function compareBranches(
  source: ComplexNode,
  target: ComplexNode,
  comparison: MessageComparison,
): MessageProblem[] {
  const problems = selectorProblems(source, target, comparison);
  const number = target.style === 'select' ? undefined : target.argument;
  const sources = new Map(source.branches.map((branch) => [branch.selector, branch]));
  const small = source.branches.slice(0, MOST_CANDIDATES);
  const inside = { ...comparison, depth: (comparison.depth ?? 0) + 1 };
  for (const { selector, ...branch } of target.branches) {
    let best: MessageProblem[] | undefined;
    for (const candidate of candidatesFor(selector, source.style, { sources, small })) {
      const found = compareBranch(candidate, { selector, ...branch }, inside, number);
      if (!best || found.length < best.length) best = found;
      // Trying all branches at every level would take quadratic time.
      if (best.length === 0 || inside.depth > MOST_DEPTH) break;
    }
    for (const problem of best ?? []) problems.push(problem);
  }
  return problems;
}

/** If a text has more branches, only those with the same selector are compared. */
const MOST_CANDIDATES = 8;
/** Below this depth, only the likeliest branch is compared. */
const MOST_DEPTH = 3;

function compareBranch(
  source: Branch,
  target: Branch,
  comparison: MessageComparison,
  number: string | undefined,
): MessageProblem[] {
  const few = number !== undefined && isSmall(target.selector);
  const shown = (nodes: readonly MessageNode[]): readonly MessageNode[] =>
    few ? nodes.filter((node) => !isNumber(node, number)) : nodes;
  return compareNodes(shown(source.body), shown(target.body), comparison, number);
}

function isNumber(node: MessageNode, argument: string): boolean {
  return node.type === 'code' && (node.kind === 'pound' || isArgument(node.raw, argument));
}

/** The source branches that a target branch may translate, the likeliest first. */
function candidatesFor(
  selector: string,
  style: ComplexNode['style'],
  { sources, small }: { readonly sources: ReadonlyMap<string, Branch>; readonly small: readonly Branch[] },
): readonly Branch[] {
  const own = sources.get(selector);
  const same = own ? [own] : [];
  if (style === 'select' || (own && !isPluralCategory(selector))) return same;
  const general = ['other', 'many', 'few'].flatMap((category) => sources.get(category) ?? []);
  const others = isSmall(selector) ? [...general, ...small] : general;
  return [...new Set([...same, ...others])];
}

/** Whether a selector covers so few numbers that its text may omit the number. */
function isSmall(selector: string): boolean {
  return /^(?:zero|one|two|=.*)$/.test(selector);
}

function selectorProblems(
  source: ComplexNode,
  target: ComplexNode,
  { locale, syntax }: MessageComparison,
): MessageProblem[] {
  const found = new Set(target.branches.map((branch) => branch.selector));
  const name = `{${target.argument}, ${target.style}, …}`;
  const isOpen = mayLackOther(syntax) && !source.branches.some(({ selector }) => selector === 'other');
  if (!found.has('other') && !isOpen)
    return [{ rule: 'missing-other', detail: `${name} has no "other" branch` }];
  if (target.style === 'select') {
    const known = new Set(source.branches.map((branch) => branch.selector));
    const lost = [...known].filter((selector) => !found.has(selector));
    const added = [...found].filter((selector) => !known.has(selector));
    return [
      ...lost.map((selector) => mismatch(`${name} lost its branch ${selector}`)),
      ...added.map((selector) => mismatch(`${name} has a branch ${selector} that the source does not have`)),
    ];
  }
  const wanted = new Set([...pluralCategories(locale, pluralTypeOf(target)), 'other']);
  const categories = [...found].filter((selector) => !selector.startsWith('='));
  const required = isOpen ? [] : requiredCategories(locale, pluralTypeOf(target));
  // An offset is subtracted before the category is chosen, but not before an exact selector is compared.
  const exact = target.head.includes('offset:') ? new Set<string>() : found;
  const missing = required.filter(
    (category) => !found.has(category) && !isCoveredExactly(category, exact, locale, pluralTypeOf(target)),
  );
  const extra = categories.filter((category) => !wanted.has(category));
  if (missing.length === 0 && extra.length === 0) return [];
  const parts = [
    missing.length > 0 ? `lacks ${missing.join(', ')}` : '',
    extra.length > 0 ? `has ${extra.join(', ')}` : '',
  ];
  return [
    { rule: 'plural-categories', detail: `${name} ${parts.filter(Boolean).join(' and ')} for ${locale}` },
  ];
}
