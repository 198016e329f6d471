import { DragomanError } from '../base/errors.ts';
import { languageOf, parseLocale } from './locale.ts';
import { suggestLanguages } from './suggestion.ts';
import { languageRows, variantRows } from './table.ts';
import type { LanguageRow } from './table.ts';

export interface Language {
  /** Canonical: see `parseLocale`. */
  readonly code: string;
  /** In English, and no two languages have the same. */
  readonly name: string;
  /** The language's name in itself, where the list has it. */
  readonly endonym?: string;
}

const languages: readonly Language[] = [...languageRows, ...variantRows]
  .map(([code, name, endonym]: LanguageRow) =>
    endonym === undefined ? { code, name } : { code, name, endonym },
  )
  .sort((a, b) => (a.code < b.code ? -1 : 1));

const byCode: ReadonlyMap<string, Language> = new Map(languages.map((language) => [language.code, language]));

/**
 * The languages that have a name here, ordered by code. Any other region or script of one of them (`fr-LU`) is
 * accepted as well: {@link requireLanguage}. Whether it can be translated is the engine's to say.
 */
export function supportedLanguages(): readonly Language[] {
  return languages;
}

/** The English name of a canonical code; that of its language, with the code, for a variant without a name. */
export function languageName(code: string): string {
  const named = byCode.get(code);
  if (named) return named.name;
  const language = byCode.get(languageOf(code));
  return language ? `${language.name} (${code})` : code;
}

/**
 * The canonical code of a language given in any spelling.
 *
 * @param hint where the codes are; by default the hint of the error lists all of them
 * @throws DragomanError `unsupported_language` for an unknown code and for `auto`
 */
export function requireLanguage(code: string, hint?: string): string {
  if (byCode.has(code)) return code;
  const canonical = parseLocale(code);
  if (canonical !== undefined) return canonical;
  const shown = JSON.stringify(code.length > 40 ? `${code.slice(0, 40)}…` : code);
  if (code === 'auto') {
    throw new DragomanError(
      'unsupported_language',
      '"auto" can be a source only: a definite language is needed here',
    );
  }
  const meant = suggestLanguages(code).map((other) => `"${other}" (${languageName(other)})`);
  const question = meant.length === 0 ? '' : `; did you mean ${meant.join(' or ')}?`;
  throw new DragomanError('unsupported_language', `unsupported language ${shown}${question}`, {
    hint: hint ?? `supported languages: ${languages.map((language) => language.code).join(', ')}`,
  });
}
