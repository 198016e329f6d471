import type { Engine } from '../engines/engine.ts';
import type { splitRuns } from '../text/reconcile.ts';
import type { TaggedText } from '../text/tagged.ts';
import type { Failure, SegmentMemory } from './unit.ts';

export interface SegmentContext {
  readonly engine: Engine;
  /** Canonical and definite. */
  readonly source: string;
  readonly target: string;
  readonly signal: AbortSignal;
  readonly memory?: SegmentMemory | undefined;
  /** Batches that the engine has at once. Default 4. */
  readonly concurrency?: number | undefined;
  /** Called after each finished batch with the number of segments finished in this call. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export type SegmentOutcome =
  { readonly translation: TaggedText; readonly engine?: string | undefined } | Failure;

export const NO_ANSWER: Failure = { failure: 'the engine gave no answer', kind: 'engine' };

/** The outcome of a text from those of its runs: the first failure, if there is one. */
export function joinRuns(
  split: ReturnType<typeof splitRuns>,
  runs: ReadonlyMap<TaggedText, SegmentOutcome>,
): SegmentOutcome {
  const translations: TaggedText[] = [];
  let engine: string | undefined;
  for (const run of split.runs) {
    const outcome = runs.get(run) ?? NO_ANSWER;
    if ('failure' in outcome) return outcome;
    translations.push(outcome.translation);
    engine = outcome.engine;
  }
  return { translation: split.join(translations), engine };
}
