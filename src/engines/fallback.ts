import { languageOf, sameLanguage } from '../languages/locale.ts';

/**
 * What may stand in for a code, itself first: `fr-CA` → `fr`, `pt-BR` → `pt`, `en-US` → `en`. A code that implies
 * another script has no stand-in: `zh-TW` is not written like `zh`, `sr-Latn` not like `sr`.
 */
export function fallbackCodes(code: string): readonly string[] {
  const language = languageOf(code);
  return language !== code && sameLanguage(code, language) ? [code, language] : [code];
}
