import { DragomanError } from '../base/errors.ts';
import type { Engine } from '../engines/engine.ts';
import type { TaggedText } from '../text/tagged.ts';
import { hintsFor } from './hints.ts';
import { recall, remember } from './recall.ts';
import { NO_ANSWER, translateSegments, translateSplit, type SegmentContext } from './segments.ts';
import type { Failure, Unit, UnitOutcome } from './unit.ts';
import { assembleOutcomes, takeApart, type Assembled, type Work } from './work.ts';

/**
 * Translates values: what the translation memory has is taken from there. Of the others syntax is taken out, the words
 * go to the engine, what comes back is put together and verified against the source. One outcome per unit, in order; a
 * value that does not verify is a failure, never a value.
 *
 * Values that the engine's translations make no good ones of, or that lack terms of the glossary, are asked of the
 * engine behind it, where there is one.
 *
 * When `signal` aborts, units that were not finished come back as interrupted failures; where account, budget or
 * connection allow no more, as stopped ones.
 *
 * @throws DragomanError `engine_unavailable` when the engine cannot do the pair, and what the memory throws.
 */
export async function translateUnits(
  units: readonly Unit[],
  context: SegmentContext,
): Promise<readonly UnitOutcome[]> {
  // What a pretender says is no translation, and a layout check wants it everywhere.
  const memory = context.engine.isPseudo ? undefined : context.memory;
  const works = units.map((unit) => takeApart(unit, { ...context, memory }));
  const known = await recall(works, { ...context, memory });
  const open = works.filter((_, i) => !known[i]);
  const translated = await translateWorks(open, context);
  await remember(open, translated, { ...context, memory });
  const rest = translated.map(withoutParts).values();
  return works.map((_, i) => known[i] ?? rest.next().value ?? NO_ANSWER);
}

/** Drops the parts, which callers do not need. */
function withoutParts(outcome: Outcome): UnitOutcome {
  if ('failure' in outcome) return outcome;
  const { value, engine, missingTerms } = outcome;
  return missingTerms ? { value, engine, missingTerms } : { value, engine };
}

type Outcome = Assembled | Failure;

async function translateWorks(works: readonly Work[], context: SegmentContext): Promise<readonly Outcome[]> {
  const outcomes = await translateBy(works, context);
  const { next } = context.engine;
  const open = works.filter((_, i) => isLacking(outcomes[i]));
  if (!next || open.length === 0 || outcomes.some(isStopped)) return outcomes;
  if (!(await canDo(next, context))) return outcomes;
  const again = (await translateWorks(open, { ...context, engine: next })).values();
  return outcomes.map((outcome) => {
    const other = isLacking(outcome) ? again.next().value : undefined;
    return other && isBetter(other, outcome) ? other : outcome;
  });
}

/** An engine that cannot even say it is none. */
async function canDo(engine: Engine, { source, target }: SegmentContext): Promise<boolean> {
  try {
    return await engine.supports(source, target);
  } catch (error) {
    if (error instanceof DragomanError) return false;
    throw error;
  }
}

/** What another engine may do better. */
function isLacking(outcome: Outcome | undefined): boolean {
  if (!outcome) return false;
  if ('failure' in outcome) return outcome.kind === 'unverified' || outcome.kind === 'placeholders';
  return outcome.missingTerms !== undefined;
}

function isBetter(other: Outcome, outcome: Outcome): boolean {
  if ('failure' in other) return false;
  if ('failure' in outcome) return true;
  return (other.missingTerms?.length ?? 0) < (outcome.missingTerms?.length ?? 0);
}

async function translateBy(works: readonly Work[], context: SegmentContext): Promise<readonly Outcome[]> {
  const told = { ...context, hints: hintsFor(works, context) };
  const whole = await translateSegments(segmentsOf(works), told);
  const outcomes = works.map((work) => assembleOutcomes(work, whole, context.target));
  const suspect = works.filter(
    (work, i) => outcomes[i] && isUnverified(outcomes[i]) && work.segments.length > 0,
  );
  if (suspect.length === 0 || outcomes.some(isStopped)) return outcomes;
  // The words of an answer made syntax, or its order did: words translated between the placeholders may not.
  const split = await translateSplit(segmentsOf(suspect), told);
  return works.map((work, i) => {
    const outcome = outcomes[i] ?? NO_ANSWER;
    if (!isUnverified(outcome)) return outcome;
    const again = assembleOutcomes(work, split, context.target);
    return 'failure' in again ? outcome : again;
  });
}

function segmentsOf(works: readonly Work[]): readonly TaggedText[] {
  return works.flatMap(({ segments }) => segments);
}

function isStopped(outcome: Outcome): boolean {
  return 'failure' in outcome && outcome.kind === 'stopped';
}

function isUnverified(outcome: Outcome): boolean {
  return 'failure' in outcome && outcome.kind === 'unverified';
}
