import { Worker, type ResourceLimits } from 'node:worker_threads';
import { DragomanError } from '../../base/errors.ts';
import { interrupted, throwIfAborted } from '../../base/interruption.ts';
import type { EngineDesk, TaskCalls } from '../../jobs/worker/engine-desk.ts';
import { fromPlainError } from '../../jobs/worker/messages.ts';
import { workerScript, type ScriptNames } from '../../jobs/worker/worker-script.ts';
import type { CallOptions } from '../../service/service.ts';
import type { FromTextWorker, ToTextWorker } from './text-messages.ts';
import type { RequestOf, ResultOf, TextWorkKind } from './text-work.ts';

export interface TextThreadOptions {
  /** Where the thread asks the engine of this process. */
  readonly desk: EngineDesk;
  /** How long the thread may do nothing but compute. */
  readonly stallMs: number;
  readonly limits: ResourceLimits;
}

const TEXT_WORKER: ScriptNames = {
  source: '../../server/threads/text-worker.ts',
  bundled: 'text-worker.js',
};

interface Call {
  readonly options: CallOptions;
  readonly engine: TaskCalls;
  resolve(result: ResultOf<TextWorkKind>): void;
  reject(error: Error): void;
}

/**
 * A thread that does any number of calls side by side, started when it is needed and again after it was lost. Calls of a
 * lost thread fail. Whoever makes it closes it.
 */
export class TextThread {
  readonly #options: TextThreadOptions;
  readonly #calls = new Map<number, Call>();
  #worker: Worker | undefined;
  #last = 0;
  #watch: NodeJS.Timeout | undefined;
  /** Whether it was asked for a sign of life, and has not given one. */
  #isAsked = false;

  constructor(options: TextThreadOptions) {
    this.#options = options;
  }

  /**
   * @throws DragomanError of the work; `interrupted` when `signal` aborts or the thread was lost with several calls;
   *   `limit_exceeded` when the work took too long or too much memory, `internal` when it crashed.
   */
  async run<K extends TextWorkKind>(
    kind: K,
    request: RequestOf<K>,
    options: CallOptions,
  ): Promise<ResultOf<K>> {
    const { signal } = options;
    throwIfAborted(signal);
    const id = ++this.#last;
    this.#worker ??= this.#start();
    const engine = this.#options.desk.open((message) => this.#post({ id, type: 'engine', message }));
    const abort = (): void => {
      this.#post({ id, type: 'abort' });
      // It may be computing and receive this late: no caller waits for it any more.
      this.#calls.get(id)?.reject(interrupted());
    };
    try {
      return await new Promise<ResultOf<K>>((resolve, reject) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the result is that of the request's kind
        this.#calls.set(id, { options, engine, resolve: resolve as Call['resolve'], reject });
        signal.addEventListener('abort', abort, { once: true });
        this.#post({ id, type: 'call', call: { kind, request } });
        if (this.#calls.size === 1) this.#expectLife();
      });
    } finally {
      signal.removeEventListener('abort', abort);
      this.#calls.delete(id);
      engine.close();
      if (this.#calls.size === 0) clearTimeout(this.#watch);
    }
  }

  /** What is being done is interrupted. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    this.#end(worker, interrupted());
    await worker.terminate();
  }

  #start(): Worker {
    const { url, execArgv } = workerScript(TEXT_WORKER);
    const worker = new Worker(url, {
      execArgv: [...execArgv],
      workerData: this.#options.desk.settings,
      resourceLimits: this.#options.limits,
      name: 'dragoman text',
    });
    worker.on('message', (message: FromTextWorker) => this.#receive(message));
    worker.on('error', (error: Error & { code?: string }) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') this.#lose(worker, 'needs too much memory');
      else this.#end(worker, new DragomanError('internal', 'the thread for texts crashed', { cause: error }));
    });
    worker.once('exit', () => this.#end(worker, interrupted()));
    return worker;
  }

  #receive(message: FromTextWorker): void {
    this.#isAsked = false;
    const call = this.#calls.get(message.id);
    if (!call) return;
    if (message.type === 'engine') {
      const asked = message.message;
      if (asked.type === 'ask') void call.engine.answer(asked.call, asked.request);
    } else if (message.type === 'result') {
      for (const reason of message.failures) call.options.onFailure?.(reason);
      call.resolve(message.result);
    } else if (message.type === 'error') call.reject(fromPlainError(message.error));
  }

  #post(message: ToTextWorker): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    this.#worker?.postMessage(message);
  }

  /** Asks now and then whether the thread is alive, as long as it has something to do. */
  #expectLife(): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      if (this.#calls.size === 0 || !this.#worker) return;
      if (this.#isAsked) {
        void this.#worker.terminate();
        this.#lose(this.#worker, 'takes too long');
        return;
      }
      this.#isAsked = true;
      this.#post({ id: 0, type: 'ping' });
      this.#expectLife();
    }, this.#options.stallMs / 2);
  }

  /** With several calls it is unknown which one was at fault: they may be tried again. */
  #lose(worker: Worker, reason: string): void {
    const error = new DragomanError('limit_exceeded', `the work on the text ${reason}`);
    this.#end(worker, this.#calls.size === 1 ? error : interrupted());
  }

  #end(worker: Worker, error: DragomanError): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#isAsked = false;
    clearTimeout(this.#watch);
    for (const call of this.#calls.values()) call.reject(error);
  }
}
