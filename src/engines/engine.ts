import { DragomanError } from '../base/errors.ts';
import type { LengthLimit } from '../text/length-limit.ts';
import type { TaggedText } from '../text/tagged.ts';

/** A batch of segments in one direction. Both codes are canonical and never `auto`. */
export interface EngineRequest {
  readonly source: string;
  readonly target: string;
  readonly texts: readonly TaggedText[];
  /** Hints for each text, in the order of the texts. Only set for engines that use them. */
  readonly hints?: readonly (SegmentHint | undefined)[] | undefined;
  /** Terms with a required translation, for all texts together. Only set for engines that use them. */
  readonly terms?: readonly RequiredTerm[] | undefined;
  /** The form of address, if the language distinguishes it and the engine supports it. */
  readonly formality?: Formality | undefined;
}

export type Formality = 'formal' | 'informal';

/** Context that helps to translate a segment, and is not translated itself. */
export interface SegmentHint {
  /** The first few keys whose values contain the segment, each joined with dots. */
  readonly keys?: readonly string[] | undefined;
  /** Developers' notes to translators. */
  readonly comments?: readonly string[] | undefined;
  /** How long the translation may be; the smallest limit, if the text has several places. */
  readonly limit?: LengthLimit | undefined;
  /** The neighbouring texts in its file, in order. */
  readonly neighbours?: readonly string[] | undefined;
  /** Translations of similar texts, the most similar first. */
  readonly similar?: readonly SimilarTranslation[] | undefined;
}

export interface SimilarTranslation {
  readonly source: TaggedText;
  readonly translation: TaggedText;
  /** The similarity, at least 0 and below 1. */
  readonly similarity: number;
}

/** A term of a glossary that occurs in a text. */
export interface RequiredTerm {
  readonly term: string;
  readonly translation: string;
  readonly note?: string | undefined;
}

/** The result for one segment. Failures are data: other segments of the batch are not affected. */
export type EngineOutcome =
  | {
      readonly translation: TaggedText;
      /** The engine that translated it, if there were several. */ readonly engine?: string;
    }
  | {
      readonly failure: string;
      /** The error, unless the text caused it: a lost answer, an account without credits. */
      readonly error?: DragomanError | undefined;
    };

/** The maximum size of one call. */
export interface BatchSize {
  readonly texts: number;
  /** The limit for tagged text, in UTF-16 code units. A longer text is sent as a separate batch. */
  readonly characters: number;
  /**
   * The minimum number of texts that justifies another call: smaller amounts are spread over the calls that may run in
   * parallel. Default: calls are as large as possible.
   */
  readonly least?: number | undefined;
}

export interface LanguagePair {
  readonly source: string;
  readonly target: string;
}

/** An engine's own status for `dragoman engines`. */
export interface EngineStatus {
  readonly id: string;
  /** Whether the engine can translate now. */
  readonly ready: boolean;
  /** One sentence: a version, or the missing part. */
  readonly detail: string;
  /** The command that installs the engine or more languages, or the setting that is missing. */
  readonly hint?: string | undefined;
  /** `any`: every pair; otherwise the pairs that work now, including pivots. */
  readonly pairs: 'any' | readonly LanguagePair[];
}

/**
 * Translates segments. An engine only sees {@link TaggedText}, never the syntax of a file or message, and callers
 * verify every answer.
 *
 * The creator of an engine closes it. After `close` it has no child processes, workers or sockets.
 */
export interface Engine {
  readonly id: string;
  /**
   * The parts of a request that this engine uses, besides texts and formality; others are not computed. `similar` are
   * the similar translations of hints, which are the slowest to compute.
   */
  readonly uses?:
    { readonly hints?: boolean; readonly similar?: boolean; readonly terms?: boolean } | undefined;
  /** Whether its output is not a translation: it is not stored in the memory, and memory entries do not replace it. */
  readonly isPseudo?: boolean | undefined;
  /** Whether its answers may add words, be in another language, or repeat the text, as with models and services. */
  readonly isModel?: boolean | undefined;
  /**
   * Whether it answers immediately and gains nothing from large calls: small ones are then used, which take less
   * memory.
   */
  readonly isImmediate?: boolean | undefined;
  /** Its best batch size, if it differs from the default. */
  readonly batch?: BatchSize | undefined;
  /** The engine for values whose translations fail verification. Closed with this engine. */
  readonly next?: Engine | undefined;
  status(signal?: AbortSignal): Promise<EngineStatus>;
  supports(source: string, target: string): Promise<boolean>;
  /**
   * The model that answers for a pair, such as its name and version; undefined if unknown.
   *
   * @param engine as outcomes name it
   */
  modelFor?(engine: string, pair: LanguagePair): Promise<string | undefined>;
  /**
   * One outcome per text, in order. Rejects only if the whole call fails: `engine_unavailable` for an unsupported pair,
   * `engine_failed` if it cannot be kept running, `interrupted` if `signal` aborts. It then starts nothing new; pending
   * work may continue for a while, and texts that were not started get the error `interrupted`.
   */
  translate(request: EngineRequest, signal: AbortSignal): Promise<readonly EngineOutcome[]>;
  close(): Promise<void>;
}

/** The engine with other members in place of some. Methods of the original still run on the original. */
export function wrapEngine(engine: Engine, changes: Partial<Engine>): Engine {
  const { id, uses, isPseudo, isModel, isImmediate, batch, next } = engine;
  return {
    id,
    uses,
    isPseudo,
    isModel,
    isImmediate,
    batch,
    next,
    status: (signal) => engine.status(signal),
    supports: (source, target) => engine.supports(source, target),
    modelFor: async (name, pair) => engine.modelFor?.(name, pair),
    translate: (request, signal) => engine.translate(request, signal),
    close: () => engine.close(),
    ...changes,
  };
}

/** Turns an interruption into the outcome of one text, because other texts of the call may have been translated. */
export async function unlessInterrupted(work: Promise<EngineOutcome>): Promise<EngineOutcome> {
  try {
    return await work;
  } catch (error) {
    // `isInterrupted` is not used: the review page's types include this file, but no types of Node.
    if (!(error instanceof DragomanError && error.code === 'interrupted')) throw error;
    return { failure: error.message, error };
  }
}

/** The parts of a request that at least one engine of a chain uses. */
export function usesOf(engines: readonly Engine[]): NonNullable<Engine['uses']> {
  return {
    hints: engines.some(({ uses }) => uses?.hints === true),
    similar: engines.some(({ uses }) => uses?.similar === true),
    terms: engines.some(({ uses }) => uses?.terms === true),
  };
}

/** The request without parts that the engine does not use. */
export function requestFor({ uses }: Engine, request: EngineRequest): EngineRequest {
  const { hints, terms, ...rest } = request;
  return { ...rest, ...(uses?.hints && { hints }), ...(uses?.terms && { terms }) };
}

/** The request for some of its texts, with their hints. */
export function requestOf(request: EngineRequest, indices: readonly number[]): EngineRequest {
  const { texts, hints } = request;
  return {
    ...request,
    texts: indices.map((i) => texts[i] ?? ''),
    ...(hints && { hints: indices.map((i) => hints[i]) }),
  };
}

/** Divides items, in order, into batches within both limits; a larger item is a separate batch. */
export function* divide<T>(
  texts: readonly T[],
  limits: { readonly texts: number; readonly size: number },
  sizeOf: (text: T) => number,
): Generator<readonly T[]> {
  let batch: T[] = [];
  let size = 0;
  for (const text of texts) {
    const own = sizeOf(text);
    if (batch.length === limits.texts || (batch.length > 0 && size + own > limits.size)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(text);
    size += own;
  }
  if (batch.length > 0) yield batch;
}

/** Every pair that one of these engines can translate now. */
export function pairsOfReady(statuses: readonly EngineStatus[]): EngineStatus['pairs'] {
  const pairs = statuses.filter(({ ready }) => ready).map((status) => status.pairs);
  return pairs.includes('any') ? 'any' : pairs.flatMap((some) => (some === 'any' ? [] : some));
}
