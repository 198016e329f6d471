import { DragomanError } from '../base/errors.ts';
import { throwIfAborted } from '../base/interruption.ts';
import type { DetectRequest } from '../contract/texts.ts';
import { detectLanguage, undetectable } from '../languages/detection.ts';

export interface DetectedLanguage {
  readonly language: string;
  /** 0 to 1: version 1 of the specification returns it. */
  readonly confidence: number;
}

/**
 * Tells the language of the text of a validated request.
 *
 * @throws DragomanError `invalid_request` for a text without a character that can be seen, `unsupported_language`
 *   if it cannot be detected, `interrupted`.
 */
export async function detectHere(
  request: DetectRequest,
  { signal }: { readonly signal: AbortSignal },
): Promise<DetectedLanguage> {
  requireVisibleText(request);
  const { language, confidence } = await detectLanguage(request.text);
  throwIfAborted(signal, 'the detection was interrupted');
  if (language !== undefined) return { language, confidence };
  throw undetectable('Longer texts are easier to detect.');
}

/** @throws DragomanError `invalid_request` for a text of white space. */
export function requireVisibleText({ text }: DetectRequest): void {
  if (text.trim() === '') throw new DragomanError('invalid_request', 'text cannot be empty');
}
