import { COPY, keepsText } from '../engines/copy.ts';
import type { BatchSize } from '../engines/engine.ts';
import { splitLongSegment } from '../text/long-segment.ts';
import { reconcile, type Split, splitRuns } from '../text/reconcile.ts';
import { tokenize, type TaggedText } from '../text/tagged.ts';
import { EngineCall, type SegmentOutcomes, type SentSegment } from './engine-call.ts';
import { type ProtectedSegment, protectLocked, type Terms, termsFor } from './terms/terms.ts';
import {
  NO_ANSWER,
  type SegmentContext,
  type SegmentEntry,
  type SegmentJournal,
  type SegmentOutcome,
  type SourceSegment,
} from './unit.ts';

/** Large enough to keep an engine busy, but small enough that few answers are lost if the program is killed. */
const BATCH: BatchSize = { texts: 64, characters: 16_000 };

/**
 * The limit for a segment, in code points: longer ones are split, at sentence ends if possible. No single text exceeds
 * it, so no call takes much longer than others.
 */
const MAX_SEGMENT = 8_000;

/** A text may occur in any number of values, but only the first few help an engine. */
const MOST_PLACES = 3;

/**
 * Translates segments, long ones in parts, each distinct text once: from the journal, otherwise with the engine in
 * batches. Glossary names and text locked by comments are sent as placeholders. Every answer is reconciled with its
 * source; if that fails, the runs between the placeholders are translated separately. A text that still fails does not
 * affect others. If the account, budget or connection does not allow more, the remaining texts get failures of the kind
 * `stopped`. Nothing is pending when it resolves or rejects. Between regional variants of a language without a direct
 * route in the engine, texts stay unchanged.
 * @param split whether the engine only receives the runs between placeholders, which cannot be lost that way
 * @throws DragomanError `engine_unavailable` if the engine does not support the pair
 */
export function translateSegments(
  segments: readonly SourceSegment[],
  context: SegmentContext,
  split = false,
): Promise<SegmentOutcomes> {
  const splits = new Map<TaggedText, Split>();
  for (const { tagged } of segments) {
    const parts = splits.has(tagged) ? undefined : splitLongSegment(tagged, MAX_SEGMENT);
    if (parts) splits.set(tagged, parts);
  }
  if (splits.size === 0) return translateShort(segments, context, split);
  const open = segments.flatMap((one) => {
    const parts = splits.get(one.tagged);
    return parts ? parts.runs.map((tagged) => ({ tagged, context: one.context })) : [one];
  });
  return translateShort(open, context, split).then((outcomes) => {
    for (const [text, parts] of splits) outcomes.set(text, joinRuns(parts, outcomes));
    return outcomes;
  });
}

/**
 * Like several functions in this file, not async: for one short text, passing on a promise takes longer than most
 * steps.
 */
function translateShort(
  segments: readonly SourceSegment[],
  context: SegmentContext,
  split: boolean,
): Promise<SegmentOutcomes> {
  const locked = protectLocked(segments);
  if (!locked) return translateUnlocked(segments, context, split);
  const open = segments.map((one) => ({ ...one, tagged: locked.get(one.tagged)?.tagged ?? one.tagged }));
  return translateUnlocked(open, context, split).then((outcomes) => restoreEach(locked, outcomes));
}

async function translateUnlocked(
  segments: readonly SourceSegment[],
  context: SegmentContext,
  split: boolean,
): Promise<SegmentOutcomes> {
  if (split) return translateRuns(segments, (runs) => translateSegments(runs, context));
  const { engine, glossary, source, target, concurrency = 4 } = context;
  const kept = keepsText(engine, source, target);
  if (kept && (await kept)) {
    if (segments.length > 0) context.onKept?.(source, target);
    return new Map(segments.map(({ tagged }) => [tagged, { translation: tagged, engine: COPY }]));
  }
  const terms = glossary && termsFor(glossary, source, target);
  const guarded = terms && protectEach(segments, terms);
  const { outcomes, pending } = takeKnown(
    distinctOf(segments, guarded, engine.uses?.hints === true),
    context,
  );
  const call = new EngineCall(context);
  const errors: unknown[] = [];
  let done = 0;
  const all = batchesOf(pending, engine.batch ?? BATCH, concurrency);
  const waiting = all.values();
  const work = async (): Promise<void> => {
    for (const batch of waiting) {
      if (errors.length > 0) return;
      try {
        for (const [text, outcome] of await translateBatch(batch, call, context)) outcomes.set(text, outcome);
        done += batch.length;
        context.onProgress?.(done, pending.length);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  // Waits for all: pending answers may have been paid for, and must be written to the journal.
  if (all.length === 1) await work();
  else await Promise.all(Array.from({ length: Math.min(concurrency, all.length) }, work));
  if (errors.length > 0) throw errors[0];
  return guarded ? restoreEach(guarded, outcomes) : outcomes;
}

function restoreEach(
  guarded: ReadonlyMap<TaggedText, ProtectedSegment>,
  outcomes: SegmentOutcomes,
): SegmentOutcomes {
  return new Map([...guarded].map(([text, own]) => [text, restored(outcomes.get(own.tagged), own)]));
}

function protectEach(
  segments: readonly SourceSegment[],
  terms: Terms,
): ReadonlyMap<TaggedText, ProtectedSegment> {
  const guarded = new Map<TaggedText, ProtectedSegment>();
  for (const { tagged } of segments) if (!guarded.has(tagged)) guarded.set(tagged, terms.protect(tagged));
  return guarded;
}

function restored(outcome: SegmentOutcome = NO_ANSWER, text: ProtectedSegment): SegmentOutcome {
  return 'failure' in outcome ? outcome : { ...outcome, translation: text.restore(outcome.translation) };
}

/** Splits texts at their placeholders, and joins them from the outcomes of the runs. */
async function translateRuns(
  texts: readonly Pick<SourceSegment, 'tagged'>[],
  translate: (runs: readonly SentSegment[]) => Promise<SegmentOutcomes>,
): Promise<SegmentOutcomes> {
  const splits = new Map(texts.map(({ tagged }) => [tagged, splitRuns(tagged)]));
  const runs = new Set([...splits.values()].flatMap((split) => split.runs));
  const outcomes = await translate([...runs].map((tagged) => ({ tagged, places: [] })));
  return new Map([...splits].map(([text, split]) => [text, joinRuns(split, outcomes)]));
}

/** Joins the outcomes of a text's runs; the first failure is returned. */
function joinRuns(split: Split, outcomes: SegmentOutcomes): SegmentOutcome {
  const translations: TaggedText[] = [];
  let engine: string | undefined;
  for (const run of split.runs) {
    const outcome = outcomes.get(run) ?? NO_ANSWER;
    if ('failure' in outcome) return outcome;
    translations.push(outcome.translation);
    engine = outcome.engine;
  }
  return { translation: split.join(translations), engine };
}

/** Answers are written to the journal before the batch's next request. */
async function translateBatch(
  batch: readonly SentSegment[],
  call: EngineCall,
  context: SegmentContext,
): Promise<SegmentOutcomes> {
  const ask = async (segments: readonly SentSegment[]): Promise<SegmentOutcomes> => {
    const outcomes = await call.ask(segments);
    if (context.journal) await keep(outcomes, context.journal, context);
    return outcomes;
  };
  const outcomes = await ask(batch);
  for (const segment of batch) {
    const outcome = outcomes.get(segment.tagged);
    if (!outcome || !('failure' in outcome) || outcome.kind !== 'nonsense') continue;
    const alone = await call.askAlone(segment);
    if (context.journal) await keep(alone, context.journal, context);
    for (const [text, own] of alone) if (!('failure' in own)) outcomes.set(text, own);
  }
  const broken = batch.filter(
    ({ tagged }) => isBroken(outcomes.get(tagged)) && splitRuns(tagged).runs[0] !== tagged,
  );
  if (broken.length === 0) return outcomes;
  const repaired = await translateRuns(broken, async (runs) => {
    const { outcomes: known, pending } = takeKnown(runs, context);
    return new Map([...known, ...(await ask(pending))]);
  });
  if (context.journal) await keep(repaired, context.journal, context);
  return new Map([...outcomes, ...repaired]);
}

function isBroken(outcome: SegmentOutcome | undefined): boolean {
  return outcome !== undefined && 'failure' in outcome && outcome.kind === 'placeholders';
}

/** Separates texts that need no engine from the others. */
function takeKnown(
  segments: Iterable<SentSegment>,
  { journal, engine, source, target }: SegmentContext,
): { readonly outcomes: SegmentOutcomes; readonly pending: readonly SentSegment[] } {
  const outcomes: SegmentOutcomes = new Map();
  const pending: SentSegment[] = [];
  for (const segment of segments) {
    const { tagged } = segment;
    const answered = journal?.get(engine.id, source, target, tagged);
    // The journal is a file: damaged answers are requested again.
    const known = answered === undefined ? undefined : reconcile(tagged, answered);
    if (known?.ok) outcomes.set(tagged, { translation: known.tagged, engine: engine.id });
    else if (hasWords(tagged)) pending.push(segment);
    else outcomes.set(tagged, { translation: tagged });
  }
  return { outcomes, pending };
}

async function keep(
  outcomes: SegmentOutcomes,
  journal: SegmentJournal,
  { engine, source, target }: SegmentContext,
): Promise<void> {
  const entries = [...outcomes].flatMap(([tagged, outcome]) =>
    'failure' in outcome
      ? []
      : [{ engine: engine.id, source, target, tagged, translation: outcome.translation }],
  );
  if (entries.length > 0) await journal.put(entries);
}

/**
 * The distinct texts for the engine.
 *
 * @param hinted the engine uses hints, which depend on the places of a text
 */
function distinctOf(
  segments: readonly SourceSegment[],
  guarded: ReadonlyMap<TaggedText, ProtectedSegment> | undefined,
  hinted: boolean,
): Iterable<SentSegment> {
  const distinct = new Map<TaggedText, { readonly tagged: TaggedText; readonly places: SourceSegment[] }>();
  for (const segment of segments) {
    const tagged = guarded?.get(segment.tagged)?.tagged ?? segment.tagged;
    let known = distinct.get(tagged);
    if (!known) distinct.set(tagged, (known = { tagged, places: [] }));
    if (hinted && (segment.context ?? segment.message) && known.places.length < MOST_PLACES)
      known.places.push(segment);
  }
  return distinct.values();
}

/** A text that only consists of names needs no translation. */
function hasWords(tagged: TaggedText): boolean {
  const angle = tagged.indexOf('<');
  if (angle < 0 || /^[^&]*?\p{L}/u.test(tagged.slice(0, angle))) return true;
  return tokenize(tagged)?.some((token) => token.type === 'words' && /\p{L}/u.test(token.text)) ?? true;
}

function batchesOf(segments: readonly SentSegment[], most: BatchSize, concurrency: number): SentSegment[][] {
  const mostTexts = divideEvenly(segments.length, most, concurrency);
  const batches: SentSegment[][] = [];
  let size = Infinity;
  for (const segment of segments) {
    const { length } = segment.tagged;
    const current = batches.at(-1);
    if (!current || current.length >= mostTexts || size + length > most.characters) {
      batches.push([segment]);
      size = length;
    } else {
      current.push(segment);
      size += length;
    }
  }
  return batches;
}

/** Limits the texts per batch: few large batches would use less than the engine's concurrency. */
function divideEvenly(count: number, { texts, least }: BatchSize, concurrency: number): number {
  if (least === undefined || count === 0) return texts;
  const batches = Math.max(Math.ceil(count / texts), Math.min(concurrency, Math.ceil(count / least)));
  return Math.ceil(count / batches);
}

/** Number of cached segments of earlier calls. */
const MAX_RECENT = 10_000;
const MAX_RECENT_LENGTH = 200;

/** A journal that sends equal segments to the engine once, even in different calls. */
export class RecentSegments implements SegmentJournal {
  readonly #journal: SegmentJournal | undefined;
  /** Translations by engine and segment: a joined key would copy each segment. */
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
