import type { DragomanError, ErrorCode } from '../base/errors.ts';
import type { Engine, Formality, RequiredTerm } from '../engines/engine.ts';
import type { Key } from '../formats/format.ts';
import type { BranchRule } from '../text/choice.ts';
import type { LengthLimit } from '../text/length-limit.ts';
import type { Syntax } from '../text/syntax.ts';
import type { TaggedText } from '../text/tagged.ts';
import type { Glossary } from './glossary.ts';
import type { MemoryMessage, MemoryOrigin, TranslationMemory } from './memory.ts';

/** A value to translate. Each form of a plural is a unit. */
export interface Unit {
  readonly value: string;
  readonly syntax: Syntax;
  /** The rule of the application that displays the value: see `parseMessage`. */
  readonly rule?: BranchRule | undefined;
  /**
   * All source forms of its plural message. The translation may use the placeholders of any of them: a form for the
   * number 1 may write it as a word.
   */
  readonly forms?: readonly string[] | undefined;
  readonly context?: UnitContext | undefined;
  /**
   * A service's translation of the whole value, if it has already been requested. If the translation fails
   * verification, the engine is used.
   */
  readonly answer?: string | undefined;
}

/** The place of a value, for the memory and for engines that use it. */
export interface UnitContext {
  readonly key: Key;
  /** The plural category, if the value is a plural form. */
  readonly category?: string | undefined;
  /** The developer's note to translators. */
  readonly comment?: string | undefined;
  /** How long the translation may be. */
  readonly limit?: LengthLimit | undefined;
  /** The source values around this one in its file. */
  readonly neighbours?: readonly string[] | undefined;
}

/** The result of one unit. */
export type UnitOutcome = TranslatedUnit | Failure;

export interface TranslatedUnit {
  readonly value: string;
  /** The engine that translated it; several joined by plus signs. Absent if none was used. */
  readonly engine?: string | undefined;
  /** Set if the translation comes from the memory: its origin there. */
  readonly memory?: MemoryOrigin | undefined;
  /** Glossary terms of the source that the value lacks. */
  readonly missingTerms?: readonly RequiredTerm[] | undefined;
}

export interface Failure {
  /** One sentence for the user. */
  readonly failure: string;
  readonly kind: FailureKind;
  /** The engine's error, unless the unit caused it. */
  readonly error?: DragomanError | undefined;
}

/** The error code of a failed unit's request; undefined if the answer was invalid. */
export function codeOfFailure({ error, kind }: Failure): ErrorCode | undefined {
  return error?.code ?? (kind === 'engine' ? 'engine_failed' : undefined);
}

export type FailureKind =
  /** The source is invalid in its syntax, so its words cannot be identified. */
  | 'malformed-source'
  /** The engine gave no answer. */
  | 'engine'
  /** The answer lost, repeated or changed a placeholder. */
  | 'placeholders'
  /** The text of the answer shows that it is not a translation. */
  | 'nonsense'
  /** The words of the answer formed syntax, or broke it. */
  | 'unverified'
  /** The place in the file cannot hold the value. */
  | 'unencodable'
  /**
   * The account, the budget or the connection does not allow more: the text was not sent, or failed. `error` has the
   * cause.
   */
  | 'stopped'
  /** The work was stopped before this unit's turn. */
  | 'interrupted';

/**
 * An engine's answers that outlive an interrupted run, because they have been paid for. Only verified answers are
 * stored.
 */
export interface SegmentJournal {
  /** `engine` is the id of the engine that would be used. */
  get(engine: string, source: string, target: string, tagged: string): string | undefined;
  /** Resolves when the entries are on disk: only then is their batch finished. */
  put(entries: readonly SegmentEntry[]): Promise<void>;
}

export interface SegmentEntry {
  readonly engine: string;
  readonly source: string;
  readonly target: string;
  readonly tagged: string;
  readonly translation: string;
}

/** Resources that improve an engine's translations. The caller keeps and closes them. */
export interface TranslationResources {
  /** Consulted before an engine; stores every translation that an engine makes. */
  readonly memory?: TranslationMemory | undefined;
  readonly glossary?: Glossary | undefined;
  /**
   * Forms of address by canonical target language, `*` for all others. A code without region applies to its regions,
   * too.
   */
  readonly formality?: ReadonlyMap<string, Formality> | undefined;
  /** Called if texts stay unchanged because source and target are variants without a direct engine. */
  readonly onKept?: ((source: string, target: string) => void) | undefined;
}

export interface SegmentContext extends TranslationResources {
  readonly engine: Engine;
  /** Both codes are canonical and never `auto`. */
  readonly source: string;
  readonly target: string;
  readonly signal: AbortSignal;
  /**
   * When it aborts, the engine receives nothing new, and pending requests are awaited: the call resolves with the
   * results so far, whereas `signal` makes it reject.
   */
  readonly stop?: AbortSignal | undefined;
  readonly journal?: SegmentJournal | undefined;
  /** Concurrent batches. Default 4. */
  readonly concurrency?: number | undefined;
  /** Called after each finished batch with the number of segments finished in this call. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A text for the engine, with its context. */
export interface SourceSegment {
  readonly tagged: TaggedText;
  /** The place of the segment's value. */
  readonly context?: UnitContext | undefined;
  /** Whether the segment is the entire value. */
  readonly isWhole?: boolean | undefined;
  /** The value as a message of the memory, if the segment is all of it; used to find similar messages. */
  readonly message?: MemoryMessage | undefined;
}

export type SegmentOutcome =
  { readonly translation: TaggedText; readonly engine?: string | undefined } | Failure;

export const NO_ANSWER: Failure = { failure: 'the engine gave no answer', kind: 'engine' };
