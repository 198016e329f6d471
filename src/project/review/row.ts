import type { Key, TranslationState } from '../../formats/format.ts';
import type { BranchRule } from '../../text/choice.ts';
import type { LengthLimit } from '../../text/length-limit.ts';
import type { Syntax } from '../../text/syntax.ts';
import type { Decision } from '../state/decision.ts';
import type { Provenance } from '../state/provenance.ts';
import type { ReviewReason } from '../state/text-counts.ts';

/** One message in one language, as people review it. */
export interface TextRow {
  /** Stable across runs: a digest of the file under which the lock has it, the locale and the key. */
  readonly id: string;
  /** The source file, relative to the root. */
  readonly file: string;
  /** The id of its format. */
  readonly format: string;
  /** Canonical. */
  readonly locale: string;
  /** Of a plural, that of its first form. */
  readonly key: Key;
  /** As people know it: the segments joined by dots, or the text where the format makes the keys. */
  readonly name: string;
  /** In the translation, or in the source of a missing one. */
  readonly line: number;
  /** The developer's note to translators. */
  readonly comment?: string | undefined;
  /** One, or one for each plural category. Never empty. */
  readonly forms: readonly TextForm[];
  readonly state: TranslationState;
  readonly needsReview?: ReviewReason | undefined;
  /** With its note as somebody wrote it. */
  readonly decision?: Decision | undefined;
  /** The source text that the translation was made of, if it was another one and its file has it. */
  readonly sourceBefore?: string | undefined;
  readonly provenance?: Provenance | undefined;
  readonly limit?: LengthLimit | undefined;
  /** Every form equals its source. */
  readonly isUnchanged?: true | undefined;
}

export interface TextForm {
  /** CLDR category; undefined if the message is not a plural. */
  readonly category?: string | undefined;
  /** Numbers that select the category in this language; empty if no everyday number does. */
  readonly examples?: readonly number[] | undefined;
  readonly source: string;
  /** The fingerprint of the source, with comment and category. */
  readonly sourceHash: string;
  /** The fingerprint of the source that the translation was made of, if the lock shows that it was another one. */
  readonly madeOf?: string | undefined;
  /** Source texts one of which the translation has to match. Default: {@link source}. */
  readonly accepted?: readonly string[] | undefined;
  readonly syntax: Syntax;
  readonly rule?: BranchRule | undefined;
  /** With the links of the source; undefined if missing. */
  readonly translation?: string | undefined;
  /** The fingerprint of the value in the file; empty without one. */
  readonly base: string;
  readonly findings: readonly Finding[];
}

export interface Finding {
  readonly message: string;
  /** An error refuses the text; a warning wants to be confirmed. */
  readonly isError: boolean;
}
