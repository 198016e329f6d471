import { interrupted } from '../../base/interruption.ts';
import type { Engine, EngineOutcome, EngineRequest } from '../../engines/engine.ts';
import { fromPlainError, fromPlainOutcome, type PlainError, type PlainOutcome } from './messages.ts';
import type { FromWorker, WorkerSettings } from './messages.ts';

interface Call {
  resolve(outcomes: readonly EngineOutcome[]): void;
  reject(error: Error): void;
}

/**
 * The program’s engine as a worker sees it: all workers share one, with its processes and models. An aborted call
 * is given up here; there, the end of the task does it.
 */
export class AskedEngine implements Engine {
  readonly id: string;
  readonly batch: Engine['batch'];
  readonly #send: (message: FromWorker) => void;
  readonly #calls = new Map<number, Call>();
  #last = 0;

  constructor({ engine }: WorkerSettings, send: (message: FromWorker) => void) {
    this.id = engine.id;
    this.batch = engine.batch;
    this.#send = send;
  }

  status(): never {
    throw new Error('only the program knows the status of the engine');
  }

  supports(): Promise<boolean> {
    // It was asked when the job was created; the call shows what has changed since.
    return Promise.resolve(true);
  }

  translate(request: EngineRequest, signal: AbortSignal): Promise<readonly EngineOutcome[]> {
    if (signal.aborted) return Promise.reject(interrupted());
    const call = ++this.#last;
    return new Promise<readonly EngineOutcome[]>((resolve, reject) => {
      const abort = (): void => {
        this.#calls.delete(call);
        reject(interrupted());
      };
      const settled = (): void => signal.removeEventListener('abort', abort);
      signal.addEventListener('abort', abort, { once: true });
      this.#calls.set(call, {
        resolve: (outcomes) => {
          settled();
          resolve(outcomes);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      });
      this.#send({ type: 'ask', call, request });
    });
  }

  answer(call: number, outcomes: readonly PlainOutcome[]): void {
    this.#take(call)?.resolve(outcomes.map(fromPlainOutcome));
  }

  refuse(call: number, error: PlainError): void {
    this.#take(call)?.reject(fromPlainError(error));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #take(call: number): Call | undefined {
    const found = this.#calls.get(call);
    this.#calls.delete(call);
    return found;
  }
}
