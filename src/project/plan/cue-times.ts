import type { Document } from '../../formats/format.ts';
import { hasCues } from '../../formats/subtitles/document.ts';

/** Milliseconds by which the begin of one cue may differ between files. */
const TOLERANCE = 50;

/** What times show about the cues of a translation with other cues than its source. */
export interface CueTimes {
  /** Cues that begin at the same time in both, by slot: in order, and surely the same. */
  readonly pairs: ReadonlyMap<number, number>;
  /** Whether the translation shows something while a cue of the source is shown: it may be a part of that. */
  readonly isCovered: (slot: number) => boolean;
}

/** @returns undefined for documents without times */
export function compareTimes(source: Document, target: Document): CueTimes | undefined {
  if (!hasCues(source) || !hasCues(target)) return undefined;
  const [own, others] = [source, target].map(({ cues }) => cues.filter(({ slot }) => slot !== undefined));
  if (!own || !others) return undefined;
  const pairs = new Map<number, number>();
  let from = 0;
  for (const { slot = 0, start } of own) {
    const at = others.findIndex((other, j) => j >= from && Math.abs(other.start - start) <= TOLERANCE);
    if (at < 0) continue;
    pairs.set(slot, others[at]?.slot ?? 0);
    from = at + 1;
  }
  return {
    pairs,
    isCovered(index) {
      const cue = own.find(({ slot }) => slot === index);
      return cue !== undefined && others.some(({ start, end }) => start <= cue.end && cue.start <= end);
    },
  };
}
