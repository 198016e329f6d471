import * as v from 'valibot';
import { languagesResponse, translateRequest } from './texts.ts';

/** Version 1. What the specification does not show of it is as in version 2. */
export const translateRequestV1 = translateRequest;

export const translateResponseV1 = v.object({
  translation: v.string(),
  source: v.string(),
  target: v.string(),
});
export type TranslateResponseV1 = v.InferOutput<typeof translateResponseV1>;

export const detectResponseV1 = v.object({
  language: v.string(),
  confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
});
export type DetectResponseV1 = v.InferOutput<typeof detectResponseV1>;

export const languagesResponseV1 = languagesResponse;
