import { setImmediate as nextTurn } from 'node:timers/promises';
import { DragomanError, traitsOf } from '../base/errors.ts';
import type { EngineOutcome, EngineRequest, Formality, SegmentHint } from '../engines/engine.ts';
import { fallbackCodes } from '../engines/chain-rules.ts';
import { unwrapAnswer } from '../text/nonsense.ts';
import { reconcile } from '../text/reconcile.ts';
import { AnswerJudge } from './answer-judge.ts';
import type { TaggedText } from '../text/tagged.ts';
import { termsFor } from './terms/terms.ts';
import {
  NO_ANSWER,
  type Failure,
  type SegmentContext,
  type SegmentOutcome,
  type SourceSegment,
} from './unit.ts';

/** After this many failed calls in a row, the engine is considered dead. */
const MAX_FAILED_CALLS = 3;

/** After this many single texts in a row with invalid answers, no more are sent. */
const MOST_IN_VAIN = 5;

const MOST_SIMILAR = 3;
/** Finding similar texts takes milliseconds in a large memory. */
const TEXTS_IN_A_TURN = 8;

const INTERRUPTED: Failure = { failure: 'interrupted before its turn', kind: 'interrupted' };

/** A text for the engine, with the first few of its segments, whose context helps to translate it. */
export interface SentSegment {
  readonly tagged: TaggedText;
  readonly places: readonly SourceSegment[];
}

/** The outcome of each text. */
export type SegmentOutcomes = Map<TaggedText, SegmentOutcome>;

/** The batches of one `translateSegments` call: sends and verifies them, and decides when to stop. */
export class EngineCall {
  readonly #context: SegmentContext;
  readonly #answers: AnswerJudge;
  #failedCalls = 0;
  /** The number of answers that passed the check. */
  #sound = 0;
  /** Consecutive single texts without a translation. */
  #inVain = 0;
  /** The failure of every text that is no longer sent. */
  #over: Failure | undefined;

  constructor(context: SegmentContext) {
    this.#context = context;
    this.#answers = new AnswerJudge(context.engine, context);
  }

  /** One outcome for each text. @throws errors after which continuing is pointless, such as `engine_unavailable` */
  async ask(batch: readonly SentSegment[]): Promise<SegmentOutcomes> {
    if (batch.length === 0) return new Map();
    if (this.#isAborted) return sameFor(batch, INTERRUPTED);
    if (this.#over) return sameFor(batch, this.#over);
    const { engine, source, target, signal, stop = signal, glossary, formality } = this.#context;
    const texts = batch.map(({ tagged }) => tagged);
    const terms = engine.uses?.terms && glossary && termsFor(glossary, source, target);
    try {
      const request: EngineRequest = {
        source,
        target,
        texts,
        hints: engine.uses?.hints ? await this.#hintsFor(batch) : undefined,
        terms: terms ? terms.requiredIn(texts) : undefined,
        formality: formality && formalityFor(formality, target),
      };
      if (this.#isAborted) return sameFor(batch, INTERRUPTED);
      const answers = await engine.translate(request, stop);
      this.#count(answers);
      const outcomes: SegmentOutcomes = new Map();
      const judged = engine.isPseudo
        ? texts.map((text, i) => checked(text, answers[i], engine.id))
        : await this.#judge(texts, answers);
      for (const [i, text] of texts.entries()) outcomes.set(text, judged[i] ?? NO_ANSWER);
      return outcomes;
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code === 'engine_unavailable') throw error;
      if (error.code === 'interrupted') return sameFor(batch, INTERRUPTED);
      this.#countFailure(error);
      return sameFor(batch, failureOf(error));
    }
  }

  /** Checks the answers of a request, first together and then one by one. */
  async #judge(
    texts: readonly TaggedText[],
    answers: readonly EngineOutcome[],
  ): Promise<readonly SegmentOutcome[]> {
    const { id } = this.#context.engine;
    const unwrapped = texts.map((text, i) => unwrap(text, answers[i]));
    for (const [i, text] of texts.entries()) {
      const answer = unwrapped[i];
      if (answer && 'translation' in answer) this.#answers.note(text, answer.translation);
    }
    const outcomes: SegmentOutcome[] = [];
    for (const [i, text] of texts.entries()) {
      const answer = unwrapped[i];
      const isAnswer = answer && 'translation' in answer;
      const problem = isAnswer ? await this.#answers.problemOf(text, answer.translation) : undefined;
      if (isAnswer && problem === undefined) this.#sound++;
      outcomes.push(
        problem === undefined ? checked(text, answer, id) : { failure: problem, kind: 'nonsense' },
      );
    }
    return outcomes;
  }

  /**
   * Sends a text alone after an invalid answer. The number of such retries is limited.
   *
   * @throws like {@link ask}
   */
  async askAlone(segment: SentSegment): Promise<SegmentOutcomes> {
    if (this.#inVain >= MOST_IN_VAIN) return new Map();
    const outcomes = await this.ask([segment]);
    const outcome = outcomes.get(segment.tagged);
    const isSenseless = outcome !== undefined && 'failure' in outcome && outcome.kind === 'nonsense';
    this.#inVain = isSenseless ? this.#inVain + 1 : 0;
    if (isSenseless && this.#inVain >= MOST_IN_VAIN && this.#sound === 0) {
      const failure = `the engine translates nothing: ${outcome.failure}`;
      this.#over ??= { failure, kind: 'engine' };
    }
    return outcomes;
  }

  get #isAborted(): boolean {
    const { signal, stop } = this.#context;
    return signal.aborted || stop?.aborted === true;
  }

  /** Computed late: if the call ends before the batch is sent, similar translations are not searched for. */
  async #hintsFor(batch: readonly SentSegment[]): Promise<readonly (SegmentHint | undefined)[]> {
    const { engine, memory, source, target } = this.#context;
    const pair = { source, target };
    // One query for the batch: in a first run the memory is empty, and a query for each text takes longer than storing
    // it.
    const similarIn = engine.uses?.similar && (await memory?.hasSimilar(pair)) ? memory : undefined;
    const hints: (SegmentHint | undefined)[] = [];
    for (const [i, { places }] of batch.entries()) {
      // The memory answers within one turn of the event loop, so an interruption would not be noticed.
      if (similarIn && i % TEXTS_IN_A_TURN === 0) await nextTurn();
      if (this.#isAborted) break;
      const contexts = places.flatMap(({ context }) => context ?? []);
      const message = places.find((place) => place.message)?.message;
      const limits = places.flatMap(({ isWhole, context }) => (isWhole && context?.limit) || []);
      const [limit] = limits.sort((a, b) => a.max - b.max);
      const options = { most: MOST_SIMILAR };
      hints.push(
        places[0] && {
          keys: contexts.map(({ key }) => key.join('.')),
          comments: [...new Set(contexts.flatMap(({ comment }) => comment ?? []))],
          ...(limit && { limit: { max: limit.max, unit: limit.unit } }),
          neighbours: contexts[0]?.neighbours,
          similar: (message && (await similarIn?.findSimilar(message, pair, options))) ?? [],
        },
      );
    }
    return hints;
  }

  /** Outcomes of single texts may have errors that would reject the call if all texts had them. */
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
      // After this many consecutive server errors, the remaining texts are left for a later run.
      const kind = traitsOf(error).uncertain ? 'stopped' : 'engine';
      this.#over ??= { ...failureOf(error), kind };
    }
  }
}

/** The failure of a text because of an error. */
export function failureOf(error: DragomanError): Failure {
  if (error.code === 'interrupted') return INTERRUPTED;
  return { failure: error.message, kind: traitsOf(error).stops ? 'stopped' : 'engine', error };
}

function unwrap(text: TaggedText, answer: EngineOutcome | undefined): EngineOutcome | undefined {
  if (!answer || 'failure' in answer) return answer;
  return { ...answer, translation: unwrapAnswer(text, answer.translation) };
}

function checked(text: TaggedText, answer: EngineOutcome | undefined, id: string): SegmentOutcome {
  if (!answer) return NO_ANSWER;
  if ('failure' in answer) {
    return answer.error
      ? { ...failureOf(answer.error), failure: answer.failure }
      : { failure: answer.failure, kind: 'engine' };
  }
  if (!answer.translation.isWellFormed() || addsControls(text, answer.translation)) {
    return { failure: 'the answer has invalid characters', kind: 'engine' };
  }
  const result = reconcile(text, answer.translation);
  if (result.ok) return { translation: result.tagged, engine: answer.engine ?? id };
  return { failure: result.reason, kind: 'placeholders' };
}

const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/;

/** Whether a translation has control characters that its source lacks. */
export function addsControls(source: string, translation: string): boolean {
  return CONTROLS.test(translation) && !CONTROLS.test(source);
}

function sameFor(batch: readonly SentSegment[], outcome: SegmentOutcome): SegmentOutcomes {
  return new Map(batch.map(({ tagged }) => [tagged, outcome]));
}

/** The setting for a target language: its own, that of the language without region, or the general one. */
export function formalityFor(
  choices: ReadonlyMap<string, Formality> | undefined,
  target: string,
): Formality | undefined {
  if (!choices) return undefined;
  const code = [...fallbackCodes(target), '*'].find((candidate) => choices.has(candidate));
  return code === undefined ? undefined : choices.get(code);
}
