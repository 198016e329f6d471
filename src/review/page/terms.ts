import { missingInValue, type Terms, termsFor } from '../../pipeline/terms/terms.ts';
import type { Row, RowTerm } from '../protocol.ts';

/** A term that a translation lacks, in the spelling of the source. */
export type MissingTerm = ReturnType<Terms['missingIn']>[number];

/** Finds a row's terms in its translations, by the rules of `lint`. */
export function termsOfRow(terms: readonly RowTerm[], source: string, locale: string): Terms | undefined {
  if (terms.length === 0) return undefined;
  const all = terms.map(({ term, translations, isCaseSensitive, note }) => ({
    term,
    translations: new Map(translations.length > 0 ? [[locale, translations]] : []),
    doNotTranslate: translations.length === 0,
    caseSensitive: isCaseSensitive,
    note,
  }));
  return termsFor({ terms: all }, source, locale);
}

/** The terms that a translation lacks, form by form. If a translation has no words yet, no terms are missing. */
export function missingIn(
  terms: Terms,
  { forms, locale }: Row,
  values: readonly string[],
): readonly (readonly MissingTerm[])[] {
  return forms.map(({ source, syntax }, i) => {
    const value = values[i] ?? '';
    return value.trim() === ''
      ? []
      : missingInValue(terms, { value: source, syntax }, { value, syntax }, locale);
  });
}

/** Whether a term is among the missing ones. A missing name is spelled as in its source. */
export function isAmong({ term, isCaseSensitive }: RowTerm, missing: readonly MissingTerm[]): boolean {
  const fold = (text: string): string => (isCaseSensitive ? text : text.toLowerCase());
  return missing.some((one) => fold(one.term) === fold(term));
}
