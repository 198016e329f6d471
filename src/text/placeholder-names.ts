import type { PlannedNode, PatternPlan, SegmentPlan } from './plan.ts';

/** The names of the placeholders of all segments in the patterns, in the order of the segments and their ids. */
export function namePlaceholders(patterns: readonly PatternPlan[]): readonly string[] {
  const segments: SegmentPlan[] = [];
  for (const pattern of patterns) collectSegments(pattern, segments);
  return segments
    .sort((a, b) => a.index - b.index)
    .flatMap(({ pieces }) => [...pieces].sort(([a], [b]) => a - b).map(([, [item]]) => nameOf(item)));
}

function collectSegments({ lead, segment, trail }: PatternPlan, segments: SegmentPlan[]): void {
  if (segment) segments.push(segment);
  for (const item of [...lead, ...(segment?.items ?? []), ...trail]) {
    if (item.type !== 'plan') continue;
    for (const part of item.parts) if (typeof part !== 'string') collectSegments(part, segments);
  }
}

/** What a notation stands for: its first word, or all of it where it has none. */
const WORD = /[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/u;

function nameOf(item: PlannedNode | undefined): string {
  if (!item) return '';
  if (item.type === 'open' || item.type === 'close') return item.name.toLowerCase();
  const [head] = item.type === 'plan' ? item.parts : [item.raw];
  const raw = typeof head === 'string' ? head : '';
  return WORD.exec(raw)?.[0] ?? raw;
}
