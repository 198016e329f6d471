import { DragomanError } from '../base/errors.ts';
import { throwIfAborted, unlessAborted } from '../base/interruption.ts';
import { fromPlainError, toPlainError, type PlainError } from '../workers/protocol.ts';
import { COPY, keepsText } from './copy.ts';
import type { Engine, EngineOutcome, EngineRequest } from './engine.ts';

/** What a worker has to know of the engine, which stays in the program. */
export type EngineTraits = Pick<Engine, 'id' | 'batch'>;

/** Outcomes as they can be cloned. */
export type PlainOutcome =
  | Extract<EngineOutcome, { translation: string }>
  | { readonly failure: string; readonly error?: PlainError | undefined };

interface HostLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Engines have time limits of their own; this one is for those that break theirs. */
const CALL_MS = 10 * 60_000;

/** Answers the {@link EngineProxy} of every worker with the one engine of the process, which stays its owner's. */
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
    return { id: this.#engine.id, batch: this.#engine.batch };
  }

  /**
   * @param over aborts with the work that the worker asks for
   * @throws DragomanError only: `engine_failed` when the engine is late or throws what an engine should not.
   */
  async answer(request: EngineRequest, over: AbortSignal): Promise<readonly PlainOutcome[]> {
    const { source, target, texts } = request;
    try {
      // Workers cannot ask what the engine supports.
      if (await keepsText(this.#engine, source, target))
        return texts.map((translation) => ({ translation, engine: COPY }));
      return (await this.#translate(request, over)).map(toPlainOutcome);
    } catch (error) {
      if (error instanceof DragomanError) throw error;
      // It is for the operator: nobody knows what is in it.
      this.#log.error({ err: error, engine: this.#engine.id }, 'the engine failed unexpectedly');
      throw new DragomanError('engine_failed', 'the engine failed unexpectedly', { cause: error });
    }
  }

  async #translate(request: EngineRequest, over: AbortSignal): Promise<readonly EngineOutcome[]> {
    const limit = new AbortController();
    const signal = AbortSignal.any([over, limit.signal]);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const seconds = Math.ceil(this.#callMs / 1000);
        reject(new DragomanError('engine_failed', `the engine gave no answer within ${seconds} s`));
        limit.abort();
      }, this.#callMs);
    });
    try {
      return await Promise.race([this.#engine.translate(request, signal), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * The program's engine as a worker sees it: all workers share one, with its processes and models. An aborted call
 * is given up here; there, the end of the work does it.
 */
export class EngineProxy implements Engine {
  readonly id: string;
  readonly batch: Engine['batch'];
  readonly #ask: (request: EngineRequest) => Promise<readonly PlainOutcome[]>;

  constructor(
    { id, batch }: EngineTraits,
    ask: (request: EngineRequest) => Promise<readonly PlainOutcome[]>,
  ) {
    this.id = id;
    this.batch = batch;
    this.#ask = ask;
  }

  status(): never {
    throw new Error('only the program knows the status of the engine');
  }

  supports(): Promise<boolean> {
    // The program asked it before it began; what has changed since, the call reports.
    return Promise.resolve(true);
  }

  async translate(request: EngineRequest, signal: AbortSignal): Promise<readonly EngineOutcome[]> {
    throwIfAborted(signal);
    return (await unlessAborted(this.#ask(request), signal)).map(fromPlainOutcome);
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
