import type { Key, TranslationState } from '../../formats/format.ts';
import type { BranchRule } from '../../text/choice.ts';
import type { LengthLimit } from '../../text/length-limit.ts';
import type { Syntax } from '../../text/syntax.ts';
import type { Decision } from '../state/decision.ts';
import type { Provenance } from '../state/provenance.ts';
import type { ReviewReason } from '../state/text-counts.ts';

/** One message in one language, as people review it. */
export interface TextRow {
  /** Stable across runs: a digest of the file name in the lock, the locale and the key. */
  readonly id: string;
  /** The source file, relative to the root. */
  readonly file: string;
  /** The id of the file's format. */
  readonly format: string;
  /** Canonical. */
  readonly locale: string;
  /** For a plural, the key of its first form. */
  readonly key: Key;
  /** The name that people know: the segments joined by dots, or the text if the format generates keys. */
  readonly name: string;
  /** In the translation or, if it is missing, in the source. */
  readonly line: number;
  /** The developer's note to translators. */
  readonly comment?: string | undefined;
  /** One form, or one per plural category. Never empty. */
  readonly forms: readonly TextForm[];
  readonly state: TranslationState;
  readonly needsReview?: ReviewReason | undefined;
  /** With its note as written in the lock. */
  readonly decision?: Decision | undefined;
  /** The source text that was translated, if it has changed and the file contains it. */
  readonly sourceBefore?: string | undefined;
  readonly provenance?: Provenance | undefined;
  readonly limit?: LengthLimit | undefined;
  /** Set if every form equals its source. */
  readonly isUnchanged?: true | undefined;
}

export interface TextForm {
  /** CLDR category; undefined if the message is not a plural. */
  readonly category?: string | undefined;
  /** Numbers that select the category in this language; empty if no common number does. */
  readonly examples?: readonly number[] | undefined;
  readonly source: string;
  /** The fingerprint of the source, with comment and category. */
  readonly sourceHash: string;
  /** The fingerprint of the source that was translated, if the lock shows that it was a different one. */
  readonly madeOf?: string | undefined;
  /**
   * Set if dragoman translated it from a different source: `sync` replaces it, unless somebody approves or changes it.
   */
  readonly isStale?: true | undefined;
  /** Source texts, one of which the translation must match. Default: {@link source}. */
  readonly accepted?: readonly string[] | undefined;
  readonly syntax: Syntax;
  readonly rule?: BranchRule | undefined;
  /** With the links of the source; undefined if missing. */
  readonly translation?: string | undefined;
  /** The fingerprint of the value in the file; empty without a value. */
  readonly base: string;
  readonly findings: readonly RowFinding[];
}

export interface RowFinding {
  readonly message: string;
  /** Whether the text cannot be saved. Otherwise, the finding is a warning, and the user can confirm the text. */
  readonly isError: boolean;
}
