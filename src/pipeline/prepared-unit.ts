import { COPY } from '../engines/copy.ts';
import { escapeControls } from '../base/escape-controls.ts';
import type { Engine, LanguagePair } from '../engines/engine.ts';
import { SERVICE_ENGINE } from '../engines/registry.ts';
import { sameLanguage } from '../languages/locale.ts';
import { parseMessage, type Message } from '../text/message.ts';
import { unwrapAnswer } from '../text/nonsense.ts';
import { tokenize, type TaggedText, type Token } from '../text/tagged.ts';
import { verify, type VerifyOptions } from '../text/verify.ts';
import { AnswerJudge } from './answer-judge.ts';
import { addsControls } from './engine-call.ts';
import { contextOf, type MemoryEntry, type MemoryMessage, type MemoryTranslation } from './memory.ts';
import { keepsLocked, type Terms, termsFor } from './terms/terms.ts';
import {
  NO_ANSWER,
  type Failure,
  type SegmentContext,
  type SegmentOutcome,
  type TranslatedUnit,
  type Unit,
  type UnitContext,
} from './unit.ts';

/** The data for preparing a value and finding it in the memory. */
export type LookupContext = Pick<SegmentContext, 'memory' | 'glossary' | 'source' | 'target'>;

/** A unit, split for one target language. */
export interface PreparedUnit {
  readonly unit: Unit;
  readonly message: Message;
  readonly segments: readonly TaggedText[];
  readonly terms: Terms | undefined;
  /** The value as a message of the memory; undefined without a memory, or if nothing is translatable. */
  readonly remembered: MemoryMessage | undefined;
}

export function prepareUnit(unit: Unit, { source, target, glossary, memory }: LookupContext): PreparedUnit {
  const message = parseMessage(unit.value, unit.syntax, unit.rule);
  const segments = message.problem === undefined ? message.segments(target) : [];
  const terms = glossary && termsFor(glossary, source, target);
  const remembered = memory && memoryMessageOf(message, unit.context, target);
  return { unit, message, segments, terms, remembered };
}

/** A value as a message of the memory; undefined if nothing in it is translatable. */
export function memoryMessageOf(
  message: Message,
  context: UnitContext | undefined,
  target: string,
): MemoryMessage | undefined {
  const segments = message.segments(target);
  if (segments.length === 0) return undefined;
  return {
    segments,
    placeholders: message.placeholders(target),
    category: context?.category ?? '',
    context: context ? contextOf(context.key) : '',
  };
}

/** A unit's translation with its segments. */
export interface AssembledUnit extends TranslatedUnit {
  /** One translation for each segment. */
  readonly translations: readonly TaggedText[];
}

/** Assembles the outcomes of a unit's segments, and verifies the whole. */
export function assembleOutcomes(
  prepared: PreparedUnit,
  outcomes: ReadonlyMap<TaggedText, SegmentOutcome>,
  locale: string,
): AssembledUnit | Failure {
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
function assemble(
  { unit, message, segments, terms }: PreparedUnit,
  translations: readonly TaggedText[],
  locale: string,
  engine?: string,
): AssembledUnit | Failure {
  const value = message.assemble(locale, translations);
  const [problem] = unit.forms
    ? verify(unit.forms, value, { syntax: unit.syntax, locale, rule: unit.rule })
    : message.problemsOf(value, locale);
  if (problem) return { failure: problem.detail, kind: 'unverified' };
  const missing = terms?.missingIn(segments, translations) ?? [];
  if (missing.length === 0) return { value, translations, engine };
  return { value, translations, engine, missingTerms: missing };
}

export const COPIED: Failure = { failure: 'the service returned every text unchanged', kind: 'nonsense' };

/** Verifies a service's answers for whole units, with the leading and trailing blanks of their sources. */
export async function judgeAnswers(
  answered: readonly PreparedUnit[],
  languages: LanguagePair,
): Promise<ReadonlyMap<PreparedUnit, TranslatedUnit | Failure>> {
  const isCopy =
    answered.length > 1 &&
    !sameLanguage(languages.source, languages.target) &&
    answered.every(({ unit }) => unit.answer?.trim() === unit.value.trim());
  if (isCopy) return new Map(answered.map((one) => [one, COPIED]));
  const judge = new AnswerJudge({ isModel: true }, languages);
  const wholes = new Map(answered.map((one) => [one, wholeAnswer(one.unit)]));
  for (const [{ unit }, whole] of wholes) judge.note(unit.value, whole);
  const judged = new Map<PreparedUnit, TranslatedUnit | Failure>();
  for (const [one, whole] of wholes) {
    const { value, forms = [value], syntax, rule } = one.unit;
    // ICU messages are compared form by form, because their notation would disturb the comparison.
    const nonsense = syntax === 'icu' ? undefined : await judge.problemOf(value, whole);
    const problem = problemOfValue(forms, whole, { syntax, locale: languages.target, rule });
    if (nonsense !== undefined) judged.set(one, { failure: nonsense, kind: 'nonsense' });
    else if (problem !== undefined) judged.set(one, { failure: problem, kind: 'unverified' });
    else judged.set(one, { value: whole, engine: SERVICE_ENGINE });
  }
  return judged;
}

function wholeAnswer({ value, answer = '' }: Unit): string {
  const lead = value.slice(0, value.length - value.trimStart().length);
  return lead + unwrapAnswer(value, answer).trim() + value.slice(value.trimEnd().length);
}

/**
 * The problem with a value translated elsewhere; undefined if it is a valid translation of its source.
 *
 * @param sources the texts of all plural forms, whose placeholders a form may use
 */
export function problemOfValue(
  sources: readonly string[],
  value: string,
  options: VerifyOptions,
): string | undefined {
  if (value.trim() === '') return 'the answer has no words';
  if (!value.isWellFormed() || sources.every((text) => addsControls(text, value)))
    return 'the translation has invalid characters';
  return verify(sources, value, options)[0]?.detail;
}

/** The memory's translation of each unit, in order; only the memory is consulted. */
export async function lookUpUnits(
  units: readonly Unit[],
  context: LookupContext,
): Promise<readonly (TranslatedUnit | undefined)[]> {
  const prepared = units.map((unit) => prepareUnit(unit, context));
  const known = await lookUp(prepared, context);
  return prepared.map((one) => known.get(one));
}

/** The memory's translations of prepared units. Those that fail verification at their place are not used. */
export async function lookUp(
  prepared: readonly PreparedUnit[],
  { memory, source, target }: LookupContext,
): Promise<ReadonlyMap<PreparedUnit, TranslatedUnit>> {
  const known = new Map<PreparedUnit, TranslatedUnit>();
  const asked = prepared.filter(({ remembered }) => remembered);
  if (!memory || asked.length === 0) return known;
  const found = await memory.find(
    asked.flatMap(({ remembered }) => remembered ?? []),
    { source, target },
  );
  for (const [i, one] of asked.entries()) {
    const translation = found[i];
    const taken = translation && take(one, translation, target);
    if (taken) known.set(one, taken);
  }
  return known;
}

/**
 * For each unit whose answer is the memory's own translation, that translation with its origin; otherwise undefined.
 */
export async function findMakers(
  units: readonly Unit[],
  context: LookupContext,
): Promise<readonly (MemoryTranslation | undefined)[]> {
  const { memory, source, target } = context;
  if (!memory) return [];
  const prepared = units.map((unit) => prepareUnit(unit, { ...context, glossary: undefined }));
  const asked = prepared.flatMap(({ remembered }) => remembered ?? []);
  const found = asked.length > 0 ? await memory.find(asked, { source, target }) : [];
  let next = 0;
  return prepared.map((one) => {
    const known = one.remembered && found[next++];
    if (known?.translations.length !== one.segments.length) return undefined;
    return one.message.assemble(target, known.translations) === one.unit.answer ? known : undefined;
  });
}

/** A human translation is used even if it violates the glossary, which is reported. */
function take(
  one: PreparedUnit,
  { translations, origin }: MemoryTranslation,
  locale: string,
): TranslatedUnit | undefined {
  if (translations.length !== one.segments.length) return undefined;
  if (!one.segments.every((segment, i) => isTranslation(segment, translations[i] ?? ''))) return undefined;
  const assembled = assemble(one, translations, locale);
  if ('failure' in assembled) return undefined;
  const { value, missingTerms } = assembled;
  if (missingTerms && origin === 'machine') return undefined;
  const isKept = keepsLocked(one.unit.context?.comment, one.segments, translations);
  if (origin === 'machine' && !isKept) return undefined;
  return { value, memory: origin, ...(missingTerms && { missingTerms }) };
}

/**
 * A memory's file may come from anywhere, so its translations are verified like an engine's answer. A person may have
 * omitted a placeholder.
 */
function isTranslation(segment: TaggedText, translation: TaggedText): boolean {
  const tokens = tokenize(translation);
  if (!tokens || !translation.isWellFormed() || addsControls(segment, translation)) return false;
  const known = new Set(tokenize(segment)?.map(shapeOf));
  const hasWords = tokens.some((token) => token.type === 'words' && token.text.trim() !== '');
  return hasWords && tokens.every((token) => token.type === 'words' || known.has(shapeOf(token)));
}

function shapeOf(token: Token): string {
  return token.type === 'words' ? '' : `${token.type} ${token.id}`;
}

/** Stores verified translations. Copies of the source are skipped, so that a later engine can still translate them. */
export async function remember(
  results: ReadonlyMap<PreparedUnit, AssembledUnit | Failure>,
  { memory, engine: answering, source, target }: SegmentContext,
): Promise<void> {
  if (!memory) return;
  const makers = new Map<string, Promise<string>>();
  const makerOf = (engine: string): Promise<string> => {
    const known = makers.get(engine) ?? nameMaker(answering, engine, { source, target });
    makers.set(engine, known);
    return known;
  };
  const entries: MemoryEntry[] = [];
  for (const [{ remembered }, outcome] of results) {
    if (!remembered || 'failure' in outcome || outcome.missingTerms) continue;
    const { translations, engine } = outcome;
    if (engine === undefined || engine === COPY) continue;
    const { segments, placeholders, category, context } = remembered;
    const maker = await makerOf(engine);
    entries.push({
      segments,
      placeholders,
      category,
      context,
      translations,
      origin: 'machine',
      engine: maker,
    });
  }
  if (entries.length > 0) await memory.store(entries, { source, target });
}

/** The memory stores each name once. Longer names of models are cut. */
const MAX_MODEL = 100;

/** The name in the memory: `openai:gpt-x`. Without the model if it is unknown or there are several engines. */
async function nameMaker(answering: Engine, engine: string, pair: LanguagePair): Promise<string> {
  const model = await answering.modelFor?.(engine, pair).catch(() => undefined);
  return model === undefined
    ? engine
    : `${engine}:${escapeControls(model).slice(0, MAX_MODEL).toWellFormed()}`;
}

/** The engine in a name, and the model if the name has one. */
export function readMaker(name: string): { readonly engine: string; readonly model?: string } {
  const end = name.indexOf(':');
  return end < 0 ? { engine: name } : { engine: name.slice(0, end), model: name.slice(end + 1) };
}
