import { parseMessage, type Message } from '../text/message.ts';
import type { TaggedText } from '../text/tagged.ts';
import { verify } from '../text/verify.ts';
import { memoryMessageOf } from './memory-message.ts';
import type { MemoryMessage } from './memory.ts';
import { NO_ANSWER, type SegmentContext, type SegmentOutcome } from './segment-outcome.ts';
import { termsFor, type Terms } from './terms/terms.ts';
import type { Failure, TranslatedUnit, Unit } from './unit.ts';

/** A unit, taken apart for one target language. */
export interface PreparedUnit {
  readonly unit: Unit;
  readonly message: Message;
  readonly segments: readonly TaggedText[];
  readonly terms: Terms | undefined;
  /** The value as the translation memory knows it; undefined without a memory, or where nothing is to be translated. */
  readonly remembered: MemoryMessage | undefined;
}

export function prepareUnit(
  unit: Unit,
  { source, target, glossary, memory }: Pick<SegmentContext, 'source' | 'target' | 'glossary' | 'memory'>,
): PreparedUnit {
  const message = parseMessage(unit.value, unit.syntax);
  const segments = message.problem === undefined ? message.segments(target) : [];
  const terms = glossary && termsFor(glossary, source, target);
  const remembered = memory && memoryMessageOf(message, unit.context, target);
  return { unit, message, segments, terms, remembered };
}

/** A unit's translation with what it was made of. */
export interface Assembled extends TranslatedUnit {
  /** One for each segment. */
  readonly translations: readonly TaggedText[];
}

/** Puts the outcomes of a unit's segments together, and checks the whole. */
export function assembleOutcomes(
  prepared: PreparedUnit,
  outcomes: ReadonlyMap<TaggedText, SegmentOutcome>,
  locale: string,
): Assembled | Failure {
  if (prepared.message.problem !== undefined) {
    return { failure: `the source is malformed: ${prepared.message.problem}`, kind: 'malformed-source' };
  }
  const translations: TaggedText[] = [];
  let engine: string | undefined;
  for (const segment of prepared.segments) {
    const outcome = outcomes.get(segment) ?? NO_ANSWER;
    if ('failure' in outcome) return outcome;
    translations.push(outcome.translation);
    engine = joinEngines(engine, outcome.engine);
  }
  return assemble(prepared, translations, locale, engine);
}

function joinEngines(engines: string | undefined, engine: string | undefined): string | undefined {
  if (engines === undefined || engine === undefined || engines === engine) return engines ?? engine;
  return engines.split('+').includes(engine) ? engines : `${engines}+${engine}`;
}

/** The value with these translations of its segments, verified as a whole. */
export function assemble(
  { unit, message, segments, terms }: PreparedUnit,
  translations: readonly TaggedText[],
  locale: string,
  engine?: string,
): Assembled | Failure {
  const value = message.assemble(locale, translations);
  const [problem] = unit.forms
    ? verify(unit.forms, value, { syntax: unit.syntax, locale })
    : message.problemsOf(value, locale);
  if (problem) return { failure: problem.detail, kind: 'unverified' };
  const missing = terms?.missingIn(segments, translations) ?? [];
  if (missing.length === 0) return { value, translations, engine };
  return { value, translations, engine, missingTerms: missing };
}
