import type { DragomanError } from '../base/errors.ts';
import type { TaggedText } from '../text/tagged.ts';

/** A batch of segments in one direction. Both codes are canonical and definite: never `auto`. */
export interface EngineRequest {
  readonly source: string;
  readonly target: string;
  readonly texts: readonly TaggedText[];
}

/** What became of one segment. A failure is data: the others of the batch are not affected. */
export type EngineOutcome =
  | {
      readonly translation: TaggedText;
      /** Who translated it, where the engine chose among several. */ readonly engine?: string;
    }
  | {
      readonly failure: string;
      /** What kept the engine from it, where that is no matter of the text: a lost answer, an account without credits. */
      readonly error?: DragomanError | undefined;
    };

/** How much an engine gets in one call. */
export interface BatchSize {
  readonly texts: number;
  /** Of tagged text, in UTF-16 code units. A text that alone has more is a batch. */
  readonly characters: number;
}

export interface LanguagePair {
  readonly source: string;
  readonly target: string;
}

/** What an engine says about itself for `dragoman engines`. */
export interface EngineStatus {
  readonly id: string;
  /** Whether it can translate anything here and now. */
  readonly ready: boolean;
  /** One sentence: a version, or what is missing. */
  readonly detail: string;
  /** The command or setting that gets it, or more languages of it. */
  readonly hint?: string | undefined;
  /** `any`: every pair; otherwise the pairs it can do now, pivoting included. */
  readonly pairs: 'any' | readonly LanguagePair[];
}

/**
 * Translates segments. An engine never sees the syntax of a file or of a message, only {@link TaggedText}, and its
 * answers are not trusted: the caller checks every one.
 *
 * Whoever creates an engine closes it. After `close` no child process, worker or socket of it is left.
 */
export interface Engine {
  readonly id: string;
  /** Where it is best asked for more or less at once than others are. */
  readonly batch?: BatchSize | undefined;
  /** What to ask for values that do not verify as this one translated them. It needs no closing of its own. */
  readonly next?: Engine | undefined;
  status(signal?: AbortSignal): Promise<EngineStatus>;
  supports(source: string, target: string): Promise<boolean>;
  /**
   * One outcome per text, in order. Rejects only when the whole call is impossible: `engine_unavailable` for a pair
   * it does not support, `engine_failed` when it cannot be kept alive, `interrupted` when `signal` aborts.
   */
  translate(request: EngineRequest, signal: AbortSignal): Promise<readonly EngineOutcome[]>;
  close(): Promise<void>;
}
