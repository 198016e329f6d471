import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { AskedEngine } from '../../jobs/worker/asked-engine.ts';
import { toPlainError, type WorkerSettings } from '../../jobs/worker/messages.ts';
import { createLocalService } from '../../service/local-service.ts';
import type { CallOptions, TranslationService } from '../../service/service.ts';
import type { FromTextWorker, TextCall, ToTextWorker } from './text-messages.ts';
import { textWork, type RequestOf, type ResultOf, type TextWorkKind } from './text-work.ts';

interface Running {
  readonly engine: AskedEngine;
  readonly controller: AbortController;
}

type Work = (
  service: TranslationService,
  request: RequestOf<TextWorkKind>,
  call: CallOptions,
) => Promise<ResultOf<TextWorkKind>>;

/** Does calls side by side: while one waits for the engine the others go on. */
function serve(port: MessagePort, settings: WorkerSettings): void {
  const running = new Map<number, Running>();
  const send = (message: FromTextWorker): void => port.postMessage(message);

  const perform = async (id: number, { kind, request }: TextCall): Promise<void> => {
    const engine = new AskedEngine(settings, (message) => send({ id, type: 'engine', message }));
    const controller = new AbortController();
    running.set(id, { engine, controller });
    const failures: string[] = [];
    try {
      const call = { signal: controller.signal, onFailure: (reason: string) => void failures.push(reason) };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a call's request is that of its kind
      const work = textWork[kind] as Work;
      const result = await work(createLocalService({ engine }), request, call);
      send({ id, type: 'result', result, failures });
    } catch (error) {
      send({ id, type: 'error', error: toPlainError(error) });
    } finally {
      running.delete(id);
    }
  };
  port.on('message', (message: ToTextWorker) => {
    if (message.type === 'call') return void perform(message.id, message.call);
    if (message.type === 'ping') return send({ id: message.id, type: 'pong' });
    const call = running.get(message.id);
    if (message.type === 'abort') call?.controller.abort();
    else if (message.message.type === 'answer')
      call?.engine.answer(message.message.call, message.message.outcomes);
    else if (message.message.type === 'refusal')
      call?.engine.refuse(message.message.call, message.message.error);
  });
}

// What a thread is started with has no type of its own.
const settings: WorkerSettings = workerData;
if (parentPort) serve(parentPort, settings);
