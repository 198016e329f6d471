import type { DragomanError, ErrorCode } from '../base/errors.ts';
import type { Engine, Formality, RequiredTerm } from '../engines/engine.ts';
import type { Key } from '../formats/format.ts';
import type { BranchRule } from '../text/choice.ts';
import type { Syntax } from '../text/syntax.ts';
import type { TaggedText } from '../text/tagged.ts';
import type { Glossary } from './glossary.ts';
import type { MemoryMessage, MemoryOrigin, TranslationMemory } from './memory.ts';

/** One value to translate. The forms of a plural are one unit each. */
export interface Unit {
  readonly value: string;
  readonly syntax: Syntax;
  /** Of the application that shows the value: see `parseMessage`. */
  readonly rule?: BranchRule | undefined;
  /**
   * All source forms of the plural message that the value belongs to. The translation may have the placeholders of
   * any of them: a form for one thing may spell the number out.
   */
  readonly forms?: readonly string[] | undefined;
  readonly context?: UnitContext | undefined;
  /** What a service answered for it, as one text of many: taken if it verifies. Otherwise the engine is asked. */
  readonly answer?: string | undefined;
}

/** Where a value stands, for the memory and for engines that can make something of it. */
export interface UnitContext {
  readonly key: Key;
  /** The plural category of the form that it is, where it is one. */
  readonly category?: string | undefined;
  /** The developer's note to translators. */
  readonly comment?: string | undefined;
  /** The source values before and after it in its file. */
  readonly neighbours?: readonly string[] | undefined;
}

/** What became of one unit. */
export type UnitOutcome = TranslatedUnit | Failure;

export interface TranslatedUnit {
  readonly value: string;
  /** Who translated it; several with plus signs between. Absent where nobody was asked. */
  readonly engine?: string | undefined;
  /** The translation memory had it: who wrote it there. */
  readonly memory?: MemoryOrigin | undefined;
  /** Terms of the glossary that the source has and the value does not have as it should. */
  readonly missingTerms?: readonly RequiredTerm[] | undefined;
}

export interface Failure {
  /** One sentence for the user. */
  readonly failure: string;
  readonly kind: FailureKind;
  /** What kept the engine from it, where that is no matter of the unit. */
  readonly error?: DragomanError | undefined;
}

/** What became of the request that a failed unit was in; undefined where the answer was no good. */
export function codeOfFailure({ error, kind }: Failure): ErrorCode | undefined {
  return error?.code ?? (kind === 'engine' ? 'engine_failed' : undefined);
}

export type FailureKind =
  /** The source is not a message of its syntax: translating it would be guessing. */
  | 'malformed-source'
  /** The engine gave no answer. */
  | 'engine'
  /** The answer lost, doubled or changed a placeholder. */
  | 'placeholders'
  /** The answer cannot be a translation, by what its text shows. */
  | 'nonsense'
  /** The words of the answer made or broke syntax. */
  | 'unverified'
  /** The place in the file cannot hold the value. */
  | 'unencodable'
  /** Account, budget or connection allow no more: it was not tried, or in vain. `error` says what it was. */
  | 'stopped'
  /** The work was stopped before this unit's turn: it is not the unit's fault. */
  | 'interrupted';

/**
 * Answers of an engine that outlive a run that was cut off: they have been paid for. Only answers that passed the
 * checks enter it.
 */
export interface SegmentJournal {
  /** `engine` is the id of the engine that would be asked. */
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

/** What makes translations better than an engine alone does. All of it stays the caller's. */
export interface TranslationResources {
  /** Looked into before an engine is asked; every translation that an engine made enters it. */
  readonly memory?: TranslationMemory | undefined;
  readonly glossary?: Glossary | undefined;
  /** By canonical target language, `*` for all others. A code without region holds for its regions too. */
  readonly formality?: ReadonlyMap<string, Formality> | undefined;
  /** Called when texts stay as they are because source and target are variants without a direct engine. */
  readonly onKept?: ((source: string, target: string) => void) | undefined;
}

export interface SegmentContext extends TranslationResources {
  readonly engine: Engine;
  /** Canonical and definite. */
  readonly source: string;
  readonly target: string;
  readonly signal: AbortSignal;
  /**
   * From then on the engine is asked nothing more, and what it was asked is waited for: the call resolves with what there
   * is, where `signal` makes it reject.
   */
  readonly stop?: AbortSignal | undefined;
  readonly journal?: SegmentJournal | undefined;
  /** Batches that the engine has at once. Default 4. */
  readonly concurrency?: number | undefined;
  /** Called after each finished batch with the number of segments finished in this call. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A run of text for the engine, with what helps to translate it. */
export interface SourceSegment {
  readonly tagged: TaggedText;
  /** Where the value stands that the segment is from. */
  readonly context?: UnitContext | undefined;
  /** That value as the translation memory knows it, if the segment is all of it: the memory has similar ones. */
  readonly message?: MemoryMessage | undefined;
}

export type SegmentOutcome =
  { readonly translation: TaggedText; readonly engine?: string | undefined } | Failure;

export const NO_ANSWER: Failure = { failure: 'the engine gave no answer', kind: 'engine' };
