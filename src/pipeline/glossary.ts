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
