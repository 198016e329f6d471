import type { LanguagePair } from '../engines/engine.ts';
import { languageName, supportedLanguages } from '../languages/catalog.ts';

/** Display name to code of every language on either side of a pair, with an entry for `auto`. */
export function nameLanguages(pairs: 'any' | readonly LanguagePair[]): Record<string, string> {
  const codes =
    pairs === 'any'
      ? supportedLanguages().map(({ code }) => code)
      : [...new Set(pairs.flatMap(({ source, target }) => [source, target]))].sort();
  const names: Record<string, string> = { 'Auto-detect': 'auto' };
  for (const code of codes) names[languageName(code)] = code;
  return names;
}
