import type { Position } from '../../base/span.ts';
import type { LanguagePair } from '../../engines/engine.ts';
import type { MemoryOrigin } from '../../pipeline/memory.ts';

/** Why a translation did not go where it was to go. */
export type SkipReason =
  /** There is none: an empty one, or a guess (PO: fuzzy). */
  | 'untranslated'
  /** Nothing in its source is to be translated. */
  | 'wordless'
  /** It is the source itself: more often one that nobody has translated yet. */
  | 'copied'
  /** Its source has changed since. */
  | 'outdated'
  /** It lost or broke placeholders, plurals or markup. */
  | 'unsound'
  /** It is built in another way than its source, so that its texts are no translations of the source's texts. */
  | 'unaligned'
  /** A language that is not known, or no text in the source language. */
  | 'language'
  /** What stands there makes no sense. */
  | 'damaged'
  /** The format has no way to write it. */
  | 'unwritable';

/** A translation that was left out: said, never silent. */
export interface Skip {
  readonly reason: SkipReason;
  /** What is wrong, or which one it is, for people. */
  readonly detail: string;
  /** Where it stands in its file. */
  readonly at?: Position | undefined;
}

export type SkipListener = (skip: Skip) => void;

/** What a file does not say about its translations, and which of them are wanted. */
export interface ImportOptions {
  /** Canonical. Where the file names a source language too, its texts in this one are the sources. */
  readonly source?: string | undefined;
  /** Canonical. Translations into others are not taken; `es` takes those of `es-ES` where there are none of its own. */
  readonly targets?: readonly string[] | undefined;
  /** Who made the translations; what the file itself says goes before. */
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
