/** The words that a project has its own mind about. */
export interface Glossary {
  readonly terms: readonly GlossaryTerm[];
}

export interface GlossaryTerm {
  /** In the source language, one word or several. */
  readonly term: string;
  /**
   * By canonical language code, what has to stand in a translation, the preferred first; any of them will do. A code
   * without region holds for its regions too.
   */
  readonly translations: ReadonlyMap<string, readonly string[]>;
  /** It is the same in every language: a name. */
  readonly doNotTranslate: boolean;
  /** Whether the term is only meant when it is written exactly so. */
  readonly caseSensitive: boolean;
  /** For translators and models: what it means. */
  readonly note?: string | undefined;
}

/** As text, for {@link readGlossary}. */
export function writeGlossary({ terms }: Glossary): string {
  return JSON.stringify(terms.map((term) => ({ ...term, translations: [...term.translations] })));
}

/** @param text that {@link writeGlossary} wrote, maybe by another version of the program */
export function readGlossary(text: string): Glossary {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is written above
  const terms = JSON.parse(text) as readonly (Omit<GlossaryTerm, 'translations'> & {
    readonly translations: readonly [string, readonly string[]][];
  })[];
  return { terms: terms.map((term) => ({ ...term, translations: new Map(term.translations) })) };
}

/**
 * One glossary over another: a term that is in both has the translations of `over`, and those of `under` into other
 * languages. Where they do not agree whether it is a name, or whether its case counts, all is as `over` says.
 */
export function joinGlossaries(over: Glossary, under: Glossary | undefined): Glossary {
  if (!under) return over;
  const below = new Map(under.terms.map((term) => [spellingOf(term), term]));
  const joined = over.terms.map((term) => {
    const other = below.get(spellingOf(term));
    const isSame =
      other?.doNotTranslate === term.doNotTranslate && other.caseSensitive === term.caseSensitive;
    if (!isSame) return term;
    return { ...term, translations: new Map([...other.translations, ...term.translations]) };
  });
  const above = new Set(over.terms.map(spellingOf));
  return { terms: [...joined, ...under.terms.filter((term) => !above.has(spellingOf(term)))] };
}

/** Terms that differ in their case only compete for the same words. */
function spellingOf({ term }: GlossaryTerm): string {
  return term.normalize('NFC').replace(/\s+/g, ' ').toLowerCase();
}
