import type { Formality } from './engine.ts';
import { fallbackCodes } from './fallback.ts';

/** Which one holds for a target language: its own, that of the language without region, or the one for all others. */
export function formalityFor(
  choices: ReadonlyMap<string, Formality> | undefined,
  target: string,
): Formality | undefined {
  if (!choices) return undefined;
  const code = [...fallbackCodes(target), '*'].find((candidate) => choices.has(candidate));
  return code === undefined ? undefined : choices.get(code);
}
