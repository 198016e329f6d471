import type { SegmentContext } from './segments.ts';
import type { Failure, SegmentEntry, SegmentJournal, Unit, UnitOutcome } from './unit.ts';
import { translateUnits } from './units.ts';

/** Messages and segments of so many values are in memory at once: a file of 10 MB has 100,000 and more. */
const CHUNK = 4_096;
/** Where nothing is gained by asking for many at once: all that is made of them is gone before the garbage is collected. */
const IMMEDIATE_CHUNK = 128;
/** Segments of earlier chunks that need not be asked for again. */
const MAX_RECENT = 10_000;
const MAX_RECENT_LENGTH = 200;

/**
 * As `translateUnits`, for any number of units: chunk by chunk, so that memory does not grow with the number. Once
 * an engine has translated nothing of a whole chunk, it is not asked for the next.
 *
 * @param unitAt makes a unit when its turn has come
 * @param onOutcome gets each outcome, in order
 */
export async function translateChunks(
  count: number,
  unitAt: (index: number) => Unit,
  onOutcome: (index: number, outcome: UnitOutcome) => void,
  context: SegmentContext,
): Promise<void> {
  const chunk = context.engine.isImmediate ? IMMEDIATE_CHUNK : CHUNK;
  const journal = count > chunk ? recentSegments(context.journal) : context.journal;
  let over: Failure | undefined;
  for (let start = 0; start < count; start += chunk) {
    const size = Math.min(chunk, count - start);
    const units = Array.from({ length: size }, (_, i) => unitAt(start + i));
    const outcomes = over
      ? units.map(() => over)
      : await translateUnits(units, {
          ...context,
          journal,
          onProgress: (done, total) => context.onProgress?.(start + Math.floor((size * done) / total), count),
        });
    for (const [i, outcome] of outcomes.entries()) if (outcome) onOutcome(start + i, outcome);
    over ??= endOf(outcomes);
  }
}

/** Why nothing more is to be asked, if so. */
function endOf(outcomes: readonly (UnitOutcome | undefined)[]): Failure | undefined {
  let last: Failure | undefined;
  for (const outcome of outcomes) {
    if (!outcome) continue;
    if ('value' in outcome) {
      if (outcome.engine !== undefined) return undefined;
    } else if (outcome.kind === 'stopped' || outcome.kind === 'interrupted') return outcome;
    else if (outcome.kind === 'engine') last = outcome;
    else if (outcome.kind !== 'malformed-source') return undefined;
  }
  return last;
}

/** A journal with which equal segments go to the engine once, also when they are in different chunks. */
export function recentSegments(journal: SegmentJournal | undefined): SegmentJournal {
  return new RecentSegments(journal);
}

class RecentSegments implements SegmentJournal {
  readonly #journal: SegmentJournal | undefined;
  /** By engine, then by segment: a key made of both would be a copy of each segment. */
  readonly #recent = new Map<string, Map<string, string>>();
  #size = 0;

  constructor(journal: SegmentJournal | undefined) {
    this.#journal = journal;
  }

  get(engine: string, source: string, target: string, tagged: string): string | undefined {
    return this.#recent.get(engine)?.get(tagged) ?? this.#journal?.get(engine, source, target, tagged);
  }

  async put(entries: readonly SegmentEntry[]): Promise<void> {
    for (const { engine, tagged, translation } of entries) {
      if (tagged.length > MAX_RECENT_LENGTH || this.#size >= MAX_RECENT) continue;
      const ofEngine = this.#recent.get(engine) ?? new Map<string, string>();
      this.#recent.set(engine, ofEngine.set(tagged, translation));
      this.#size++;
    }
    await this.#journal?.put(entries);
  }
}
