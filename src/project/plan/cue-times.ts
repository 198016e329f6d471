import type { Document } from '../../formats/format.ts';
import { type Cue, hasCues } from '../../formats/subtitles/document.ts';

/** Milliseconds by which the start of a cue may differ between files. */
const TOLERANCE = 50;

/** Conclusions from the times of a translation whose cues differ from its source's. */
interface CueTimes {
  /** Cues that start at the same time in both and are certainly the same, by slot and in order. */
  readonly pairs: ReadonlyMap<number, number>;
  /** Whether the translation shows text during a source cue; that text may include the cue's translation. */
  readonly isCovered: (slot: number) => boolean;
}

/** @returns undefined for documents without times */
export function compareTimes(source: Document, target: Document): CueTimes | undefined {
  if (!hasCues(source) || !hasCues(target)) return undefined;
  const [own, others] = [source, target].map(({ cues }) => cues.filter(({ slot }) => slot !== undefined));
  if (!own || !others) return undefined;
  return { pairs: pairByStart(own, others), isCovered: coverageBy(own, others) };
}

/** Looks ahead only for cues that still have a counterpart, because a file may have 100,000 cues. */
function pairByStart(own: readonly Cue[], others: readonly Cue[]): ReadonlyMap<number, number> {
  const periodOf = (start: number): number => Math.floor(start / TOLERANCE);
  const last = new Map(others.map(({ start }, at) => [periodOf(start), at]));
  const pairs = new Map<number, number>();
  let from = 0;
  for (const { slot = 0, start } of own) {
    const period = periodOf(start);
    const end = Math.max(...[period - 1, period, period + 1].map((near) => last.get(near) ?? -1));
    for (let at = from; at <= end; at++) {
      const other = others[at];
      if (!other || Math.abs(other.start - start) > TOLERANCE) continue;
      pairs.set(slot, other.slot ?? 0);
      from = at + 1;
      break;
    }
  }
  return pairs;
}

function coverageBy(own: readonly Cue[], others: readonly Cue[]): CueTimes['isCovered'] {
  const cues = new Map(own.map((cue) => [cue.slot, cue]));
  const sorted = [...others].sort((a, b) => a.start - b.start);
  let latest = -Infinity;
  /** For each cue in order of start, the latest end so far. */
  const ends = sorted.map(({ end }) => (latest = Math.max(latest, end)));
  return (slot) => {
    const cue = cues.get(slot);
    if (!cue) return false;
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.start ?? 0) <= cue.end) low = middle + 1;
      else high = middle;
    }
    return (ends[low - 1] ?? -Infinity) >= cue.start;
  };
}
