import { isObject } from '../base/json.ts';
import * as v from 'valibot';
import { MAX_CODE, count, languageCode, textField } from './validation.ts';
import { MAX_TEXT, MAX_TEXTS } from './limits.ts';

const languages = { source: languageCode, target: languageCode };

export const translateRequest = v.object({ text: textField(MAX_TEXT), ...languages });
export type TranslateRequest = v.InferOutput<typeof translateRequest>;

/** A translation result. `source` is the requested language or, for `auto`, the detected one. */
export const translation = v.object({
  text: v.string(),
  translation: v.string(),
  ...languages,
});

export const translateResponse = v.object({
  translations: translation,
  details: v.record(v.string(), v.unknown()),
});
export type TranslateResponse = v.InferOutput<typeof translateResponse>;

/**
 * The length limit applies to each entry: one that is too long fails alone, and an empty one has an empty translation.
 */
export const batchRequest = v.object({
  texts: v.pipe(
    v.array(v.string()),
    v.minLength(1, 'must have at least one entry'),
    v.maxLength(MAX_TEXTS, `cannot have more than ${MAX_TEXTS} entries`),
  ),
  ...languages,
});
export type BatchRequest = v.InferOutput<typeof batchRequest>;

/** `error` explains why an entry failed; then `translation` repeats the text. */
export const batchItem = v.object({
  ...translation.entries,
  success: v.boolean(),
  error: v.optional(v.string()),
});
export type BatchItem = v.InferOutput<typeof batchItem>;

export const batchResponse = v.object({
  translations: v.array(batchItem),
  total: count,
  successful: count,
  failed: count,
});
export type BatchResponse = v.InferOutput<typeof batchResponse>;

/**
 * Whether a value is a batch answer with exactly the fields of the schema, like most answers. This check takes a
 * fraction of the time of full validation, the main cost of an answer for a client. If it fails, the schema decides.
 */
export function isPlainBatch(value: unknown): value is BatchResponse {
  if (!isObject(value) || !hasFields(value, 4)) return false;
  const { translations, total, successful, failed } = value;
  return (
    [total, successful, failed].every(isCount) &&
    Array.isArray(translations) &&
    translations.every(isPlainItem)
  );
}

function isPlainItem(item: unknown): boolean {
  if (!isObject(item)) return false;
  const { text, translation: translated, source, target, success, error } = item;
  return (
    typeof text === 'string' &&
    typeof translated === 'string' &&
    isCode(source) &&
    isCode(target) &&
    typeof success === 'boolean' &&
    (error === undefined ? hasFields(item, 5) : typeof error === 'string' && hasFields(item, 6))
  );
}

function hasFields(value: object, count: number): boolean {
  let fields = 0;
  for (const _ in value) if (++fields > count) return false;
  return fields === count;
}

function isCode(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= MAX_CODE;
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}

export const detectRequest = v.object({ text: textField(MAX_TEXT) });
export type DetectRequest = v.InferOutput<typeof detectRequest>;

export const detectResponse = v.object({
  language_detection: v.object({ text: v.string(), language: v.string() }),
});

/** Display name to code, with an entry for `auto`. */
export const languagesResponse = v.object({
  supported_languages: v.record(v.string(), v.string()),
});

/** Version 1. Parts that the specification does not show, such as its requests, follow version 2. */
export const translateResponseV1 = v.object({
  translation: v.string(),
  source: v.string(),
  target: v.string(),
});

export const detectResponseV1 = v.object({
  language: v.string(),
  confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
});
