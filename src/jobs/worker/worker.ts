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

/** A worker of the pool: does one task after the other. What it does not survive, the program sees. */
function serve(settings: WorkerSettings): (message: ToWorker) => void {
  const send = (message: FromWorker): void => {
    // The program may be gone: then this ends as well.
    process.send?.(message, undefined, undefined, () => undefined);
  };
  const engine = new AskedEngine(settings, send);
  const sources = new OpenSources();
  let running = new AbortController();

  const run = (task: Task): Promise<Results[Task['kind']]> => {
    if (task.kind === 'inspect') return inspectFile(task);
    running = new AbortController();
    const onProgress = (done: number, total: number): void => send({ type: 'progress', done, total });
    return translateUnit(task, { engine, sources, signal: running.signal, onProgress });
  };
  return (message) => {
    if (message.type === 'answer') engine.answer(message.call, message.outcomes);
    else if (message.type === 'refusal') engine.refuse(message.call, message.error);
    else if (message.type === 'abort') running.abort();
    else if (message.type === 'run') {
      run(message.task).then(
        (result) => send({ type: 'result', result }),
        (error: unknown) => send({ type: 'error', error: toPlainError(error) }),
      );
    }
  };
}

let receive: ((message: ToWorker) => void) | undefined;
process.on('message', (message: ToWorker) => {
  if (message.type === 'start') receive = serve(message.settings);
  else receive?.(message);
});
process.on('disconnect', () => process.exit());
// They go to all processes of a terminal; the program decides what they mean.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
