/** Terms that a project translates in a fixed way. */
export interface Glossary {
  readonly terms: readonly GlossaryTerm[];
}

export interface GlossaryTerm {
  /** One or several words in the source language. */
  readonly term: string;
  /**
   * The accepted translations by canonical language code, the preferred one first. A code without region applies to its
   * regions too.
   */
  readonly translations: ReadonlyMap<string, readonly string[]>;
  /** Whether the term is a name, which is the same in every language. */
  readonly doNotTranslate: boolean;
  /** Whether the term only matches with exactly this case. */
  readonly caseSensitive: boolean;
  /** The term's meaning, for translators and models. */
  readonly note?: string | undefined;
}

/** Serializes a glossary for {@link readGlossary}. */
export function writeGlossary({ terms }: Glossary): string {
  return JSON.stringify(terms.map((term) => ({ ...term, translations: [...term.translations] })));
}

/** @param text from {@link writeGlossary}, possibly of another version of the program */
export function readGlossary(text: string): Glossary {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by writeGlossary
  const terms = JSON.parse(text) as readonly (Omit<GlossaryTerm, 'translations'> & {
    readonly translations: readonly [string, readonly string[]][];
  })[];
  return { terms: terms.map((term) => ({ ...term, translations: new Map(term.translations) })) };
}

/**
 * Merges two glossaries: a term in both has the translations of `over`, and those of `under` into other languages. If
 * they disagree on whether it is a name or case-sensitive, `over` takes precedence.
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

/** Terms that differ only in case compete for the same words. */
export function spellingOf({ term }: Pick<GlossaryTerm, 'term'>): string {
  return term.normalize('NFC').replace(/\s+/g, ' ').toLowerCase();
}
