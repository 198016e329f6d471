import PQueue from 'p-queue';
import { DragomanError } from '../base/errors.ts';
import type { Engine, EngineOutcome } from '../engines/engine.ts';
import { reconcile, splitRuns } from '../text/reconcile.ts';
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

/** Enough to keep an engine busy, little enough that few answers are lost when the program is killed. */
const BATCH_TEXTS = 64;
const BATCH_CHARACTERS = 16_000;
/** After so many calls in a row that failed as a whole the engine is taken for dead. */
const MAX_FAILED_CALLS = 3;

export const NO_ANSWER: Failure = { failure: 'the engine gave no answer', kind: 'engine' };
const INTERRUPTED: Failure = { failure: 'interrupted before its turn', kind: 'interrupted' };

/**
 * Translates tagged texts, each distinct one once: from the memory, else by the engine in batches. Every answer is
 * reconciled with its source. One that cannot be is asked for again as runs between the placeholders; what then still
 * fails is a failure of that text alone.
 *
 * @throws DragomanError `engine_unavailable` when the engine cannot do the pair at all.
 */
export async function translateSegments(
  texts: readonly TaggedText[],
  context: SegmentContext,
): Promise<ReadonlyMap<TaggedText, SegmentOutcome>> {
  const outcomes = new Map<TaggedText, SegmentOutcome>();
  const pending: TaggedText[] = [];
  for (const text of new Set(texts)) {
    const known = context.memory?.get(context.engine.id, context.source, context.target, text);
    if (known === undefined) pending.push(text);
    else outcomes.set(text, { translation: known, engine: context.engine.id });
  }
  const call = new EngineCall(context, pending.length);
  const queue = new PQueue({ concurrency: context.concurrency ?? 4 });
  await Promise.all(
    batchesOf(pending).map((batch) =>
      queue.add(async () => {
        const finished = await call.translateBatch(batch);
        for (const [text, outcome] of finished) outcomes.set(text, outcome);
      }),
    ),
  );
  return outcomes;
}

/** Translates the runs between the placeholders of each text alone: placeholders cannot be lost that way. */
export async function translateSplit(
  texts: readonly TaggedText[],
  context: SegmentContext,
): Promise<ReadonlyMap<TaggedText, SegmentOutcome>> {
  const splits = new Map([...new Set(texts)].map((text) => [text, splitRuns(text)]));
  const runs = await translateSegments(
    [...splits.values()].flatMap((split) => split.runs),
    context,
  );
  const outcomes = new Map<TaggedText, SegmentOutcome>();
  for (const [text, split] of splits) outcomes.set(text, joinRuns(split, runs));
  return outcomes;
}

function joinRuns(
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

class EngineCall {
  readonly #context: SegmentContext;
  readonly #total: number;
  #done = 0;
  #failedCalls = 0;
  #lastFailure = '';

  constructor(context: SegmentContext, total: number) {
    this.#context = context;
    this.#total = total;
  }

  async translateBatch(batch: readonly TaggedText[]): Promise<Map<TaggedText, SegmentOutcome>> {
    const outcomes = await this.#ask(batch);
    const broken = batch.filter((text) => isBroken(outcomes.get(text)) && splitRuns(text).runs[0] !== text);
    for (const [text, outcome] of await this.#askSplit(broken)) outcomes.set(text, outcome);
    await this.#remember(outcomes);
    this.#done += batch.length;
    this.#context.onProgress?.(this.#done, this.#total);
    return outcomes;
  }

  async #askSplit(texts: readonly TaggedText[]): Promise<Map<TaggedText, SegmentOutcome>> {
    const outcomes = new Map<TaggedText, SegmentOutcome>();
    if (texts.length === 0) return outcomes;
    const splits = new Map(texts.map((text) => [text, splitRuns(text)]));
    const runs = await this.#ask([...new Set([...splits.values()].flatMap((split) => split.runs))]);
    for (const [text, split] of splits) outcomes.set(text, joinRuns(split, runs));
    return outcomes;
  }

  async #ask(batch: readonly TaggedText[]): Promise<Map<TaggedText, SegmentOutcome>> {
    if (this.#context.signal.aborted) return sameFor(batch, INTERRUPTED);
    if (this.#failedCalls >= MAX_FAILED_CALLS)
      return sameFor(batch, { failure: this.#lastFailure, kind: 'engine' });
    const { engine, source, target, signal } = this.#context;
    try {
      const answers = await engine.translate({ source, target, texts: batch }, signal);
      this.#failedCalls = 0;
      return new Map(batch.map((text, i) => [text, checked(text, answers[i], engine.id)]));
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code === 'engine_unavailable') throw error;
      if (error.code === 'interrupted') return sameFor(batch, INTERRUPTED);
      this.#failedCalls++;
      this.#lastFailure = error.message;
      return sameFor(batch, { failure: error.message, kind: 'engine' });
    }
  }

  async #remember(outcomes: ReadonlyMap<TaggedText, SegmentOutcome>): Promise<void> {
    const { memory, engine, source, target } = this.#context;
    const entries = [...outcomes].flatMap(([tagged, outcome]) =>
      'failure' in outcome
        ? []
        : [{ engine: engine.id, source, target, tagged, translation: outcome.translation }],
    );
    if (memory && entries.length > 0) await memory.put(entries);
  }
}

function checked(text: TaggedText, answer: EngineOutcome | undefined, id: string): SegmentOutcome {
  if (!answer) return NO_ANSWER;
  if ('failure' in answer) return { failure: answer.failure, kind: 'engine' };
  if (!answer.translation.isWellFormed() || addsControls(text, answer.translation)) {
    return { failure: 'the answer has characters that no text has', kind: 'engine' };
  }
  const result = reconcile(text, answer.translation);
  if (result.ok) return { translation: result.tagged, engine: answer.engine ?? id };
  return { failure: result.reason, kind: 'placeholders' };
}

const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/;

function addsControls(text: TaggedText, answer: TaggedText): boolean {
  return CONTROLS.test(answer) && !CONTROLS.test(text);
}

function isBroken(outcome: SegmentOutcome | undefined): boolean {
  return outcome !== undefined && 'failure' in outcome && outcome.kind === 'placeholders';
}

function sameFor(batch: readonly TaggedText[], outcome: SegmentOutcome): Map<TaggedText, SegmentOutcome> {
  return new Map(batch.map((text) => [text, outcome]));
}

function batchesOf(texts: readonly TaggedText[]): TaggedText[][] {
  const batches: TaggedText[][] = [];
  let size = Infinity;
  for (const text of texts) {
    const current = batches.at(-1);
    if (!current || current.length >= BATCH_TEXTS || size + text.length > BATCH_CHARACTERS) {
      batches.push([text]);
      size = text.length;
    } else {
      current.push(text);
      size += text.length;
    }
  }
  return batches;
}
