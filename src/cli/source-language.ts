import { DragomanError } from '../base/errors.ts';
import { detectTexts } from '../languages/detection.ts';

/**
 * The definite source language: what was asked for, or what the texts together are in.
 *
 * @throws DragomanError `unsupported_language` when `auto` finds no language.
 */
export async function resolveSource(source: string, texts: readonly string[], what: string): Promise<string> {
  if (source !== 'auto') return source;
  const { language } = await detectTexts(texts);
  if (language !== undefined) return language;
  throw new DragomanError('unsupported_language', `cannot tell the language of ${what}`, {
    hint: 'Name it with -s, such as -s en.',
  });
}
