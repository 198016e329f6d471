import { type MessageNode, type MessagePart, sourceOf } from './node.ts';
import type { Syntax } from './syntax.ts';

/**
 * The numbers that select each branch of `a | b` in a language, if an application has its own rule; undefined if the
 * rule lacks the language, or does not cover all numbers.
 *
 * @param locale canonical
 * @param count of the branches. Default: as many as the rule uses
 */
export type BranchRule = (locale: string, count?: number) => BranchPositions | undefined;

/** Numbers of each branch, in order. */
export type BranchPositions = readonly (readonly number[])[];

/** Selects a branch of `a|b` for a number in Laravel, by position: Laravel uses its own rules, not CLDR's. */
type BranchOfNumber = (n: number) => number;

const ends = (n: number, from: number, to: number): boolean => n % 10 >= from && n % 10 <= to;
const isTeen = (n: number): boolean => n % 100 >= 11 && n % 100 <= 14;

/** The languages of each rule. For others Laravel always selects the first branch. */
const RULES: readonly (readonly [languages: string, position: BranchOfNumber])[] = [
  ['az bo dz id ja jv ka km kn ko ms th tr vi zh', () => 0],
  [
    'af bn bg ca da de el en eo es et eu fa fi fo fur fy gl gu ha he hu is it ku lb ml mn mr nah nb ne nl nn no om or pa pap ps pt so sq sv sw ta te tk ur zu',
    (n) => (n === 1 ? 0 : 1),
  ],
  ['am bh fil fr gun hi hy ln mg nso ti wa xbr', (n) => (n < 2 ? 0 : 1)],
  ['be bs hr ru sr uk', (n) => (ends(n, 1, 1) && !isTeen(n) ? 0 : ends(n, 2, 4) && !isTeen(n) ? 1 : 2)],
  ['cs sk', (n) => (n === 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2)],
  ['ga', (n) => (n === 1 ? 0 : n === 2 ? 1 : 2)],
  [
    'lt',
    (n) => (ends(n, 1, 1) && n % 100 !== 11 ? 0 : ends(n, 2, 9) && (n % 100 < 10 || n % 100 >= 20) ? 1 : 2),
  ],
  ['sl', (n) => (n % 100 === 1 ? 0 : n % 100 === 2 ? 1 : n % 100 === 3 || n % 100 === 4 ? 2 : 3)],
  ['mk', (n) => (ends(n, 1, 1) ? 0 : 1)],
  [
    'mt',
    (n) =>
      n === 1 ? 0 : n === 0 || (n % 100 > 1 && n % 100 < 11) ? 1 : n % 100 > 10 && n % 100 < 20 ? 2 : 3,
  ],
  ['lv', (n) => (n === 0 ? 0 : ends(n, 1, 1) && n % 100 !== 11 ? 1 : 2)],
  ['pl', (n) => (n === 1 ? 0 : ends(n, 2, 4) && !isTeen(n) ? 1 : 2)],
  ['cy', (n) => (n === 1 ? 0 : n === 2 ? 1 : n === 8 || n === 11 ? 2 : 3)],
  ['ro', (n) => (n === 1 ? 0 : n === 0 || (n % 100 > 0 && n % 100 < 20) ? 1 : 2)],
  ['ar', (n) => (n < 3 ? n : n % 100 >= 3 && n % 100 <= 10 ? 3 : n % 100 >= 11 ? 4 : 5)],
];

/** Numbers that together select every branch of every language. */
const EVERYDAY = Array.from({ length: 131 }, (_, n) => n);

const memo = new Map<string, BranchPositions | undefined>();

/**
 * The numbers that select each branch of Laravel's `a|b` in a language; undefined for a language without a rule.
 *
 * @param locale canonical; its region is ignored
 */
export function choicePositions(locale: string): BranchPositions | undefined {
  const language = locale.split('-', 1)[0] ?? '';
  if (!memo.has(language)) {
    const position = RULES.find(([languages]) => languages.split(' ').includes(language))?.[1];
    memo.set(language, position && positionsOf(position));
  }
  return memo.get(language);
}

function positionsOf(position: BranchOfNumber): BranchPositions {
  const positions: number[][] = [];
  for (const n of EVERYDAY) (positions[position(n)] ??= []).push(n);
  return positions;
}

/** Applications rarely have more branches. */
const MOST_BRANCHES = 8;

/**
 * Derives the numbers of each branch from a rule: for the given count, or for as many branches as the rule
 * distinguishes.
 *
 * @param position selects a branch for a number among `count`; undefined if unknown
 * @returns undefined if some numbers have no branch
 */
export function positionsByCount(
  position: (n: number, count: number) => number | undefined,
  count: number | undefined,
): BranchPositions | undefined {
  if (count === undefined) {
    const counts = Array.from({ length: MOST_BRANCHES }, (_, i) => MOST_BRANCHES - i);
    const most = counts.find((one) => positionsByCount(position, one)?.every(({ length }) => length > 0));
    return most === undefined ? undefined : positionsByCount(position, most);
  }
  const positions = Array.from({ length: count }, (): number[] => []);
  for (const n of EVERYDAY) {
    const numbers = positions[position(n, count) ?? -1];
    if (!numbers) return undefined;
    numbers.push(n);
  }
  return positions;
}

/** The branches of a value that is a choice by number, in a language; undefined for other values. */
export function branchesFor(
  parts: readonly MessagePart[],
  { syntax, locale, rule }: { syntax: Syntax; locale: string; rule?: BranchRule | undefined },
): BranchPositions | undefined {
  if (isChoice(parts, syntax)) {
    // Laravel uses Symfony's rules except for this language, where 0 selects the branch for 1.
    const isSymfony = parts.some(({ nodes }) => /%count%/i.test(sourceOf(nodes)));
    return choicePositions(isSymfony && locale === 'pt-BR' ? 'fr' : locale);
  }
  // vue-i18n's default rule: two branches are for one and more; three are for none, one and more.
  return syntax === 'vue' && (parts.length === 2 || parts.length === 3) ? rule?.(locale) : undefined;
}

/** `{0}`, `[1,19]`, `]1,Inf[`, `]1,Inf]` before a branch: it applies to these numbers in every language. */
const CONDITION = /^\s*(?:\{[^[\]{}]*\}|[[\]][^[\]{}]*[[\]])/;

/** The numbers for which a branch is written, if it states them. */
export function conditionOf({ nodes }: MessagePart, syntax: Syntax): string | undefined {
  if (syntax !== 'laravel') return undefined;
  const found = CONDITION.exec(sourceOf(nodes))?.[0].trim();
  return found !== undefined && /^[\d\s,.*+[\]{}-]+$/.test(found.replaceAll('Inf', '')) ? found : undefined;
}

/**
 * The syntax in which a source is compared with its translation: numbers before the translation's branches show that
 * the bars of a plain source separate branches too.
 */
export function comparedSyntax(
  source: { readonly syntax: Syntax; readonly text: string },
  target: Syntax,
): Syntax {
  return target === 'laravel' && source.text.includes('|') ? target : source.syntax;
}

/** The text of a branch without its condition. */
export function withoutCondition(part: MessagePart, syntax: Syntax): readonly MessageNode[] {
  const end = part.nodes.findIndex(({ type }) => type === 'code') + 1;
  const isCondition = sourceOf(part.nodes.slice(0, end)).trim() === conditionOf(part, syntax);
  return isCondition ? part.nodes.slice(end) : part.nodes;
}

/** Moves the conditions of branches into their separators, so that only texts are left. */
export function splitConditions(parts: readonly MessagePart[], syntax: Syntax): readonly MessagePart[] {
  if (syntax !== 'laravel' || parts.length < 2) return parts;
  return parts.map((part) => {
    const nodes = withoutCondition(part, syntax);
    const condition = part.nodes.slice(0, part.nodes.length - nodes.length);
    return { separator: part.separator + sourceOf(condition), nodes };
  });
}

/**
 * Whether a value has one text for 1 and one for all other numbers, instead of two texts with a bar between: one of
 * them displays the number, or the bar has no spaces around it.
 */
export function isChoice(parts: readonly MessagePart[], syntax: Syntax): boolean {
  if (syntax !== 'laravel' || parts.length !== 2) return false;
  const [first = '', second = ''] = parts.map(({ nodes }) => sourceOf(nodes));
  if ([first, second].some((text) => text.trim() === '' || CONDITION.test(text))) return false;
  return showsCount(first) || showsCount(second) || !(/\s$/.test(first) || /^\s/.test(second));
}

/** The argument that Laravel, Symfony or vue-i18n replaces with the number. */
const showsCount = (text: string): boolean => /:count\b|%count%|\{(?:n|count)\}/i.test(text);

/**
 * The branches of a value in the target language: as many as the program chooses from, each copied from the
 * corresponding source branch.
 */
export function adaptChoice(
  parts: readonly MessagePart[],
  positions: BranchPositions | undefined,
): readonly MessagePart[] {
  const [one, other] = parts.slice(-2);
  const none = parts.at(-3);
  if (!positions || !one || !other) return parts;
  const hidesCount = !showsCount(sourceOf(one.nodes)) && showsCount(sourceOf(other.nodes));
  const before = /\s*$/.exec(sourceOf(one.nodes))?.[0] ?? '';
  const behind = /^\s*/.exec(sourceOf(other.nodes))?.[0] ?? '';
  return positions.map((numbers, i) => {
    const isOne = numbers.includes(1) && !(numbers.length > 1 && (hidesCount || positions.length === 1));
    const { separator, nodes } = none && numbers.every((n) => n === 0) ? none : isOne ? one : other;
    const label = separator.replace('|', '');
    if (label !== '') return { separator: (i === 0 ? '' : '|') + label, nodes };
    const isLast = i === positions.length - 1;
    return {
      separator: i === 0 ? '' : `|${behind}`,
      nodes: [...trimmed(nodes), ...(isLast || before === '' ? [] : [textNode(before)])],
    };
  });
}

/** Removes the blanks around a text. */
function trimmed(nodes: readonly MessageNode[]): readonly MessageNode[] {
  return nodes.flatMap((node, i) => {
    if (node.type !== 'text' || (i > 0 && i < nodes.length - 1)) return node;
    const start = i === 0 ? node.raw.trimStart() : node.raw;
    const raw = i === nodes.length - 1 ? start.trimEnd() : start;
    return raw === '' ? [] : raw === node.raw ? node : textNode(raw);
  });
}

function textNode(text: string): MessageNode {
  return { type: 'text', raw: text, text };
}
