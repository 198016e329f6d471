import { DragomanError } from '../base/errors.ts';
import type { Engine } from '../engines/engine.ts';
import type { TaggedText } from '../text/tagged.ts';
import { hintsFor } from './hints.ts';
import { lookUp, remember } from './memory-lookup.ts';
import { NO_ANSWER, translateSegments, translateSplit, type SegmentContext } from './segments.ts';
import type { Failure, Unit, UnitOutcome } from './unit.ts';
import { assembleOutcomes, prepareUnit, type Assembled, type PreparedUnit } from './prepared-unit.ts';

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
  const prepared = units.map((unit) => prepareUnit(unit, { ...context, memory }));
  const known = await lookUp(prepared, { ...context, memory });
  const open = prepared.filter((_, i) => !known[i]);
  const translated = await translatePrepared(open, context);
  await remember(open, translated, { ...context, memory });
  const rest = translated.map(withoutParts).values();
  return prepared.map((_, i) => known[i] ?? rest.next().value ?? NO_ANSWER);
}

/** Drops the parts, which callers do not need. */
function withoutParts(outcome: UnitResult): UnitOutcome {
  if ('failure' in outcome) return outcome;
  const { value, engine, missingTerms } = outcome;
  return missingTerms ? { value, engine, missingTerms } : { value, engine };
}

type UnitResult = Assembled | Failure;

async function translatePrepared(
  prepared: readonly PreparedUnit[],
  context: SegmentContext,
): Promise<readonly UnitResult[]> {
  const outcomes = await translateBy(prepared, context);
  const { next } = context.engine;
  const open = prepared.filter((_, i) => isLacking(outcomes[i]));
  if (!next || open.length === 0 || outcomes.some(isStopped)) return outcomes;
  if (!(await canDo(next, context))) return outcomes;
  const again = (await translatePrepared(open, { ...context, engine: next })).values();
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
function isLacking(outcome: UnitResult | undefined): boolean {
  if (!outcome) return false;
  if ('failure' in outcome) return outcome.kind === 'unverified' || outcome.kind === 'placeholders';
  return outcome.missingTerms !== undefined;
}

function isBetter(other: UnitResult, outcome: UnitResult): boolean {
  if ('failure' in other) return false;
  if ('failure' in outcome) return true;
  return (other.missingTerms?.length ?? 0) < (outcome.missingTerms?.length ?? 0);
}

async function translateBy(
  prepared: readonly PreparedUnit[],
  context: SegmentContext,
): Promise<readonly UnitResult[]> {
  const told = { ...context, hints: hintsFor(prepared, context) };
  const whole = await translateSegments(segmentsOf(prepared), told);
  const outcomes = prepared.map((one) => assembleOutcomes(one, whole, context.target));
  const suspect = prepared.filter(
    (one, i) => outcomes[i] && isUnverified(outcomes[i]) && one.segments.length > 0,
  );
  if (suspect.length === 0 || outcomes.some(isStopped)) return outcomes;
  // The words of an answer made syntax, or its order did: words translated between the placeholders may not.
  const split = await translateSplit(segmentsOf(suspect), told);
  return prepared.map((one, i) => {
    const outcome = outcomes[i] ?? NO_ANSWER;
    if (!isUnverified(outcome)) return outcome;
    const again = assembleOutcomes(one, split, context.target);
    return 'failure' in again ? outcome : again;
  });
}

function segmentsOf(prepared: readonly PreparedUnit[]): readonly TaggedText[] {
  return prepared.flatMap(({ segments }) => segments);
}

function isStopped(outcome: UnitResult): boolean {
  return 'failure' in outcome && outcome.kind === 'stopped';
}

function isUnverified(outcome: UnitResult): boolean {
  return 'failure' in outcome && outcome.kind === 'unverified';
}
