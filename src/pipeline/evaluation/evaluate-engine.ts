import { DragomanError } from '../../base/errors.ts';
import { throwIfAborted } from '../../base/interruption.ts';
import { type Engine, type EngineOutcome, wrapEngine } from '../../engines/engine.ts';
import { Chrf } from '../../text/chrf.ts';
import { parseMessage } from '../../text/message.ts';
import { reconcile } from '../../text/reconcile.ts';
import { tokenize, type TaggedText } from '../../text/tagged.ts';
import type { Failure, SegmentContext, UnitOutcome } from '../unit.ts';
import { translateChunks } from '../units.ts';
import type { TestRow } from './test-set.ts';

/** The quality of an engine's translations of a test set. */
export interface Evaluation {
  /** chrF2 of all rows together, from 0 to 100. A failed row counts as an empty translation. */
  readonly chrf: number;
  readonly placeholders: PlaceholderCounts;
  readonly failures: readonly RowFailure[];
  /** The number of rows by engine; `a+b` if two translated a row together. Rows without words have no engine. */
  readonly engines: ReadonlyMap<string, number>;
  /** Words per second, including the engine's start; undefined if there was nothing to translate. */
  readonly wordsPerSecond: number | undefined;
}

/** Counts of rows whose messages have placeholders or tags among their words. */
export interface PlaceholderCounts {
  readonly rows: number;
  /** Rows whose placeholders the first answer left intact, before any repair or retry. */
  readonly raw: number;
  /** Rows with a translation, including repair and separate translation of the words between placeholders. */
  readonly final: number;
}

export interface RowFailure {
  readonly line: number;
  readonly reason: string;
}

export interface EvaluationOptions extends Pick<
  SegmentContext,
  'source' | 'target' | 'signal' | 'concurrency' | 'formality' | 'onProgress'
> {
  /** The caller keeps and closes it. */
  readonly engine: Engine;
  /** Monotonic, in milliseconds. Default: the process's clock. */
  readonly now?: (() => number) | undefined;
}

/**
 * Translates the sources of a test set in the usual way, and compares them with the references. Only uses the engine,
 * no memory.
 *
 * @throws DragomanError `engine_unavailable` if the engine does not support the pair, `interrupted`, and the error if
 * every row failed
 */
export async function evaluateEngine(
  rows: readonly TestRow[],
  { engine, now = () => performance.now(), ...options }: EvaluationOptions,
): Promise<Evaluation> {
  const watch = new EngineWatch(now);
  const collector = new ScoreCollector(watch, options.target);
  await translateChunks(
    rows.length,
    (i) => {
      const { source, syntax } = rowAt(rows, i);
      return { value: source, syntax };
    },
    (i, outcome) => collector.add(rowAt(rows, i), outcome),
    { ...options, engine: watch.watch(engine) },
  );
  throwIfAborted(options.signal);
  return collector.finish();
}

function rowAt(rows: readonly TestRow[], index: number): TestRow {
  const row = rows[index];
  if (!row) throw new RangeError(`there is no row ${index}`);
  return row;
}

class ScoreCollector {
  readonly #watch: EngineWatch;
  readonly #target: string;
  readonly #chrf = new Chrf();
  readonly #placeholders = { rows: 0, raw: 0, final: 0 };
  readonly #failures: RowFailure[] = [];
  readonly #engines = new Map<string, number>();
  #firstFailure: Failure | undefined;

  constructor(watch: EngineWatch, target: string) {
    this.#watch = watch;
    this.#target = target;
  }

  add({ line, source, reference, syntax }: TestRow, outcome: UnitOutcome): void {
    const hasValue = 'value' in outcome;
    this.#chrf.add(hasValue ? outcome.value : '', reference);
    if (!hasValue) {
      this.#firstFailure ??= outcome;
      this.#failures.push({ line, reason: outcome.failure });
    } else if (outcome.engine !== undefined) {
      this.#engines.set(outcome.engine, (this.#engines.get(outcome.engine) ?? 0) + 1);
    }
    const texts = parseMessage(source, syntax).segments(this.#target).filter(hasPlaceholders);
    if (texts.length === 0) return;
    this.#placeholders.rows++;
    if (texts.every((text) => this.#watch.isExact(text))) this.#placeholders.raw++;
    if (hasValue) this.#placeholders.final++;
  }

  finish(): Evaluation {
    const failure = this.#firstFailure;
    if (failure && this.#engines.size === 0) {
      throw failure.error ?? new DragomanError('engine_failed', `no row was translated: ${failure.failure}`);
    }
    return {
      chrf: this.#chrf.score,
      placeholders: this.#placeholders,
      failures: this.#failures,
      engines: this.#engines,
      wordsPerSecond: this.#watch.wordsPerSecond,
    };
  }
}

/** Records an engine's first answers, before any repair or retry, and its time. */
class EngineWatch {
  readonly #now: () => number;
  /** Whether the first answer had the placeholders intact, by text. */
  readonly #exact = new Map<TaggedText, boolean>();
  #words = 0;
  #busyMs = 0;
  #underWay = 0;
  #since = 0;

  /** @param now monotonic, in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns an observed version of the engine and its `next`. Closing it closes the engine. */
  watch(engine: Engine): Engine {
    return wrapEngine(engine, {
      next: engine.next && this.watch(engine.next),
      // Always true: texts that are copied because the engine lacks the pair would not show anything about the engine.
      supports: () => Promise.resolve(true),
      translate: async (request, signal) => {
        this.#begin();
        try {
          const outcomes = await engine.translate(request, signal);
          for (const [i, text] of request.texts.entries()) this.#add(text, outcomes[i]);
          return outcomes;
        } finally {
          this.#end();
        }
      },
    });
  }

  /** Whether the first answer to a text had its placeholders intact. False without an answer. */
  isExact(text: TaggedText): boolean {
    return this.#exact.get(text) === true;
  }

  /** The speed for answered texts, over the time with at least one pending call; undefined before the first. */
  get wordsPerSecond(): number | undefined {
    return this.#words === 0 || this.#busyMs === 0 ? undefined : (this.#words / this.#busyMs) * 1000;
  }

  #begin(): void {
    if (this.#underWay++ === 0) this.#since = this.#now();
  }

  #end(): void {
    if (--this.#underWay === 0) this.#busyMs += this.#now() - this.#since;
  }

  #add(text: TaggedText, outcome: EngineOutcome | undefined): void {
    const translation = outcome && 'translation' in outcome ? outcome.translation : undefined;
    if (translation !== undefined) this.#words += countWords(text);
    if (!hasPlaceholders(text) || this.#exact.has(text)) return;
    const result = translation === undefined ? undefined : reconcile(text, translation);
    this.#exact.set(text, result?.ok === true && !result.repaired);
  }
}

/** Whether a text has placeholders or pairs of tags around words. */
function hasPlaceholders(text: TaggedText): boolean {
  return text.includes('<x id="');
}

// Also works for languages without spaces between words.
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

function countWords(tagged: TaggedText): number {
  let count = 0;
  for (const token of tokenize(tagged) ?? []) {
    if (token.type !== 'words') continue;
    for (const { isWordLike } of segmenter.segment(token.text)) if (isWordLike) count++;
  }
  return count;
}
