import type { RequiredTerm } from '../../engines/engine.ts';

/** What to tell people of a term that a translation does not have. */
export function missingTermText({ term, translation }: RequiredTerm): string {
  return term === translation
    ? `${JSON.stringify(term)} is missing`
    : `${JSON.stringify(term)} is not translated as ${JSON.stringify(translation)}`;
}
