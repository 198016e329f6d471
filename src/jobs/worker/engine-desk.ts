import { DragomanError } from '../../base/errors.ts';
import { COPY, keepsText } from '../../engines/copy.ts';
import type { Engine, EngineOutcome, EngineRequest } from '../../engines/engine.ts';
import type { JobLog } from '../log.ts';
import { toPlainError, toPlainOutcome, type ToWorker, type WorkerSettings } from './messages.ts';

/** Engines have time limits of their own; this one is for those that break theirs. */
const CALL_MS = 10 * 60_000;

/** The calls of one task. */
export interface TaskCalls {
  /** Asks the engine and sends the answer, or the refusal. Never rejects because of the engine. */
  answer(call: number, request: EngineRequest): Promise<void>;
  /** Aborts what is still being asked; nothing is sent any more. */
  close(): void;
}

/** Where the workers’ calls arrive: the one engine of the process, which stays its owner's. */
export class EngineDesk {
  readonly #engine: Engine;
  readonly #log: JobLog;
  readonly #callMs: number;

  constructor(engine: Engine, log: JobLog, callMs: number = CALL_MS) {
    this.#engine = engine;
    this.#log = log;
    this.#callMs = callMs;
  }

  get settings(): WorkerSettings {
    return { engine: { id: this.#engine.id, batch: this.#engine.batch } };
  }

  open(send: (message: ToWorker) => void): TaskCalls {
    const over = new AbortController();
    return {
      answer: async (call, request) => {
        let message: ToWorker;
        try {
          const outcomes = await this.#ask(request, over.signal);
          message = { type: 'answer', call, outcomes: outcomes.map(toPlainOutcome) };
        } catch (error) {
          message = { type: 'refusal', call, error: toPlainError(this.#known(error)) };
        }
        if (!over.signal.aborted) send(message);
      },
      close: () => over.abort(),
    };
  }

  /** Unexpected errors of an engine are for the operator only: their text is unknown. */
  #known(error: unknown): DragomanError {
    if (error instanceof DragomanError) return error;
    this.#log.error({ err: error, engine: this.#engine.id }, 'the engine failed unexpectedly');
    return new DragomanError('engine_failed', 'the engine failed unexpectedly', { cause: error });
  }

  async #ask(request: EngineRequest, over: AbortSignal): Promise<readonly EngineOutcome[]> {
    const { source, target, texts } = request;
    // Workers cannot ask what the engine supports.
    if (await keepsText(this.#engine, source, target)) {
      return texts.map((translation) => ({ translation, engine: COPY }));
    }
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
