import { undetectable } from '../languages/detection.ts';
import { countCodePoints } from '../base/code-points.ts';
import { DragomanError } from '../base/errors.ts';
import { throwIfAborted } from '../base/interruption.ts';
import { MAX_TEXT } from '../contract/limits.ts';
import type {
  BatchItem,
  BatchRequest,
  BatchResponse,
  TranslateRequest,
  TranslateResponse,
} from '../contract/texts.ts';
import { requireLanguage } from '../languages/catalog.ts';
import type { FailureKind, SegmentContext, UnitOutcome } from '../pipeline/unit.ts';
import { translateUnits } from '../pipeline/units.ts';
import { parseMessage } from '../text/message.ts';
import { detectEach } from './batch-languages.ts';
import type { CallOptions } from './service.ts';
import { namedSource } from './languages.ts';
import { addTo } from '../base/map-of-lists.ts';

export type TextContext = Omit<SegmentContext, 'source' | 'target'> & Pick<CallOptions, 'around'>;

/** The result for one text. `source` stays `auto` if its language was neither found nor needed. */
type TextOutcome = { readonly source: string } & (
  | { readonly value: string }
  | {
      readonly failure: string;
      readonly kind: FailureKind | 'unavailable';
      readonly error?: DragomanError | undefined;
    }
);

/** @throws DragomanError if the text has no translation */
export async function translateLocally(
  request: TranslateRequest,
  context: TextContext,
): Promise<TranslateResponse> {
  const { text } = request;
  const target = requireLanguage(request.target);
  const [outcome] = await translateTexts([text], namedSource(request.source), target, context);
  throwIfAborted(context.signal);
  if (!outcome || 'failure' in outcome) throw failureOf(outcome);
  return { translations: { text, translation: outcome.value, source: outcome.source, target }, details: {} };
}

function failureOf(outcome: Extract<TextOutcome, { failure: string }> | undefined): DragomanError {
  if (outcome?.error) return outcome.error;
  const reason = outcome?.failure ?? 'no outcome';
  const code = outcome?.kind === 'malformed-source' ? 'invalid_request' : 'engine_failed';
  return new DragomanError(code, `the text could not be translated: ${reason}`);
}

/** One item per text, in order; a text that fails is an item without success. */
export async function translateBatchLocally(
  request: BatchRequest,
  context: TextContext,
): Promise<BatchResponse> {
  const { texts } = request;
  const target = requireLanguage(request.target);
  const short = texts.filter((text) => !isTooLong(text));
  const outcomes = await translateTexts(short, namedSource(request.source), target, context);
  throwIfAborted(context.signal);
  const errors = outcomes.map((outcome) => ('failure' in outcome ? outcome.error : undefined));
  // If all texts fail because of an unsupported pair, the whole call fails.
  const [error] = errors;
  if (error && errors.every((other) => other !== undefined)) throw error;
  const remaining = outcomes.values();
  const translations = texts.map((text): BatchItem => {
    const outcome = isTooLong(text) ? { source: request.source, failure: TOO_LONG } : remaining.next().value;
    const { source, ...rest } = outcome ?? { source: request.source, failure: 'no outcome' };
    return 'failure' in rest
      ? { text, translation: text, source, target, success: false, error: rest.failure }
      : { text, translation: rest.value, source, target, success: true };
  });
  const successful = translations.filter(({ success }) => success).length;
  return { translations, total: texts.length, successful, failed: texts.length - successful };
}

const isTooLong = (text: string): boolean => countCodePoints(text, MAX_TEXT) > MAX_TEXT;

const TOO_LONG = `the text cannot be longer than ${MAX_TEXT.toLocaleString('en')} characters`;

/** Translates texts from the requested language or, without one, each from its detected language. */
function translateTexts(
  texts: readonly string[],
  named: string | undefined,
  target: string,
  context: TextContext,
): Promise<readonly TextOutcome[]> {
  if (named === undefined) return translateDetected(texts, target, context);
  return translateGroup(texts, named, target, context).then((found) =>
    found.map((outcome) => Object.assign({ source: named }, outcome)),
  );
}

async function translateDetected(
  texts: readonly string[],
  target: string,
  context: TextContext,
): Promise<readonly TextOutcome[]> {
  const sources = await detectEach(texts, context.around);
  const outcomes = new Map<number, TextOutcome>();
  const groups = new Map<string, number[]>();
  for (const [i, source] of sources.entries()) {
    const group = source ?? 'auto';
    addTo(groups, group, i);
  }
  for (const [source, members] of groups) {
    const group = members.map((i) => texts[i] ?? '');
    const found = await translateGroup(group, source, target, context);
    for (const [at, i] of members.entries()) {
      const outcome = found[at];
      if (outcome) outcomes.set(i, { source, ...outcome });
    }
  }
  return texts.map((_, i) => outcomes.get(i) ?? { source: 'auto', failure: 'no outcome', kind: 'engine' });
}

type GroupOutcome =
  UnitOutcome | { readonly failure: string; readonly kind: 'unavailable'; readonly error: DragomanError };

async function translateGroup(
  texts: readonly string[],
  source: string,
  target: string,
  context: TextContext,
): Promise<readonly GroupOutcome[]> {
  const unavailable = (error: DragomanError): readonly GroupOutcome[] =>
    texts.map((value) =>
      hasWords(value, target) ? { failure: error.message, kind: 'unavailable', error } : { value },
    );
  if (source === 'auto') return unavailable(undetectable('Name the source language.'));
  try {
    const units = texts.map((value) => ({ value, syntax: 'plain' as const }));
    // The spread is last because each property after it makes V8 move the object.
    return await translateUnits(units, { source, target, ...context });
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== 'engine_unavailable') throw error;
    return unavailable(error);
  }
}

function hasWords(text: string, target: string): boolean {
  const message = parseMessage(text, 'plain');
  return message.problem !== undefined || message.segments(target).length > 0;
}
