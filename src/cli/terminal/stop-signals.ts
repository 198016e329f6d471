/**
 * How long this process may compute after a signal without reacting. A single SQLite statement, or a large file, may
 * block the main thread for longer. Measured in processor time, because a process that waits for a CPU or a slow disk
 * will react soon.
 */
const LIMIT_MS = 1_700;

/**
 * Processor time. If one step, such as reading a file, has blocked the main thread for this long, another, such as
 * writing the translated file, may block it for {@link LIMIT_MS}.
 */
const LONG_STEP_MS = LIMIT_MS / 2;
const OBSERVED_EVERY_MS = 100;

/** Only after this time can a command be saving answers of a service or engine; short commands have ended by then. */
const UNSAVED_MS = 2_000;

/** Maximum time for a process that waits instead of computing. */
const LONGEST_MS = 7_000;

/**
 * A thread that also receives the signals. Node has no public way to do that: `process.on` in a thread receives none,
 * and handlers of the main thread run only when it is idle. The code is a string, so that no file needs to be found and
 * read.
 */
const WATCH = `
const { parentPort, workerData: handled } = require('node:worker_threads');
const { Signal } = require('internal/test/binding').internalBinding('signal_wrap');
const { signals } = require('node:os').constants;
let received = 0;
const receive = () => {
  const number = ++received;
  const [usage, begin] = [process.cpuUsage(), performance.now()];
  const look = setInterval(() => {
    if (Atomics.load(handled, 0) >= number) return clearInterval(look);
    const { user, system } = process.cpuUsage(usage);
    if (user + system < ${LIMIT_MS} * 1000 && performance.now() - begin < ${LONGEST_MS}) return;
    require('node:fs').writeSync(2, 'dragoman was busy and did not stop in time: killed\\n');
    process.kill(process.pid, 'SIGKILL');
  }, 100);
};
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  const signal = new Signal();
  signal.onsignal = receive;
  signal.start(signals[name]);
}
parentPort.postMessage('ready');
`;

/**
 * The first signal asks the work to stop and save, the second ends the process, and a process that does not react is
 * killed. Until {@link heed}, a signal ends the process immediately, which is the system's default.
 */
export class StopSignals {
  readonly #controller: AbortController;
  readonly #handled = new Int32Array(new SharedArrayBuffer(4));
  #isHeeded = false;
  #mayBlock = false;
  #observed = process.cpuUsage();
  #thread: Promise<void> | undefined;

  constructor(controller: AbortController) {
    this.#controller = controller;
  }

  /** Handles signals from now on, because pending answers may be paid for. */
  heed(): void {
    if (this.#isHeeded) return;
    this.#isHeeded = true;
    this.#observe();
    if (this.#mayBlock) void this.watch(false);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        Atomics.add(this.#handled, 0, 1);
        if (this.#controller.signal.aborted) process.exit(130);
        this.#controller.abort();
      });
    }
  }

  /** Announces work that may block the main thread for long: the signal thread then runs once signals are handled. */
  expectLongSteps(): void {
    this.#mayBlock = true;
    if (this.#isHeeded) void this.watch(false);
  }

  /** Starts the thread when the command needs it. Most commands end earlier, or translate in short steps. */
  watchWhenNeeded(): void {
    const begin = performance.now();
    const observing = setInterval(() => {
      this.#observe();
      if (this.#isHeeded ? !this.#mayBlock : performance.now() - begin < UNSAVED_MS) return;
      clearInterval(observing);
      void this.watch(false);
    }, OBSERVED_EVERY_MS);
    observing.unref();
  }

  #observe(): void {
    const { user, system } = process.cpuUsage(this.#observed);
    if (user + system > LONG_STEP_MS * 1000) this.#mayBlock = true;
    this.#observed = process.cpuUsage();
  }

  /**
   * Handles signals as soon as the thread that kills a busy process is ready.
   *
   * @param isAwaited whether the process stays alive until then
   */
  async watch(isAwaited: boolean): Promise<void> {
    this.#thread ??= watch(this.#handled, isAwaited);
    await this.#thread;
    this.heed();
  }
}

/**
 * Resolves when the thread receives signals, or if that is impossible because this Node version has different
 * internals.
 */
async function watch(handled: Int32Array, isAwaited: boolean): Promise<void> {
  // Most commands end before they need it.
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
      // A command that ends meanwhile does not wait for the thread. Listeners keep the process alive, so they are added
      // first.
      if (!isAwaited) thread.unref();
    } catch {
      resolve();
    }
  });
}
