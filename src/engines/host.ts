import { DragomanError } from '../base/errors.ts';
import { linkSignals, throwIfAborted } from '../base/interruption.ts';
import { within } from '../base/within.ts';
import { fromPlainError, toPlainError, type PlainError } from '../workers/protocol.ts';
import { COPY, keepsText } from './copy.ts';
import type { Engine, EngineOutcome, EngineRequest } from './engine.ts';

/** The properties of the engine, which stays in the main thread, and of the engines after it that a worker needs. */
export type EngineTraits = Pick<Engine, 'id' | 'batch' | 'uses' | 'isPseudo' | 'isModel'> & {
  readonly next?: EngineTraits | undefined;
};

/** A worker's request. */
export interface HostRequest extends EngineRequest {
  /** The index of the engine: each is `next` of the previous one. Default 0. */
  readonly after?: number | undefined;
}

/** Outcomes in cloneable form. */
export type PlainOutcome =
  | Extract<EngineOutcome, { translation: string }>
  | { readonly failure: string; readonly error?: PlainError | undefined };

interface HostLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Engines have their own time limits; this one stops engines that exceed theirs. */
const CALL_MS = 10 * 60_000;

/** Answers every worker's {@link EngineProxy} with the process's single engine, which its owner closes. */
export class EngineHost {
  readonly #engine: Engine;
  readonly #log: HostLog;
  readonly #callMs: number;

  constructor(engine: Engine, log: HostLog, callMs: number = CALL_MS) {
    this.#engine = engine;
    this.#log = log;
    this.#callMs = callMs;
  }

  get traits(): EngineTraits {
    return traitsOf(this.#engine);
  }

  /**
   * @param over aborts with the worker's own work; the engine then starts nothing new
   * @throws DragomanError only: `engine_failed` if the engine exceeds the time limit or throws another error
   */
  async answer({ after = 0, ...request }: HostRequest, over: AbortSignal): Promise<readonly PlainOutcome[]> {
    const { source, target, texts } = request;
    const engine = this.#engineAfter(after);
    try {
      // Workers cannot ask which pairs the engine supports.
      if (after === 0 && (await keepsText(engine, source, target)))
        return texts.map((translation) => ({ translation, engine: COPY }));
      return (await this.#translate(engine, request, over)).map(toPlainOutcome);
    } catch (error) {
      if (error instanceof DragomanError) {
        // The previous engine's answer is kept if this engine lacks the pair.
        if (after === 0 || error.code !== 'engine_unavailable') throw error;
        return texts.map(() => ({ failure: error.message }));
      }
      // Logged for the operator only: the error may contain anything.
      this.#log.error({ err: error, engine: engine.id }, 'the engine failed unexpectedly');
      throw new DragomanError('engine_failed', 'the engine failed unexpectedly', { cause: error });
    }
  }

  #engineAfter(after: number): Engine {
    let engine = this.#engine;
    for (let i = 0; i < after; i++) {
      if (!engine.next) throw new DragomanError('engine_failed', `${engine.id} has no next engine`);
      engine = engine.next;
    }
    return engine;
  }

  async #translate(
    engine: Engine,
    request: EngineRequest,
    over: AbortSignal,
  ): Promise<readonly EngineOutcome[]> {
    const limit = new AbortController();
    const linked = linkSignals(over, limit.signal);
    try {
      return await within(engine.translate(request, linked.signal), this.#callMs, () => {
        const seconds = Math.ceil(this.#callMs / 1000);
        throw new DragomanError('engine_failed', `the engine gave no answer within ${seconds} s`);
      });
    } finally {
      // Stops an engine that exceeded the limit. One that has answered no longer listens.
      limit.abort();
      linked.clear();
    }
  }
}

function traitsOf({ id, batch, uses, isPseudo, isModel, next }: Engine): EngineTraits {
  return { id, batch, uses, isPseudo, isModel, next: next && traitsOf(next) };
}

/**
 * The program's engine as a worker sees it: all workers share one, with its processes and models. The main thread is
 * informed of an aborted call and returns the engine's outcomes.
 */
export class EngineProxy implements Engine {
  readonly id: string;
  readonly batch: Engine['batch'];
  readonly uses: Engine['uses'];
  readonly isPseudo: Engine['isPseudo'];
  readonly isModel: Engine['isModel'];
  readonly next: Engine | undefined;
  readonly #ask: (request: HostRequest) => Promise<readonly PlainOutcome[]>;
  readonly #after: number;

  constructor(
    { id, batch, uses, isPseudo, isModel, next }: EngineTraits,
    ask: (request: HostRequest) => Promise<readonly PlainOutcome[]>,
    after = 0,
  ) {
    this.id = id;
    this.batch = batch;
    this.uses = uses;
    this.isPseudo = isPseudo;
    this.isModel = isModel;
    this.next = next && new EngineProxy(next, ask, after + 1);
    this.#ask = ask;
    this.#after = after;
  }

  status(): never {
    throw new Error('only the program knows the status of the engine');
  }

  supports(): Promise<boolean> {
    // The main thread checked this before starting the work; the call reports later changes.
    return Promise.resolve(true);
  }

  async translate(request: EngineRequest, signal: AbortSignal): Promise<readonly EngineOutcome[]> {
    throwIfAborted(signal);
    return (await this.#ask({ ...request, after: this.#after })).map(fromPlainOutcome);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function toPlainOutcome(outcome: EngineOutcome): PlainOutcome {
  if (!('failure' in outcome)) return outcome;
  if (!outcome.error) return { failure: outcome.failure };
  return { failure: outcome.failure, error: toPlainError(outcome.error) };
}

function fromPlainOutcome(outcome: PlainOutcome): EngineOutcome {
  if (!('failure' in outcome)) return outcome;
  if (!outcome.error) return { failure: outcome.failure };
  return { failure: outcome.failure, error: fromPlainError(outcome.error) };
}
