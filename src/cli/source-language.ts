import { DragomanError } from '../base/errors.ts';
import { detectTexts } from '../languages/detection.ts';

/**
 * The definite source language: the one that was named, or what the texts together are in.
 *
 * @throws DragomanError `unsupported_language` when no language is found.
 */
export async function resolveSource(
  named: string | undefined,
  texts: readonly string[],
  what: string,
): Promise<string> {
  if (named !== undefined) return named;
  const { language } = await detectTexts(texts);
  if (language !== undefined) return language;
  throw new DragomanError('unsupported_language', `cannot tell the language of ${what}`, {
    hint: 'Name it with -s, such as -s en.',
  });
}
