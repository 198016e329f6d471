import { DragomanError } from '../../base/errors.ts';
import { WorkerClient } from '../../workers/client.ts';
import { WorkerLost } from '../../workers/peer.ts';
import { compileBergamot } from './worker/bergamot.ts';
import type { ModelProtocol, ModelText, ModelWorkerData } from './worker/messages.ts';

/** The worker ended, or had to be ended, before it had answered. */
export class ThreadLost extends Error {
  /** Whether a fresh worker would end the same way: its model's files are damaged. */
  readonly damaged: boolean;

  constructor(reason: string, damaged = false) {
    super(reason);
    this.damaged = damaged;
  }
}

/** Its JavaScript does nothing but hand over texts; the model is in memory of WebAssembly. */
const HEAP_MEGABYTES = 256;

/**
 * A worker thread with one model set, loaded for its first batch. Answers one batch after the other. Whoever makes it
 * closes it; after it was lost there is nothing left to close.
 */
export class ModelThread {
  readonly #client: WorkerClient<ModelProtocol>;
  #lost: ThreadLost | undefined;

  constructor(data: ModelWorkerData) {
    this.#client = new WorkerClient<ModelProtocol>({
      kind: 'thread',
      script: {
        name: 'dragoman model',
        source: 'engines/firefox/worker/worker.ts',
        bundled: 'firefox-worker.js',
      },
      settings: data,
      heapMegabytes: () => HEAP_MEGABYTES,
    });
  }

  /**
   * Of each text its translation, in order.
   *
   * @param timeoutMs for the answer, and where it is not loaded yet for that too; after it the worker is ended
   * @throws ThreadLost when there will be no answer, now and from this thread
   */
  async translate(texts: readonly ModelText[], timeoutMs: number): Promise<readonly string[]> {
    if (this.#lost) throw this.#lost;
    try {
      const module = await compileBergamot();
      // Closed meanwhile, it must not start.
      if (this.#lost) throw this.#lost;
      const translations = await this.#client.call({ module, texts }, { stallMs: timeoutMs });
      if (translations.length === texts.length) return translations;
      throw new ThreadLost(`gave ${translations.length} answers for ${texts.length} texts`);
    } catch (error) {
      this.#lost ??= lossOf(error, timeoutMs);
      await this.#client.close();
      throw this.#lost;
    }
  }

  /** Ends the worker, whatever it is at. Resolves when its memory is free. */
  async close(): Promise<void> {
    this.#lost ??= new ThreadLost('was closed');
    await this.#client.close();
  }
}

function lossOf(error: unknown, timeoutMs: number): ThreadLost {
  if (error instanceof ThreadLost) return error;
  if (error instanceof DragomanError) return new ThreadLost(error.message, error.code === 'unreadable_input');
  if (!(error instanceof WorkerLost)) return new ThreadLost(`cannot be run: ${String(error)}`);
  return new ThreadLost(
    error.reason === 'time' ? `gave no answer within ${timeoutMs / 1000} s` : error.message,
  );
}
