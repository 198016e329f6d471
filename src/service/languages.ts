import { DragomanError } from '../base/errors.ts';
import { throwIfAborted } from '../base/interruption.ts';
import type { DetectRequest } from '../contract/texts.ts';
import type { LanguagePair } from '../engines/engine.ts';
import { languageName, requireLanguage, supportedLanguages } from '../languages/catalog.ts';
import { detectLanguage, detectTexts, undetectable } from '../languages/detection.ts';

export interface DetectedLanguage {
  readonly language: string;
  /** 0 to 1; only returned by version 1 of the specification. */
  readonly confidence: number;
}

/**
 * Detects the language of a validated request's text.
 *
 * @throws DragomanError `invalid_request` for a text without visible characters, `unsupported_language` if it cannot be
 * detected, `interrupted`
 */
export async function detectLocally(
  request: DetectRequest,
  { signal }: { readonly signal: AbortSignal },
): Promise<DetectedLanguage> {
  requireVisibleText(request);
  if (!hasLetters(request.text)) return { language: 'und', confidence: 0 };
  const { language, confidence } = await detectLanguage(request.text);
  throwIfAborted(signal, 'the detection was interrupted');
  if (language !== undefined) return { language, confidence };
  throw undetectable('Longer texts are easier to detect.');
}

/** Texts such as `1` and `?` have no language: their code is `und`. */
export function hasLetters(text: string): boolean {
  return /\p{L}/u.test(text);
}

/** @throws DragomanError `invalid_request` for an invisible text */
export function requireVisibleText({ text }: DetectRequest): void {
  if (text.trim() === '') throw new DragomanError('invalid_request', 'text cannot be empty');
}

/** Maps display names to codes, for every language on either side of a pair and for `auto`. */
export function nameLanguages(pairs: 'any' | readonly LanguagePair[]): Record<string, string> {
  const codes =
    pairs === 'any'
      ? supportedLanguages().map(({ code }) => code)
      : [...new Set(pairs.flatMap(({ source, target }) => [source, target]))].sort();
  const names: Record<string, string> = { 'Auto-detect': 'auto' };
  for (const code of codes) names[languageName(code)] = code;
  return names;
}

/** The requested code; undefined for `auto`. @throws DragomanError `unsupported_language` */
export function namedSource(code: string): string | undefined {
  return code === 'auto' ? undefined : requireLanguage(code);
}

/** The evidence for the language of a document. */
export interface LanguageEvidence {
  /** The language that the document declares, canonical. */
  readonly declared?: string | undefined;
  readonly texts: readonly string[];
}

/**
 * The source language of a document: the requested one, otherwise the one it declares, otherwise the one detected from
 * all its texts.
 *
 * @throws DragomanError `unsupported_language` for an unknown name, and if the language cannot be detected
 */
export async function documentSource(code: string, read: () => LanguageEvidence): Promise<string> {
  const named = namedSource(code);
  if (named !== undefined) return named;
  const { declared, texts } = read();
  if (declared !== undefined) return declared;
  const { language } = await detectTexts(texts);
  if (language !== undefined) return language;
  // Without a letter, no engine is needed.
  if (!texts.some(hasLetters)) return 'und';
  throw undetectable('Name the source language.');
}
