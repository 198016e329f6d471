import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { AskedEngine } from './asked-engine.ts';
import { inspectFile } from './inspect-file.ts';
import {
  toPlainError,
  type FromWorker,
  type Results,
  type Task,
  type ToWorker,
  type WorkerSettings,
} from './messages.ts';
import { OpenSources } from './open-sources.ts';
import { translateUnit } from './translate-unit.ts';

/** A thread of the pool: does one task after the other. What it does not survive, the main thread sees. */
function serve(port: MessagePort, settings: WorkerSettings): void {
  const send = (message: FromWorker): void => port.postMessage(message);
  const engine = new AskedEngine(settings, send);
  const sources = new OpenSources();
  let running = new AbortController();

  const run = (task: Task): Promise<Results[Task['kind']]> => {
    if (task.kind === 'inspect') return inspectFile(task);
    running = new AbortController();
    const onProgress = (done: number, total: number): void => send({ type: 'progress', done, total });
    return translateUnit(task, { engine, sources, signal: running.signal, onProgress });
  };
  port.on('message', (message: ToWorker) => {
    if (message.type === 'answer') engine.answer(message.call, message.outcomes);
    else if (message.type === 'refusal') engine.refuse(message.call, message.error);
    else if (message.type === 'abort') running.abort();
    else {
      run(message.task).then(
        (result) => send({ type: 'result', result }),
        (error: unknown) => send({ type: 'error', error: toPlainError(error) }),
      );
    }
  });
}

// What a thread is started with has no type of its own.
const settings: WorkerSettings = workerData;
if (parentPort) serve(parentPort, settings);
