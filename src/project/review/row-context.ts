/** Information that helps people with a row, and takes longer to find than the row itself. Serialized as JSON. */
export interface RowContext {
  /** For each form, the source that was translated, if `madeOf` names one in git's history. */
  readonly before?: readonly (EarlierSource | null)[] | undefined;
  /** For each form, translations from the memory. */
  readonly similar?: readonly (readonly SimilarText[])[] | undefined;
  /** Glossary terms that occur in a source. */
  readonly terms?: readonly RowTerm[] | undefined;
  /** Names of screenshots of places that show the text, closest first. */
  readonly screenshots?: readonly string[] | undefined;
}

/** A term for one language. */
export interface RowTerm {
  readonly term: string;
  /** Accepted translations, preferred first. Empty for a name that stays unchanged. */
  readonly translations: readonly string[];
  readonly isCaseSensitive: boolean;
  readonly note?: string | undefined;
}

/** An earlier version of a source, from which the translation was made. */
export interface EarlierSource {
  readonly text: string;
  /** The developer's note to translators. */
  readonly comment?: string | undefined;
}

/** A translation in the memory, in the notation of the text for which it was found. */
export interface SimilarText {
  readonly source: string;
  readonly translation: string;
  /** At least 0.75; 1 for the same text. */
  readonly similarity: number;
}
