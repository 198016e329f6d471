import { parentPort } from 'node:worker_threads';
import {
  fromPlainError,
  toPlainError,
  type FromWorker,
  type ToWorker,
  type WorkerProtocol,
} from './protocol.ts';

/** A call, as the worker sees it. */
export interface CallContext<P extends WorkerProtocol> {
  readonly signal: AbortSignal;
  readonly note: (note: P['note']) => void;
  /** Asks the host. @throws the DragomanError in its answer */
  readonly ask: (question: P['question']) => Promise<P['answer']>;
}

type Perform<P extends WorkerProtocol> = (
  request: P['request'],
  context: CallContext<P>,
) => Promise<P['result']>;

interface ServedCall<P extends WorkerProtocol> {
  /** Created when the call's signal is read or aborts. */
  controller?: AbortController;
  readonly questions: Map<number, { resolve(answer: P['answer']): void; reject(error: Error): void }>;
}

/**
 * Turns this thread or process into a worker that performs calls concurrently as they arrive. The host detects a crash.
 *
 * @param open called once, with the settings of the worker
 */
export function serveCalls<P extends WorkerProtocol>(open: (settings: P['settings']) => Perform<P>): void {
  const running = new Map<number, ServedCall<P>>();
  let perform: Perform<P> | undefined;

  const run = async (id: number, request: P['request']): Promise<void> => {
    const questions: ServedCall<P>['questions'] = new Map();
    const call: ServedCall<P> = { questions };
    running.set(id, call);
    let last = 0;
    const context: CallContext<P> = {
      get signal() {
        return (call.controller ??= new AbortController()).signal;
      },
      note: (note) => send<P>({ type: 'note', id, note }),
      ask: (asked) =>
        new Promise((resolve, reject) => {
          const question = ++last;
          questions.set(question, { resolve, reject });
          send<P>({ type: 'ask', id, question, asked });
        }),
    };
    try {
      const result = await perform?.(request, context);
      send<P>({ type: 'result', id, result });
    } catch (error) {
      send<P>({ type: 'error', id, error: toPlainError(error) });
    } finally {
      running.delete(id);
    }
  };

  const receive = (message: ToWorker<P>): void => {
    if (message.type === 'start') perform = open(message.settings);
    else if (message.type === 'call') void run(message.id, message.request);
    else if (message.type === 'abort') {
      const call = running.get(message.id);
      if (call) (call.controller ??= new AbortController()).abort();
    } else {
      const questions = running.get(message.id)?.questions;
      const question = questions?.get(message.question);
      questions?.delete(message.question);
      if (message.type === 'answer') question?.resolve(message.answer);
      else question?.reject(fromPlainError(message.error));
    }
  };

  if (parentPort) return void parentPort.on('message', receive);
  process.on('message', receive);
  process.on('disconnect', () => process.exit());
  // Terminals send this signal to all processes; the main program handles it.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
}

function send<P extends WorkerProtocol>(message: FromWorker<P>): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only applies to windows
  if (parentPort) parentPort.postMessage(message);
  // If the program has ended, this process ends too.
  else process.send?.(message, undefined, undefined, () => undefined);
}
