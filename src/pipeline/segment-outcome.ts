import type { Engine, Formality, SegmentHint } from '../engines/engine.ts';
import type { splitRuns } from '../text/reconcile.ts';
import type { TaggedText } from '../text/tagged.ts';
import type { Glossary } from './glossary.ts';
import type { TranslationMemory } from './memory.ts';
import type { Failure, SegmentJournal } from './unit.ts';

/** What makes translations better than an engine alone does. All of it stays the caller's. */
export interface TranslationResources {
  /** Looked into before an engine is asked; every translation that an engine made enters it. */
  readonly memory?: TranslationMemory | undefined;
  readonly glossary?: Glossary | undefined;
  /** By canonical target language, `*` for all others. A code without region holds for its regions too. */
  readonly formality?: ReadonlyMap<string, Formality> | undefined;
  /** Called when texts stay as they are because source and target are variants without a direct engine. */
  readonly onKept?: ((source: string, target: string) => void) | undefined;
}

/** What an engine is told of each text, in order; found when a batch is about to be sent. */
export type FindHints = (texts: readonly TaggedText[]) => Promise<readonly (SegmentHint | undefined)[]>;

export interface SegmentContext extends TranslationResources {
  readonly engine: Engine;
  /** Canonical and definite. */
  readonly source: string;
  readonly target: string;
  readonly signal: AbortSignal;
  readonly journal?: SegmentJournal | undefined;
  /** What an engine that uses it is told of each text. */
  readonly hints?: FindHints | undefined;
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
