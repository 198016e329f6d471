import {
  TOP,
  type CodeNode,
  type ComplexNode,
  type MessageNode,
  type WordContext,
  type TagNode,
  type TextNode,
} from './node.ts';
import { adaptBranches } from './adapt.ts';
import { pairTags } from './tag.ts';
import { writeTagged, type TaggedText, type Token } from './tagged.ts';
import { hasWords } from './words.ts';

/** A run of nodes, planned for a target language: the segment for an engine, and the nodes around it. */
export interface PatternPlan {
  readonly context: WordContext;
  readonly lead: readonly PlannedNode[];
  /** Absent if nothing is translatable: then everything is in `lead`. */
  readonly segment?: SegmentPlan;
  readonly trail: readonly PlannedNode[];
}

export interface SegmentPlan {
  /** The index of its translation in the message's list. */
  readonly index: number;
  readonly tagged: TaggedText;
  readonly items: readonly PlannedNode[];
  /** The nodes of each id: one for a placeholder, two for paired markup. */
  readonly placeholders: ReadonlyMap<number, readonly PlannedNode[]>;
}

export type PlannedNode = TextNode | CodeNode | TagNode | ComplexPlan | AsidePlan;

/** An end tag with a separate text. */
export interface AsidePlan {
  readonly type: 'aside';
  readonly raw: string;
  readonly name: string;
  readonly head: string;
  readonly pattern: PatternPlan;
  readonly tail: string;
}

export interface ComplexPlan {
  readonly type: 'plan';
  readonly argument: string;
  readonly style: ComplexNode['style'];
  readonly parts: readonly (string | PatternPlan)[];
  /** The patterns of the branches, with their selectors. */
  readonly branches: readonly PlannedBranch[];
}

export interface PlannedBranch {
  readonly selector: string;
  readonly pattern: PatternPlan;
}

/** Plans a run of nodes. Appends its segments, and those of its branches, to `segments` in reading order. */
export function planPattern(
  nodes: readonly MessageNode[],
  context: WordContext,
  locale: string,
  segments: TaggedText[],
): PatternPlan {
  const trimmed = splitWhitespace(nodes);
  if (!trimmed) return { context, lead: nodes.map((node) => planNode(node, locale, segments)), trail: [] };
  const index = segments.push('') - 1;
  const items = trimmed.inner.map((node) => planNode(node, locale, segments));
  const { tokens, placeholders } = number(trimmed.inner, items);
  const tagged = writeTagged(tokens);
  segments[index] = tagged;
  return {
    context,
    lead: trimmed.lead,
    segment: { index, tagged, items, placeholders },
    trail: trimmed.trail,
  };
}

function planNode(node: MessageNode, locale: string, segments: TaggedText[]): PlannedNode {
  if (node.type === 'complex') return planComplex(node, locale, segments);
  if (node.type !== 'close' || !node.aside) return node;
  const { head, nodes, tail } = node.aside;
  const pattern = planPattern(nodes, TOP, locale, segments);
  return { type: 'aside', raw: node.raw, name: node.name, head, pattern, tail };
}

function planComplex(node: ComplexNode, locale: string, segments: TaggedText[]): ComplexPlan {
  const context: WordContext = { nested: true, pound: node.style !== 'select' };
  const parts: (string | PatternPlan)[] = [node.head];
  const branches: PlannedBranch[] = [];
  for (const { lead, selector, gap, body } of adaptBranches(node, locale)) {
    const pattern = planPattern(body, context, locale, segments);
    branches.push({ selector, pattern });
    parts.push(`${lead}${selector}${gap}{`, pattern, '}');
  }
  parts.push(node.tail);
  return { type: 'plan', argument: node.argument, style: node.style, parts, branches };
}

/** Excludes white space at both ends from the segment. Undefined if no text has words. */
function splitWhitespace(
  nodes: readonly MessageNode[],
): { lead: TextNode[]; inner: MessageNode[]; trail: TextNode[] } | undefined {
  if (!nodes.some((node) => node.type === 'text' && hasWords(node.text))) return undefined;
  // In a date pattern, `:mm` is not a Laravel argument.
  const whole = nodes.length > 1 ? nodes.map((node) => (node.type === 'complex' ? node.head : node.raw)) : [];
  if (whole.length > 0 && !hasWords(whole.join(''))) return undefined;
  const inner = [...nodes];
  const lead: TextNode[] = [];
  const trail: TextNode[] = [];
  const first = inner[0];
  if (first?.type === 'text') {
    const space = first.raw.slice(0, first.raw.length - first.raw.trimStart().length);
    if (space !== '' && first.text.startsWith(space)) {
      lead.push({ type: 'text', raw: space, text: space });
      inner[0] = { type: 'text', raw: first.raw.slice(space.length), text: first.text.slice(space.length) };
      if (inner[0].raw === '') inner.shift();
    }
  }
  const last = inner.at(-1);
  if (last?.type === 'text') {
    const space = last.raw.slice(last.raw.trimEnd().length);
    if (space !== '' && last.text.endsWith(space)) {
      trail.push({ type: 'text', raw: space, text: space });
      inner.pop();
      const raw = last.raw.slice(0, -space.length);
      if (raw !== '') inner.push({ type: 'text', raw, text: last.text.slice(0, -space.length) });
    }
  }
  return { lead, inner, trail };
}

function number(
  nodes: readonly MessageNode[],
  items: readonly PlannedNode[],
): { tokens: Token[]; placeholders: Map<number, PlannedNode[]> } {
  const tokens: Token[] = [];
  const placeholders = new Map<number, PlannedNode[]>();
  const pairs = pairTags(nodes);
  // The ids by index of the end tag.
  let ids: Map<number, number> | undefined;
  let next = 1;
  items.forEach((item, i) => {
    if (item.type === 'text') {
      tokens.push({ type: 'words', text: item.text });
      return;
    }
    const partner = pairs.get(i);
    if (partner === undefined) {
      placeholders.set(next, [item]);
      tokens.push({ type: 'placeholder', id: next++ });
    } else if (partner === i - 1) {
      // An empty pair was written as one placeholder with its opening tag.
      placeholders.get(next - 1)?.push(item);
    } else if (partner > i) {
      (ids ??= new Map<number, number>()).set(partner, next);
      placeholders.set(next, [item]);
      tokens.push(partner === i + 1 ? { type: 'placeholder', id: next } : { type: 'open', id: next });
      next++;
    } else {
      const id = ids?.get(i) ?? 0;
      placeholders.get(id)?.push(item);
      tokens.push({ type: 'close', id });
    }
  });
  return { tokens, placeholders };
}

/** The names of the placeholders in all segments of the patterns, ordered by segment and id. */
export function namePlaceholders(patterns: readonly PatternPlan[]): readonly string[] {
  const segments: SegmentPlan[] = [];
  for (const pattern of patterns) collectSegments(pattern, segments);
  segments.sort((a, b) => a.index - b.index);
  const names: string[] = [];
  // The ids were given in this order.
  for (const { placeholders } of segments)
    for (const [item] of placeholders.values()) names.push(nameOf(item));
  return names;
}

function collectSegments({ lead, segment, trail }: PatternPlan, segments: SegmentPlan[]): void {
  if (segment) segments.push(segment);
  for (const items of [lead, segment?.items ?? [], trail]) {
    for (const item of items) {
      if (item.type === 'aside') collectSegments(item.pattern, segments);
      if (item.type !== 'plan') continue;
      for (const part of item.parts) if (typeof part !== 'string') collectSegments(part, segments);
    }
  }
}

/** The name in a placeholder: its first word, or the whole placeholder if it has none. */
const WORD = /[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/u;

function nameOf(item: PlannedNode | undefined): string {
  if (!item) return '';
  if (item.type === 'open' || item.type === 'close' || item.type === 'aside') return item.name.toLowerCase();
  const [head] = item.type === 'plan' ? item.parts : [item.raw];
  const raw = typeof head === 'string' ? head : '';
  return WORD.exec(raw)?.[0] ?? raw;
}
