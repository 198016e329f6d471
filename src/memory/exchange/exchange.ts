import type { Position } from '../../base/span.ts';
import type { LanguagePair } from '../../engines/engine.ts';
import type { MemoryOrigin } from '../../pipeline/memory.ts';

/** Why a translation was skipped. */
export type SkipReason =
  /** It is missing: empty, or a guess (PO: fuzzy). */
  | 'untranslated'
  /** Its source has no translatable text. */
  | 'wordless'
  /** It equals the source and is probably not translated yet. */
  | 'copied'
  /** Its source has changed since. */
  | 'outdated'
  /** It lost or broke placeholders, plurals or markup. */
  | 'unsound'
  /** Its structure differs from its source's, so its texts do not correspond to the source's. */
  | 'unaligned'
  /** The language is unknown, or there is no text in the source language. */
  | 'language'
  /** Its content cannot be interpreted. */
  | 'damaged'
  /** The format cannot represent it. */
  | 'unwritable';

/** A translation that was skipped. Every skip is reported. */
export interface Skip {
  readonly reason: SkipReason;
  /** The defect, or the entry's name, for messages. */
  readonly detail: string;
  /** Its place in its file. */
  readonly at?: Position | undefined;
}

export type SkipListener = (skip: Skip) => void;

/** Properties of the translations that the file does not state, and the languages to import. */
export interface ImportOptions {
  /** Canonical. If the file names a source language too, its texts in this language are the sources. */
  readonly source?: string | undefined;
  /**
   * Canonical. Translations into other languages are skipped; `es` accepts those of `es-ES` if the file has none for
   * `es`.
   */
  readonly targets?: readonly string[] | undefined;
  /** The origin of translations, if the file does not state it. */
  readonly origin: MemoryOrigin;
  readonly onSkip: SkipListener;
}

/** The parts that an export may omit. */
export interface ExportOptions {
  readonly onSkip: SkipListener;
  /** Of the program. */
  readonly version: string;
}

/** Files of two columns and catalogues have a single language pair. */
export interface PairExportOptions extends ExportOptions {
  readonly pair: LanguagePair;
}
