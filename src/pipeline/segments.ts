import PQueue from 'p-queue';
import { COPY, keepsText } from '../engines/copy.ts';
import type { BatchSize } from '../engines/engine.ts';
import { splitRuns } from '../text/reconcile.ts';
import { tokenize, type TaggedText } from '../text/tagged.ts';
import { EngineCall } from './engine-call.ts';
import { termsFor, type ProtectedSegment } from './terms/terms.ts';
import {
  joinRuns,
  NO_ANSWER,
  type SegmentContext,
  type SegmentOutcome,
  type TranslationResources,
} from './segment-outcome.ts';

export { NO_ANSWER, type SegmentContext, type SegmentOutcome, type TranslationResources };

/** Enough to keep an engine busy, little enough that few answers are lost when the program is killed. */
const BATCH: BatchSize = { texts: 64, characters: 16_000 };

/**
 * Translates tagged texts, each distinct one once: from the journal, else by the engine in batches. Names of the
 * glossary travel as placeholders. Every answer is reconciled with its source; one that cannot be is asked for again as
 * runs between the placeholders. What then still fails is a failure of that text alone. Where account, budget or
 * connection allow no more, what is left has failures of the kind `stopped`. Nothing is under way any more when it
 * resolves or rejects.
 *
 * Between regional variants of one language that the engine has no direct way between, texts stay as they are.
 *
 * @throws DragomanError `engine_unavailable` when the engine cannot do the pair at all.
 */
export async function translateSegments(
  texts: readonly TaggedText[],
  context: SegmentContext,
): Promise<ReadonlyMap<TaggedText, SegmentOutcome>> {
  const { engine, glossary, source, target, hints } = context;
  if (await keepsText(engine, source, target)) {
    if (texts.length > 0) context.onKept?.(source, target);
    return new Map(texts.map((text) => [text, { translation: text, engine: COPY }]));
  }
  const terms = glossary && termsFor(glossary, source, target);
  if (!terms) return translateDistinct(new Set(texts), context);
  const guarded = new Map([...new Set(texts)].map((text) => [text, terms.protect(text)]));
  const original = new Map([...guarded].map(([text, { tagged }]) => [tagged, text]));
  const told =
    hints && ((sent: readonly TaggedText[]) => hints(sent.map((text) => original.get(text) ?? text)));
  const outcomes = await translateDistinct(new Set(original.keys()), { ...context, hints: told });
  return new Map([...guarded].map(([text, own]) => [text, restored(outcomes.get(own.tagged), own)]));
}

function restored(outcome: SegmentOutcome = NO_ANSWER, text: ProtectedSegment): SegmentOutcome {
  return 'failure' in outcome ? outcome : { ...outcome, translation: text.restore(outcome.translation) };
}

async function translateDistinct(
  texts: ReadonlySet<TaggedText>,
  context: SegmentContext,
): Promise<ReadonlyMap<TaggedText, SegmentOutcome>> {
  const { engine, journal, source, target } = context;
  const outcomes = new Map<TaggedText, SegmentOutcome>();
  const pending: TaggedText[] = [];
  for (const text of texts) {
    const known = journal?.get(engine.id, source, target, text);
    if (known !== undefined) outcomes.set(text, { translation: known, engine: engine.id });
    else if (hasWords(text)) pending.push(text);
    else outcomes.set(text, { translation: text });
  }
  const call = new EngineCall(context, pending.length);
  const concurrency = context.concurrency ?? 4;
  const queue = new PQueue({ concurrency });
  const work = batchesOf(pending, engine.batch ?? BATCH, concurrency).map((batch) =>
    queue.add(async () => {
      const finished = await call.translateBatch(batch);
      for (const [text, outcome] of finished) outcomes.set(text, outcome);
    }),
  );
  // All of them: what an engine is still at may have been paid for, and has to get into the journal.
  const settled = await Promise.allSettled(work);
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
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

/** Of a text of names alone nothing is left to translate. */
function hasWords(tagged: TaggedText): boolean {
  const angle = tagged.indexOf('<');
  if (angle < 0 || /^[^&]*?\p{L}/u.test(tagged.slice(0, angle))) return true;
  return tokenize(tagged)?.some((token) => token.type === 'words' && /\p{L}/u.test(token.text)) ?? true;
}

function batchesOf(texts: readonly TaggedText[], most: BatchSize, concurrency: number): TaggedText[][] {
  const mostTexts = divideEvenly(texts.length, most, concurrency);
  const batches: TaggedText[][] = [];
  let size = Infinity;
  for (const text of texts) {
    const current = batches.at(-1);
    if (!current || current.length >= mostTexts || size + text.length > most.characters) {
      batches.push([text]);
      size = text.length;
    } else {
      current.push(text);
      size += text.length;
    }
  }
  return batches;
}

/** Texts per batch: few large batches would leave the engine with less to do at once than it may have. */
function divideEvenly(count: number, { texts, least }: BatchSize, concurrency: number): number {
  if (least === undefined || count === 0) return texts;
  const batches = Math.max(Math.ceil(count / texts), Math.min(concurrency, Math.ceil(count / least)));
  return Math.ceil(count / batches);
}
