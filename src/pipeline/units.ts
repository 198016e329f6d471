import { DragomanError } from '../base/errors.ts';
import type { Engine } from '../engines/engine.ts';
import { parseMessage, type Message } from '../text/message.ts';
import type { TaggedText } from '../text/tagged.ts';
import { verify } from '../text/verify.ts';
import {
  NO_ANSWER,
  translateSegments,
  translateSplit,
  type SegmentContext,
  type SegmentOutcome,
} from './segments.ts';
import type { Unit, UnitOutcome } from './unit.ts';

interface Work {
  readonly unit: Unit;
  readonly message: Message;
  readonly segments: readonly TaggedText[];
}

/**
 * Translates values: syntax is taken out, the words go to the engine, what comes back is put together and verified
 * against the source. One outcome per unit, in order; a value that does not verify is a failure, never a value.
 *
 * Values that the engine's translations make no good ones of are asked of the engine behind it, where there is one.
 *
 * When `signal` aborts, units that were not finished come back as interrupted failures; where account, budget or
 * connection allow no more, as stopped ones.
 *
 * @throws DragomanError `engine_unavailable` when the engine cannot do the pair.
 */
export async function translateUnits(
  units: readonly Unit[],
  context: SegmentContext,
): Promise<readonly UnitOutcome[]> {
  const outcomes = await translateBy(units, context);
  const { next } = context.engine;
  const open = units.filter((_, i) => isDamaged(outcomes[i]));
  if (!next || open.length === 0 || outcomes.some(isStopped)) return outcomes;
  if (!(await canDo(next, context))) return outcomes;
  const again = (await translateUnits(open, { ...context, engine: next })).values();
  return outcomes.map((outcome) => {
    const other = isDamaged(outcome) ? again.next().value : undefined;
    return other && 'value' in other ? other : outcome;
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
function isDamaged(outcome: UnitOutcome | undefined): boolean {
  return (
    outcome !== undefined &&
    'failure' in outcome &&
    (outcome.kind === 'unverified' || outcome.kind === 'placeholders')
  );
}

async function translateBy(units: readonly Unit[], context: SegmentContext): Promise<readonly UnitOutcome[]> {
  const works = units.map((unit): Work => {
    const message = parseMessage(unit.value, unit.syntax);
    return { unit, message, segments: message.problem === undefined ? message.segments(context.target) : [] };
  });
  const whole = await translateSegments(
    works.flatMap((work) => work.segments),
    context,
  );
  const outcomes = works.map((work) => assemble(work, whole, context.target));
  const suspect = works.filter(
    (work, i) => outcomes[i] && isUnverified(outcomes[i]) && work.segments.length > 0,
  );
  if (suspect.length === 0 || outcomes.some(isStopped)) return outcomes;
  // The words of an answer made syntax, or its order did: words translated between the placeholders may not.
  const split = await translateSplit(
    suspect.flatMap((work) => work.segments),
    context,
  );
  return works.map((work, i) => {
    const outcome = outcomes[i] ?? NO_ANSWER;
    if (!isUnverified(outcome)) return outcome;
    const again = assemble(work, split, context.target);
    return 'failure' in again ? outcome : again;
  });
}

function isStopped(outcome: UnitOutcome): boolean {
  return 'failure' in outcome && outcome.kind === 'stopped';
}

function isUnverified(outcome: UnitOutcome): boolean {
  return 'failure' in outcome && outcome.kind === 'unverified';
}

function assemble(
  work: Work,
  segments: ReadonlyMap<TaggedText, SegmentOutcome>,
  locale: string,
): UnitOutcome {
  const { unit, message } = work;
  if (message.problem !== undefined)
    return { failure: `the source is malformed: ${message.problem}`, kind: 'malformed-source' };
  const translations: TaggedText[] = [];
  const engines = new Set<string>();
  for (const segment of work.segments) {
    const outcome = segments.get(segment) ?? NO_ANSWER;
    if ('failure' in outcome) return outcome;
    translations.push(outcome.translation);
    if (outcome.engine !== undefined) engines.add(outcome.engine);
  }
  const value = message.assemble(locale, translations);
  const problem = verify(unit.forms ?? unit.value, value, { syntax: unit.syntax, locale })[0];
  if (problem) return { failure: problem.detail, kind: 'unverified' };
  return { value, engine: engines.size > 0 ? [...engines].join('+') : undefined };
}
