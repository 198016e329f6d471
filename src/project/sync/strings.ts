import { DragomanError } from '../../base/errors.ts';
import type { Engine } from '../../engines/engine.ts';
import type { Failure, TranslationResources, UnitOutcome } from '../../pipeline/unit.ts';
import { translateUnits } from '../../pipeline/units.ts';
import { type TranslateKeys, unitOf } from '../plan/key-action.ts';
import type { Journal } from '../state/journal.ts';
import type { RunProgress } from './run-progress.ts';

interface StringTranslation extends TranslationResources {
  /** Canonical. */
  readonly source: string;
  /** Called when there is something to translate. */
  readonly engine: () => Promise<Engine>;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  readonly concurrency?: number | undefined;
  readonly progress: RunProgress;
}

/**
 * Value by value, all files of a language in one go, so that no text is asked for twice. Once account, budget or
 * connection allow no more, nothing more is asked for in any language.
 */
export function translateStrings({
  source,
  engine,
  journal,
  progress,
  ...options
}: StringTranslation): TranslateKeys {
  let stopped: Failure | undefined;
  return async (locale, wanted) => {
    if (wanted.length === 0) return [];
    // Without an engine nothing can be done at all: that is thrown. One that cannot do this pair may do the next.
    const opened = await engine();
    if (stopped) return same(stopped, wanted.length);
    progress.show(locale, 0);
    try {
      const outcomes = await translateUnits(wanted.map(unitOf), {
        ...options,
        engine: opened,
        source,
        target: locale,
        journal,
        onProgress: (done, total) => progress.show(locale, done / Math.max(1, total)),
      });
      stopped = outcomes.find(isStopped);
      return outcomes;
    } catch (error) {
      if (error instanceof DragomanError && error.code === 'engine_unavailable') return error;
      throw error;
    }
  };
}

function same(failure: Failure, count: number): readonly Failure[] {
  return Array.from({ length: count }, () => failure);
}

function isStopped(outcome: UnitOutcome): outcome is Failure {
  return 'failure' in outcome && outcome.kind === 'stopped';
}
