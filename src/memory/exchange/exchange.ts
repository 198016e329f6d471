import type { Position } from '../../base/span.ts';
import type { LanguagePair } from '../../engines/engine.ts';
import type { MemoryOrigin } from '../../pipeline/memory.ts';

/** Why a translation did not go where it was to go. */
export type SkipReason =
  /** There is none: an empty one, or a guess (PO: fuzzy). */
  | 'untranslated'
  /** Nothing in its source is to be translated. */
  | 'wordless'
  /** The translation equals the source: it is probably not translated yet. */
  | 'copied'
  /** Its source has changed since. */
  | 'outdated'
  /** It lost or broke placeholders, plurals or markup. */
  | 'unsound'
  /** It is built in another way than its source, so that its texts are no translations of the source's texts. */
  | 'unaligned'
  /** A language that is not known, or no text in the source language. */
  | 'language'
  /** Its content cannot be interpreted. */
  | 'damaged'
  /** The format has no way to write it. */
  | 'unwritable';

/** A translation that was skipped. Every skip is reported. */
export interface Skip {
  readonly reason: SkipReason;
  /** The defect, or the entry's name, for people. */
  readonly detail: string;
  /** Its place in its file. */
  readonly at?: Position | undefined;
}

export type SkipListener = (skip: Skip) => void;

/** Properties of the translations that the file does not state, and the languages to import. */
export interface ImportOptions {
  /** Canonical. Where the file names a source language too, its texts in this one are the sources. */
  readonly source?: string | undefined;
  /**
   * Canonical. Translations into other languages are skipped; `es` accepts those of `es-ES` where the file has none
   * for `es`.
   */
  readonly targets?: readonly string[] | undefined;
  /** Who made the translations, where the file itself does not say. */
  readonly origin: MemoryOrigin;
  readonly onSkip: SkipListener;
}

/** What an export may leave out. */
export interface ExportOptions {
  readonly onSkip: SkipListener;
  /** Of the program. */
  readonly version: string;
}

/** Files of two columns or catalogs have one pair of languages. */
export interface PairExportOptions extends ExportOptions {
  readonly pair: LanguagePair;
}
