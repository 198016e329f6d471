import { DragomanError } from '../base/errors.ts';
import type { Engine } from '../engines/engine.ts';
import {
  assembleOutcomes,
  COPIED,
  judgeAnswers,
  lookUp,
  prepareUnit,
  remember,
  type AssembledUnit,
  type PreparedUnit,
} from './prepared-unit.ts';
import { RecentSegments, translateSegments } from './segments.ts';
import { NO_ANSWER, type Failure, type SegmentContext, type Unit, type UnitOutcome } from './unit.ts';

/** Number of values whose messages and segments are in memory at once: a file of 10 MB has over 100,000. */
const CHUNK = 4_096;

/**
 * The chunk size for engines that gain nothing from large calls: small enough that the data of a chunk is freed early.
 */
const IMMEDIATE_CHUNK = 128;

/**
 * Same as {@link translateUnits}, for any number of units: in chunks, so that memory does not grow with the number. If
 * an engine translates nothing of a whole chunk, it does not receive the next.
 *
 * @param unitAt creates a unit when it is due
 * @param onOutcome receives each outcome, in order
 */
export async function translateChunks(
  count: number,
  unitAt: (index: number) => Unit,
  onOutcome: (index: number, outcome: UnitOutcome) => void,
  context: SegmentContext,
): Promise<void> {
  const { isImmediate = false } = context.engine;
  const chunk = isImmediate ? IMMEDIATE_CHUNK : CHUNK;
  // Repeating a call to an immediate engine is faster than caching its answers.
  const journal = count > chunk && !isImmediate ? new RecentSegments(context.journal) : context.journal;
  let over: Failure | undefined;
  for (let start = 0; start < count; start += chunk) {
    const size = Math.min(chunk, count - start);
    const units = Array.from({ length: size }, (_, i) => unitAt(start + i));
    const end = over;
    const outcomes = end
      ? units.map(() => end)
      : await translateUnits(units, {
          ...context,
          journal,
          onProgress: (done, total) => context.onProgress?.(start + Math.floor((size * done) / total), count),
        });
    for (const [i, outcome] of outcomes.entries()) onOutcome(start + i, outcome);
    over ??= endOf(outcomes);
  }
}

/** Why no more requests are sent; undefined if they are. */
function endOf(outcomes: readonly UnitOutcome[]): Failure | undefined {
  let last: Failure | undefined;
  for (const outcome of outcomes) {
    if ('value' in outcome) {
      if (outcome.engine !== undefined) return undefined;
    } else if (outcome.kind === 'stopped' || outcome.kind === 'interrupted') return outcome;
    else if (outcome.kind === 'engine') last = outcome;
    else if (outcome.kind !== 'malformed-source') return undefined;
  }
  return last;
}

/**
 * Translates values: from the memory if it has them. For others, syntax is removed, the words are sent to the engine,
 * and the assembled value is verified against the source. One outcome per unit, in order; a value that fails
 * verification is a failure, never a value.
 *
 * Values that fail with the engine's translations, or lack terms of the glossary, are sent to its `next` engine, if it
 * has one.
 *
 * When `signal` aborts, unfinished units get failures of the kind `interrupted`; if the account, budget or connection
 * does not allow more, of the kind `stopped`.
 *
 * @throws DragomanError `engine_unavailable` if the engine does not support the pair, and errors of the memory
 */
export async function translateUnits(
  units: readonly Unit[],
  callerContext: SegmentContext,
): Promise<readonly UnitOutcome[]> {
  // A layout check needs pseudo-translations everywhere, and they are not stored in the memory.
  const isUnused = callerContext.memory && callerContext.engine.isPseudo;
  const context = isUnused ? { ...callerContext, memory: undefined } : callerContext;
  const prepared = units.map((unit) => prepareUnit(unit, context));
  const known = new Map<PreparedUnit, UnitOutcome>(context.memory && (await lookUp(prepared, context)));
  const refused = new Map<PreparedUnit, Failure>();
  const answered = prepared.filter(({ unit, segments }) => unit.answer !== undefined && segments.length > 0);
  if (answered.length > 0) {
    for (const [one, judged] of await judgeAnswers(answered, context)) {
      if ('failure' in judged) refused.set(one, judged);
      else known.set(one, judged);
    }
  }
  const open = prepared.filter((one) => !known.has(one));
  let results: UnitResults = new Map();
  try {
    results = await translatePrepared(open, context);
  } catch (error) {
    // The answers have been paid for, even if the service does not list such languages.
    const isKnown = error instanceof DragomanError && error.code === 'engine_unavailable';
    if (!isKnown || refused.size === 0 || !open.every((one) => refused.has(one))) throw error;
  }
  if (context.memory) await remember(results, context);
  return prepared.map(
    (one) => known.get(one) ?? explained(one, withoutParts(results.get(one) ?? NO_ANSWER), refused.get(one)),
  );
}

/** The first failure explains more than that of a retry, unless the work was stopped. */
function explained({ unit }: PreparedUnit, outcome: UnitOutcome, refused: Failure | undefined): UnitOutcome {
  if (!refused) return outcome;
  if ('value' in outcome) return refused === COPIED && outcome.value === unit.value ? refused : outcome;
  return outcome.kind === 'stopped' || outcome.kind === 'interrupted' ? outcome : refused;
}

/** Drops the parts, which callers do not need. */
function withoutParts(result: UnitResult): UnitOutcome {
  if ('failure' in result) return result;
  const { value, engine, missingTerms } = result;
  return missingTerms ? { value, engine, missingTerms } : { value, engine };
}

type UnitResult = AssembledUnit | Failure;
type UnitResults = Map<PreparedUnit, UnitResult>;

/** Uses the engine; if the result can be improved, sends the runs between placeholders, then uses the next engine. */
async function translatePrepared(
  prepared: readonly PreparedUnit[],
  context: SegmentContext,
): Promise<UnitResults> {
  const { next } = context.engine;
  const results = await attempt(prepared, context);
  // The words of an answer, or their order, formed syntax. Translating the words between the placeholders separately
  // may avoid that.
  const unverified = improvable(results, isUnverified);
  if (unverified.length > 0) improve(results, await attempt(unverified, context, true));
  const lacking = next ? improvable(results, isLacking) : [];
  if (next && lacking.length > 0 && (await canDo(next, context)))
    improve(results, await translatePrepared(lacking, { ...context, engine: next }));
  return results;
}

async function attempt(
  prepared: readonly PreparedUnit[],
  context: SegmentContext,
  split = false,
): Promise<UnitResults> {
  const segments = prepared.flatMap(({ unit, segments: texts, remembered }) =>
    texts.map((tagged) => ({
      tagged,
      context: unit.context,
      isWhole: texts.length === 1,
      message: texts.length === 1 ? remembered : undefined,
    })),
  );
  const outcomes = await translateSegments(segments, context, split);
  return new Map(prepared.map((one) => [one, assembleOutcomes(one, outcomes, context.target)]));
}

/** The units to try again. None after the engine was stopped. */
function improvable(
  results: UnitResults,
  mayImprove: (result: UnitResult) => boolean,
): readonly PreparedUnit[] {
  const open: PreparedUnit[] = [];
  for (const [one, result] of results) {
    if (isStopped(result)) return [];
    if (mayImprove(result)) open.push(one);
  }
  return open;
}

/** Keeps the better result of each unit. */
function improve(results: UnitResults, others: UnitResults): void {
  for (const [one, other] of others) {
    const result = results.get(one);
    if (!result || isBetter(other, result)) results.set(one, other);
  }
}

/** Returns false for an engine that fails this check. */
async function canDo(engine: Engine, { source, target }: SegmentContext): Promise<boolean> {
  try {
    return await engine.supports(source, target);
  } catch (error) {
    if (error instanceof DragomanError) return false;
    throw error;
  }
}

function isStopped(result: UnitResult): boolean {
  return 'failure' in result && result.kind === 'stopped';
}

function isUnverified(result: UnitResult): boolean {
  return 'failure' in result && result.kind === 'unverified';
}

/** Whether another engine may give a better result. */
function isLacking(result: UnitResult): boolean {
  if ('failure' in result) return ['unverified', 'placeholders', 'nonsense'].includes(result.kind);
  return result.missingTerms !== undefined;
}

function isBetter(other: UnitResult, result: UnitResult): boolean {
  if ('failure' in other) return false;
  if ('failure' in result) return true;
  return (other.missingTerms?.length ?? 0) < (result.missingTerms?.length ?? 0);
}
