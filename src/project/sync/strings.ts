import { DragomanError } from '../../base/errors.ts';
import { translateWantedCues } from '../../documents/subtitles/wanted-cues.ts';
import type { Engine } from '../../engines/engine.ts';
import type { SubtitleDocument } from '../../formats/subtitles/document.ts';
import {
  type Failure,
  NO_ANSWER,
  type SegmentContext,
  type TranslationResources,
  type UnitOutcome,
} from '../../pipeline/unit.ts';
import { translateUnits } from '../../pipeline/units.ts';
import { type TranslateKeys, unitOf, type WantedKey } from '../plan/key-action.ts';
import type { Journal } from '../state/journal.ts';
import type { RunProgress } from './run-progress.ts';

interface StringTranslation extends TranslationResources {
  /** Canonical. */
  readonly source: string;
  /** Called if there is something to translate. */
  readonly engine: () => Promise<Engine>;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  readonly concurrency?: number | undefined;
  readonly progress: RunProgress;
}

/**
 * Translates value by value: all files of a language at once, so that no text is requested twice, but subtitles file by
 * file. Once the credits or the budget are used up or the connection is lost, nothing more is requested in any
 * language.
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
    // Throws if no engine can be used, because nothing can be translated then. An engine that does not support this
    // pair may support the next.
    const opened = await engine();
    if (stopped) return same(stopped, wanted.length);
    progress.show(locale, 0);
    const outcomes = new Map<WantedKey, UnitOutcome>();
    const context = { ...options, engine: opened, source, target: locale, journal };
    /** @param translate not called once the engine was stopped */
    const take = async (keys: readonly WantedKey[], translate: TranslatePart): Promise<void> => {
      if (keys.length === 0) return;
      const before = outcomes.size;
      const onProgress = (done: number, total: number): void =>
        progress.show(locale, (before + (keys.length * done) / Math.max(1, total)) / wanted.length);
      const made = stopped ? same(stopped, keys.length) : await translate({ ...context, onProgress });
      for (const [i, key] of keys.entries()) outcomes.set(key, made[i] ?? NO_ANSWER);
      stopped ??= made.find(isStopped);
    };
    try {
      const values = wanted.filter(({ cue }) => cue === undefined);
      await take(values, (part) => translateUnits(values.map(unitOf), part));
      for (const [document, cues] of cuesByFile(wanted))
        await take([...cues.keys()], (part) => translateWantedCues(document, [...cues.values()], part));
      return wanted.map((key) => outcomes.get(key) ?? NO_ANSWER);
    } catch (error) {
      if (error instanceof DragomanError && error.code === 'engine_unavailable') return error;
      throw error;
    }
  };
}

type TranslatePart = (context: SegmentContext) => Promise<readonly UnitOutcome[]>;

/** The slots of wanted subtitles, by file. */
function cuesByFile(
  wanted: readonly WantedKey[],
): ReadonlyMap<SubtitleDocument, ReadonlyMap<WantedKey, number>> {
  const files = new Map<SubtitleDocument, Map<WantedKey, number>>();
  for (const key of wanted) {
    if (!key.cue) continue;
    const { document, slot } = key.cue;
    const known = files.get(document) ?? new Map<WantedKey, number>();
    files.set(document, known.set(key, slot));
  }
  return files;
}

function same(failure: Failure, count: number): readonly Failure[] {
  return Array.from({ length: count }, () => failure);
}

function isStopped(outcome: UnitOutcome): outcome is Failure {
  return 'failure' in outcome && outcome.kind === 'stopped';
}
