/** What helps people with a row, and takes longer to find than the row itself. As JSON. */
export interface RowContext {
  /** For each form, the source that its translation was made of, if `madeOf` names one that git's history has. */
  readonly before?: readonly (EarlierSource | null)[] | undefined;
  /** Translations of the memory, for each form. */
  readonly similar?: readonly (readonly SimilarText[])[] | undefined;
  /** Of the glossary, those that occur in a source. */
  readonly terms?: readonly RowTerm[] | undefined;
  /** Names of pictures of places where the text is used, the closest one first. */
  readonly screenshots?: readonly string[] | undefined;
}

/** A term for one language. */
export interface RowTerm {
  readonly term: string;
  /** Those that are accepted, the preferred one first. Empty for a name, which stays as it is. */
  readonly translations: readonly string[];
  readonly isCaseSensitive: boolean;
  readonly note?: string | undefined;
}

/** A source as it was when a translation was made of it. */
export interface EarlierSource {
  readonly text: string;
  /** The developer's note to translators. */
  readonly comment?: string | undefined;
}

/** A translation in the memory, in the notation of the text that it was found for. */
export interface SimilarText {
  readonly source: string;
  readonly translation: string;
  /** From 0.75; 1 is the same text. */
  readonly similarity: number;
}
