import type { DragomanError } from '../base/errors.ts';
import { isInterrupted } from '../base/interruption.ts';
import type { TaggedText } from '../text/tagged.ts';

/** A batch of segments in one direction. Both codes are canonical and definite: never `auto`. */
export interface EngineRequest {
  readonly source: string;
  readonly target: string;
  readonly texts: readonly TaggedText[];
  /** Hints for each text, in the order of the texts. Only for engines that use them. */
  readonly hints?: readonly (SegmentHint | undefined)[] | undefined;
  /** Terms with a required translation, of all texts together. Only for engines that use them. */
  readonly terms?: readonly RequiredTerm[] | undefined;
  /** How readers are addressed, if the language distinguishes it and the engine supports it. */
  readonly formality?: Formality | undefined;
}

export type Formality = 'formal' | 'informal';

/** What helps to translate a segment. None of it is to be translated itself. */
export interface SegmentHint {
  /** The keys of the values that the segment is in, each joined with dots; the first few. */
  readonly keys?: readonly string[] | undefined;
  /** Developers' notes to translators. */
  readonly comments?: readonly string[] | undefined;
  /** The texts around it in its file, in order. */
  readonly neighbours?: readonly string[] | undefined;
  /** Translations of similar texts, the most similar first. */
  readonly similar?: readonly SimilarTranslation[] | undefined;
}

export interface SimilarTranslation {
  readonly source: TaggedText;
  readonly translation: TaggedText;
  /** From 0 to below 1. */
  readonly similarity: number;
}

/** A term of a glossary that occurs in a text. */
export interface RequiredTerm {
  readonly term: string;
  readonly translation: string;
  readonly note?: string | undefined;
}

/** What became of one segment. A failure is data: the others of the batch are not affected. */
export type EngineOutcome =
  | {
      readonly translation: TaggedText;
      /** Who translated it, where the engine chose among several. */ readonly engine?: string;
    }
  | {
      readonly failure: string;
      /** The error, unless the text caused it: a lost answer, an account without credits. */
      readonly error?: DragomanError | undefined;
    };

/** How much an engine gets in one call. */
export interface BatchSize {
  readonly texts: number;
  /** Of tagged text, in UTF-16 code units. A text that alone has more is a batch. */
  readonly characters: number;
  /**
   * From so many texts on another call is worth its price: what would fit into fewer calls is divided among those that may
   * be under way at once. Without it calls are as large as they may be.
   */
  readonly least?: number | undefined;
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
  /** One sentence: a version, or the missing part. */
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
 * The creator of an engine closes it. After `close` no child process, worker or socket of it is left.
 */
export interface Engine {
  readonly id: string;
  /**
   * The parts of a request that this engine uses, besides texts and formality; others are not computed. `similar` are the
   * similar translations of hints, which take longer to find than all else.
   */
  readonly uses?:
    { readonly hints?: boolean; readonly similar?: boolean; readonly terms?: boolean } | undefined;
  /** Its output is not a translation: it does not enter the memory, and memory entries do not replace it. */
  readonly isPseudo?: boolean | undefined;
  /** It may answer in its own words, in another language, or with the text itself, as models and services do. */
  readonly isModel?: boolean | undefined;
  /** It waits for nothing and shares no call among texts: it is asked for little at a time, which takes less memory. */
  readonly isImmediate?: boolean | undefined;
  /** Where it is best asked for more or less at once than others are. */
  readonly batch?: BatchSize | undefined;
  /** What to ask for values that do not verify as this one translated them. It is closed with this engine. */
  readonly next?: Engine | undefined;
  status(signal?: AbortSignal): Promise<EngineStatus>;
  supports(source: string, target: string): Promise<boolean>;
  /**
   * One outcome per text, in order. Rejects only when the whole call is impossible: `engine_unavailable` for a pair
   * it does not support, `engine_failed` when it cannot be kept alive, `interrupted` when `signal` aborts. It begins nothing
   * more then; what is under way may go on for a while, and texts that were not begun have `interrupted` as their error.
   */
  translate(request: EngineRequest, signal: AbortSignal): Promise<readonly EngineOutcome[]>;
  close(): Promise<void>;
}

/** What becomes of a text of a call that was interrupted: others of it may have been translated by then. */
export async function unlessInterrupted(work: Promise<EngineOutcome>): Promise<EngineOutcome> {
  try {
    return await work;
  } catch (error) {
    if (!isInterrupted(error)) throw error;
    return { failure: error.message, error };
  }
}

/** The parts of a request that any engine of a chain uses. */
export function usesOf(engines: readonly Engine[]): NonNullable<Engine['uses']> {
  return {
    hints: engines.some(({ uses }) => uses?.hints === true),
    similar: engines.some(({ uses }) => uses?.similar === true),
    terms: engines.some(({ uses }) => uses?.terms === true),
  };
}

/** The request without what the engine makes no use of. */
export function requestFor({ uses }: Engine, request: EngineRequest): EngineRequest {
  const { hints, terms, ...rest } = request;
  return { ...rest, ...(uses?.hints && { hints }), ...(uses?.terms && { terms }) };
}

/** The same request for some of its texts, which keep their hints. */
export function requestOf(request: EngineRequest, indices: readonly number[]): EngineRequest {
  const { texts, hints } = request;
  return {
    ...request,
    texts: indices.map((i) => texts[i] ?? ''),
    ...(hints && { hints: indices.map((i) => hints[i]) }),
  };
}
