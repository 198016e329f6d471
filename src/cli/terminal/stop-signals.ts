/**
 * From a signal to the moment when this process has to have taken notice of it. One statement of SQLite, or one file, may
 * keep the main thread for longer.
 */
const LIMIT_MS = 1_700;

/**
 * A thread that gets the signals, too. Node has no public way to that: `process.on` of a thread gets none, and handlers of
 * the main thread run only when it is idle. As text, so that no file has to be found and read.
 */
const WATCH = `
const { parentPort, workerData: handled } = require('node:worker_threads');
const { Signal } = require('internal/test/binding').internalBinding('signal_wrap');
const { signals } = require('node:os').constants;
let received = 0;
const receive = () => {
  const number = ++received;
  setTimeout(() => {
    if (Atomics.load(handled, 0) >= number) return;
    require('node:fs').writeSync(2, 'dragoman was busy and did not stop in time: ended\\n');
    process.kill(process.pid, 'SIGKILL');
  }, ${LIMIT_MS});
};
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  const signal = new Signal();
  signal.onsignal = receive;
  signal.start(signals[name]);
}
parentPort.postMessage('ready');
`;

/**
 * The first signal asks the work to stop and save, the second ends the process, and a process that takes no notice of one
 * is killed. Until the promise resolves, a signal ends the process at once, as the system does by default.
 *
 * @param isAwaited the process stays alive until then
 */
export async function stopOnSignals(
  controller: AbortController,
  { isAwaited }: { readonly isAwaited: boolean },
): Promise<void> {
  const handled = new Int32Array(new SharedArrayBuffer(4));
  await watch(handled, isAwaited);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      Atomics.add(handled, 0, 1);
      if (controller.signal.aborted) process.exit(130);
      controller.abort();
    });
  }
}

/** Resolves when the thread gets signals; also where there can be none, because the internals of a Node are others. */
async function watch(handled: Int32Array, isAwaited: boolean): Promise<void> {
  // Most commands are over before they need it.
  const { Worker } = await import('node:worker_threads');
  await new Promise<void>((resolve) => {
    try {
      const thread = new Worker(WATCH, {
        eval: true,
        workerData: handled,
        execArgv: ['--expose-internals', '--no-warnings'],
        env: {},
        resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
      });
      const end = (): void => {
        thread.unref();
        resolve();
      };
      thread.once('message', end).on('error', end);
      // A command that is over meanwhile does not wait for it. Listeners keep the process alive, so that they come first.
      if (!isAwaited) thread.unref();
    } catch {
      resolve();
    }
  });
}
