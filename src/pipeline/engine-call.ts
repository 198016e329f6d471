import { DragomanError, traitsOf } from '../base/errors.ts';
import type { EngineOutcome, EngineRequest } from '../engines/engine.ts';
import { formalityFor } from '../engines/formality.ts';
import { reconcile, splitRuns } from '../text/reconcile.ts';
import type { TaggedText } from '../text/tagged.ts';
import { termsFor } from './terms/terms.ts';
import { joinRuns, NO_ANSWER, type SegmentContext, type SegmentOutcome } from './segment-outcome.ts';
import type { Failure } from './unit.ts';

/** After so many calls in a row that failed as a whole the engine is taken for dead. */
const MAX_FAILED_CALLS = 3;

const INTERRUPTED: Failure = { failure: 'interrupted before its turn', kind: 'interrupted' };

type Outcomes = Map<TaggedText, SegmentOutcome>;

/**
 * The batches of one call of `translateSegments`: asks the engine, checks, asks again for what was damaged, and knows
 * when to ask no more. What was answered is in the journal before anything else is asked for the batch.
 */
export class EngineCall {
  readonly #context: SegmentContext;
  readonly #total: number;
  #done = 0;
  #failedCalls = 0;
  /** What every text gets that is not asked for any more. */
  #over: Failure | undefined;
  #fatal: { readonly error: unknown } | undefined;

  constructor(context: SegmentContext, total: number) {
    this.#context = context;
    this.#total = total;
  }

  /** @throws what makes going on pointless, such as `engine_unavailable` or a journal that cannot be written. */
  async translateBatch(batch: readonly TaggedText[]): Promise<Outcomes> {
    if (this.#fatal) throw this.#fatal.error;
    try {
      const outcomes = await this.#ask(batch);
      await this.#remember(outcomes);
      const broken = batch.filter((text) => isBroken(outcomes.get(text)) && splitRuns(text).runs[0] !== text);
      if (broken.length > 0) {
        const repaired = await this.#askSplit(broken);
        await this.#remember(repaired);
        for (const [text, outcome] of repaired) outcomes.set(text, outcome);
      }
      this.#done += batch.length;
      this.#context.onProgress?.(this.#done, this.#total);
      return outcomes;
    } catch (error) {
      this.#fatal ??= { error };
      throw error;
    }
  }

  async #askSplit(texts: readonly TaggedText[]): Promise<Outcomes> {
    const splits = new Map(texts.map((text) => [text, splitRuns(text)]));
    const runs: Outcomes = new Map();
    const unknown: TaggedText[] = [];
    for (const run of new Set([...splits.values()].flatMap((split) => split.runs))) {
      const known = this.#recall(run);
      if (known === undefined) unknown.push(run);
      else runs.set(run, known);
    }
    const answered = await this.#ask(unknown);
    await this.#remember(answered);
    for (const [run, outcome] of answered) runs.set(run, outcome);
    return new Map([...splits].map(([text, split]) => [text, joinRuns(split, runs)]));
  }

  async #ask(batch: readonly TaggedText[]): Promise<Outcomes> {
    if (batch.length === 0) return new Map();
    if (this.#context.signal.aborted) return sameFor(batch, INTERRUPTED);
    if (this.#over) return sameFor(batch, this.#over);
    const { engine, source, target, signal } = this.#context;
    try {
      const guidance = await this.#guidanceFor(batch);
      if (signal.aborted) return sameFor(batch, INTERRUPTED);
      const answers = await engine.translate({ source, target, texts: batch, ...guidance }, signal);
      this.#count(answers);
      const outcomes: Outcomes = new Map();
      for (const [i, text] of batch.entries()) outcomes.set(text, checked(text, answers[i], engine.id));
      return outcomes;
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code === 'engine_unavailable') throw error;
      if (error.code === 'interrupted') return sameFor(batch, INTERRUPTED);
      this.#countFailure(error);
      return sameFor(batch, failureOf(error));
    }
  }

  /** What the engine can be told beside the texts. */
  async #guidanceFor(
    batch: readonly TaggedText[],
  ): Promise<Pick<EngineRequest, 'hints' | 'terms' | 'formality'>> {
    const { engine, source, target, glossary, hints, formality } = this.#context;
    const terms = engine.uses?.terms && glossary && termsFor(glossary, source, target);
    return {
      ...(hints && { hints: await hints(batch) }),
      ...(terms && { terms: terms.requiredIn(batch) }),
      ...(formality && { formality: formalityFor(formality, target) }),
    };
  }

  /** An answer may say of single texts what would have been an error had it been all of them. */
  #count(answers: readonly EngineOutcome[]): void {
    const errors = answers.flatMap((answer) => ('failure' in answer && answer.error ? [answer.error] : []));
    const stop = errors.find((error) => traitsOf(error).stops);
    const [first] = errors;
    if (stop) this.#countFailure(stop);
    else if (first && errors.length === answers.length) this.#countFailure(first);
    else this.#failedCalls = 0;
  }

  #countFailure(error: DragomanError): void {
    this.#failedCalls++;
    if (traitsOf(error).stops) this.#over ??= failureOf(error);
    else if (this.#failedCalls >= MAX_FAILED_CALLS) {
      // So much of a server's trouble in a row: the rest waits for a better time.
      const kind = traitsOf(error).uncertain ? 'stopped' : 'engine';
      this.#over ??= { ...failureOf(error), kind };
    }
  }

  #recall(text: TaggedText): SegmentOutcome | undefined {
    const { journal, engine, source, target } = this.#context;
    const translation = journal?.get(engine.id, source, target, text);
    return translation === undefined ? undefined : { translation, engine: engine.id };
  }

  async #remember(outcomes: ReadonlyMap<TaggedText, SegmentOutcome>): Promise<void> {
    const { journal, engine, source, target } = this.#context;
    if (!journal) return;
    const entries = [...outcomes].flatMap(([tagged, outcome]) =>
      'failure' in outcome
        ? []
        : [{ engine: engine.id, source, target, tagged, translation: outcome.translation }],
    );
    if (entries.length > 0) await journal.put(entries);
  }
}

/** What a text has that an error kept from being translated. */
export function failureOf(error: DragomanError): Failure {
  if (error.code === 'interrupted') return INTERRUPTED;
  return { failure: error.message, kind: traitsOf(error).stops ? 'stopped' : 'engine', error };
}

function checked(text: TaggedText, answer: EngineOutcome | undefined, id: string): SegmentOutcome {
  if (!answer) return NO_ANSWER;
  if ('failure' in answer) {
    return answer.error
      ? { ...failureOf(answer.error), failure: answer.failure }
      : { failure: answer.failure, kind: 'engine' };
  }
  if (!answer.translation.isWellFormed() || addsControls(text, answer.translation)) {
    return { failure: 'the answer has characters that no text has', kind: 'engine' };
  }
  const result = reconcile(text, answer.translation);
  if (result.ok) return { translation: result.tagged, engine: answer.engine ?? id };
  return { failure: result.reason, kind: 'placeholders' };
}

const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/;

/** Whether a translation has control characters where its source has none. */
export function addsControls(source: string, translation: string): boolean {
  return CONTROLS.test(translation) && !CONTROLS.test(source);
}

function isBroken(outcome: SegmentOutcome | undefined): boolean {
  return outcome !== undefined && 'failure' in outcome && outcome.kind === 'placeholders';
}

function sameFor(batch: readonly TaggedText[], outcome: SegmentOutcome): Outcomes {
  return new Map(batch.map((text) => [text, outcome]));
}
