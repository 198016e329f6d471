import type { Position } from '../../base/span.ts';
import type { LanguagePair } from '../../engines/engine.ts';
import type { MemoryOrigin } from '../../pipeline/memory.ts';

/** Why a translation was skipped. */
export type SkipReason =
  /** The translation is missing: empty, or a guess (PO: fuzzy). */
  | 'untranslated'
  /** The source has no translatable text. */
  | 'wordless'
  /** The translation equals the source and is probably not translated yet. */
  | 'copied'
  /** The source has changed since. */
  | 'outdated'
  /** The translation lost or broke placeholders, plurals or markup. */
  | 'unsound'
  /** The structures differ, so texts cannot be matched to their sources. */
  | 'unaligned'
  /** The language is unknown, or there is no text in the source language. */
  | 'language'
  /** The content cannot be interpreted. */
  | 'damaged'
  /** The format cannot represent it. */
  | 'unwritable';

/** A translation that was skipped. Every skip is reported. */
export interface Skip {
  readonly reason: SkipReason;
  /** The defect, or the entry's name, for messages. */
  readonly detail: string;
  /** The position in the file. */
  readonly at?: Position | undefined;
}

export type SkipListener = (skip: Skip) => void;

/** The languages to import, and properties that the file does not state. */
export interface MemoryImportOptions {
  /** Canonical. Texts in this language are the sources, even if the file declares a different source language. */
  readonly source?: string | undefined;
  /**
   * Canonical. Translations into other languages are skipped; `es` accepts translations into `es-ES` if the file has
   * none into `es`.
   */
  readonly targets?: readonly string[] | undefined;
  /** The origin of translations, if the file does not state it. */
  readonly origin: MemoryOrigin;
  readonly onSkip: SkipListener;
}

/** The options of an export in any format. */
export interface ExportOptions {
  readonly onSkip: SkipListener;
  /** The version of this program. */
  readonly version: string;
}

/** Tables with two columns and catalogues have a single language pair. */
export interface PairExportOptions extends ExportOptions {
  readonly pair: LanguagePair;
}
