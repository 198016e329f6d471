import * as v from 'valibot';
import { count, languageCode, textField } from './fields.ts';
import { MAX_TEXT, MAX_TEXTS } from './limits.ts';

const languages = { source: languageCode, target: languageCode };

export const translateRequest = v.object({ text: textField(MAX_TEXT), ...languages });
export type TranslateRequest = v.InferOutput<typeof translateRequest>;

/** A translation result. `source` is what was asked for or, for `auto`, what was detected. */
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
 * The length of an entry is a matter of that entry: one that is too long fails alone, and an empty one has an empty
 * translation.
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

/** `error` says why an entry failed; its `translation` is the text itself then. */
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

export const detectRequest = v.object({ text: textField(MAX_TEXT) });
export type DetectRequest = v.InferOutput<typeof detectRequest>;

export const detectResponse = v.object({
  language_detection: v.object({ text: v.string(), language: v.string() }),
});
export type DetectResponse = v.InferOutput<typeof detectResponse>;

/** Display name to code, with an entry for `auto`. */
export const languagesResponse = v.object({
  supported_languages: v.record(v.string(), v.string()),
});
export type LanguagesResponse = v.InferOutput<typeof languagesResponse>;
