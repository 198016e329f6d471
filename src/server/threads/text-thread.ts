import { DragomanError } from '../../base/errors.ts';
import { interrupted } from '../../base/interruption.ts';
import type { EngineHost } from '../../engines/host.ts';
import type { CallOptions } from '../../service/service.ts';
import { WorkerClient } from '../../workers/client.ts';
import { WorkerLost } from '../../workers/peer.ts';
import type { RequestOf, ResultOf, TextProtocol, TextWorkKind } from './text-work.ts';

export interface TextThreadOptions {
  /** Where the thread asks the engine of this process. */
  readonly host: EngineHost;
  /** How long the thread may do nothing but compute. */
  readonly stallMs: number;
  readonly heapMegabytes: number;
}

/** A thread that does any number of calls side by side. Whoever makes it closes it. */
export class TextThread {
  readonly #client: WorkerClient<TextProtocol>;
  readonly #stallMs: number;

  constructor({ host, stallMs, heapMegabytes }: TextThreadOptions) {
    this.#stallMs = stallMs;
    this.#client = new WorkerClient<TextProtocol>({
      kind: 'thread',
      script: { name: 'dragoman text', source: 'server/threads/text-worker.ts', bundled: 'text-worker.js' },
      settings: host.traits,
      heapMegabytes: () => heapMegabytes,
      answer: (request, over) => host.answer(request, over),
    });
  }

  /** What is being done is interrupted. */
  async close(): Promise<void> {
    await this.#client.close();
  }

  /**
   * @throws DragomanError of the work; `interrupted` when `signal` aborts or the thread was lost with several calls;
   *   `limit_exceeded` when the work took too long or too much memory, `internal` when it crashed.
   */
  async run<K extends TextWorkKind>(
    kind: K,
    request: RequestOf<K>,
    { signal, onFailure }: CallOptions,
  ): Promise<ResultOf<K>> {
    try {
      const { result, failures } = await this.#client.call(
        { kind, request },
        { signal, stallMs: this.#stallMs },
      );
      for (const reason of failures) onFailure?.(reason);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the result is that of the request's kind
      return result as ResultOf<K>;
    } catch (error) {
      throw error instanceof WorkerLost ? errorOf(error) : error;
    }
  }
}

/** Calls that were lost together may be tried again. */
function errorOf(lost: WorkerLost): DragomanError {
  const { reason, calls } = lost;
  if (reason === 'crash')
    return new DragomanError('internal', 'the thread for texts crashed', { cause: lost });
  if (reason === 'closed' || calls > 1) return interrupted();
  const why = reason === 'memory' ? lost.message : 'takes too long';
  return new DragomanError('limit_exceeded', `the work on the text ${why}`);
}
