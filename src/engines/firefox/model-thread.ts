import { Worker } from 'node:worker_threads';
import { compileBergamot } from './worker/bergamot.ts';
import type { FromModelWorker, ModelText, ModelWorkerData, ToModelWorker } from './worker/messages.ts';
import { modelWorkerScript } from './worker/script.ts';

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
 * A worker thread with one model set, loaded at once. Answers one batch after the other. Whoever makes it closes it;
 * after it was lost there is nothing left to close.
 */
export class ModelThread {
  readonly #worker: Worker;
  readonly #loaded: Promise<void>;
  #receive: ((translations: readonly string[]) => void) | undefined;
  #lose: (lost: ThreadLost) => void = () => undefined;
  #lost: ThreadLost | undefined;

  constructor(data: ModelWorkerData) {
    const { url, execArgv } = modelWorkerScript();
    this.#worker = new Worker(url, {
      execArgv: [...execArgv],
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
      name: 'dragoman model',
    });
    this.#loaded = new Promise((resolve) => {
      this.#worker.on('message', (message: FromModelWorker) => {
        if (message.type === 'ready') resolve();
        else if (message.type === 'answer') this.#receive?.(message.translations);
        else this.#end(new ThreadLost(message.reason, message.damaged));
      });
    });
    this.#worker.on('error', (error: Error & { code?: string }) => {
      this.#end(
        new ThreadLost(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'is out of memory' : `crashed: ${error.message}`,
        ),
      );
    });
    this.#worker.once('exit', () => this.#end(new ThreadLost('ended unexpectedly')));
    compileBergamot().then(
      (module) => this.#send({ type: 'load', module }),
      (error: unknown) => this.#end(new ThreadLost(`cannot be run: ${String(error)}`)),
    );
  }

  /**
   * Of each text its translation, in order.
   *
   * @param timeoutMs for the answer, and where it is not loaded yet for that too; after it the worker is ended
   * @throws ThreadLost when there will be no answer, now and from this thread
   */
  async translate(texts: readonly ModelText[], timeoutMs: number): Promise<readonly string[]> {
    if (this.#lost) throw this.#lost;
    let timer: NodeJS.Timeout | undefined;
    this.#worker.ref();
    try {
      return await new Promise<readonly string[]>((resolve, reject) => {
        this.#lose = reject;
        timer = setTimeout(() => {
          this.#end(new ThreadLost(`gave no answer within ${timeoutMs / 1000} s`));
        }, timeoutMs);
        this.#receive = (translations) => {
          if (translations.length === texts.length) resolve(translations);
          else this.#end(new ThreadLost(`gave ${translations.length} answers for ${texts.length} texts`));
        };
        void this.#loaded.then(() => this.#send({ type: 'translate', texts }));
      });
    } finally {
      clearTimeout(timer);
      this.#receive = undefined;
      this.#lose = () => undefined;
      // Alone it does not keep the program alive.
      if (!this.#lost) this.#worker.unref();
    }
  }

  /** Ends the worker, whatever it is at. Resolves when its memory is free. */
  async close(): Promise<void> {
    this.#end(new ThreadLost('was closed'));
    await this.#worker.terminate();
  }

  #send(message: ToModelWorker): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    this.#worker.postMessage(message);
  }

  #end(lost: ThreadLost): void {
    if (this.#lost) return;
    this.#lost = lost;
    this.#lose(lost);
    void this.#worker.terminate();
  }
}
