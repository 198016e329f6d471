import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { withoutKeys } from '../../base/child-environment.ts';
import { DragomanError } from '../../base/errors.ts';
import { interrupted, throwIfAborted } from '../../base/interruption.ts';
import type { EngineDesk } from './engine-desk.ts';
import {
  fromPlainError,
  type FromWorker,
  type InspectTask,
  type Inspection,
  type Task,
  type ToWorker,
  type TranslateTask,
  type Translation,
} from './messages.ts';
import { workerScript } from './worker-script.ts';

export interface WorkerOptions {
  readonly desk: EngineDesk;
  /** Longest time without a sign of life, while no engine is being waited for. */
  readonly stallMs: number;
  /**
   * Megabytes of heap, as a rule and for files that do not fit: one that may have much takes it before it tidies
   * up, whatever it needs.
   */
  readonly heap: { readonly usual: number; readonly most: number };
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * The worker ended, or had to be ended, before it had done its task: not the task's own doing, perhaps. With the next
 * try it has more memory, if that was it.
 */
export class WorkerLost extends Error {
  readonly isOutOfMemory: boolean;

  constructor(message: string, isOutOfMemory = false) {
    super(message);
    this.isOutOfMemory = isOutOfMemory;
  }
}

/** How long an aborted task may take to notice. */
const ABORT_MS = 1_000;

/**
 * A worker process, started when it is needed and again after it was lost. Does one task at a time. Whoever makes it
 * closes it.
 */
export class WorkerProcess {
  readonly #options: WorkerOptions;
  #worker: ChildProcess | undefined;
  #busy = false;
  /** The file for which the usual memory was too little. */
  #largeFile: string | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /**
   * Does a task.
   *
   * @throws DragomanError of the task, `interrupted` when `signal` aborts; {@link WorkerLost} when the worker crashed,
   *   was out of memory, or gave no sign of life.
   */
  run(task: InspectTask, options: RunOptions): Promise<Inspection>;
  run(task: TranslateTask, options: RunOptions): Promise<Translation>;
  async run(task: Task, options: RunOptions): Promise<Inspection | Translation> {
    throwIfAborted(options.signal);
    if (this.#busy) throw new Error('the worker has a task already');
    this.#busy = true;
    try {
      return await this.#runIn(await this.#workerFor(task), task, options);
    } finally {
      this.#busy = false;
    }
  }

  async close(): Promise<void> {
    await this.#stop();
  }

  async #runIn(worker: ChildProcess, task: Task, options: RunOptions): Promise<Inspection | Translation> {
    throwIfAborted(options.signal);
    const calls = this.#options.desk.open((message) => post(worker, message));
    const run = new Run(worker, options, this.#options.stallMs);
    const receive = (message: FromWorker): void => {
      if (message.type !== 'ask') return run.receive(message);
      run.pause();
      calls.answer(message.call, message.request).then(
        () => run.resume(),
        (error: unknown) => run.lose(`its engine could not be asked: ${String(error)}`),
      );
    };
    worker.on('message', receive);
    try {
      post(worker, { type: 'run', task });
      return await run.result;
    } catch (error) {
      // No caller waits for it any more.
      if (error instanceof WorkerLost || run.isStuck) await this.#stop();
      if (error instanceof WorkerLost && error.isOutOfMemory) this.#largeFile = task.source.path;
      throw error;
    } finally {
      worker.off('message', receive);
      run.end();
      calls.close();
    }
  }

  async #workerFor({ source }: Task): Promise<ChildProcess> {
    if (this.#largeFile !== undefined && this.#largeFile !== source.path) {
      this.#largeFile = undefined;
      await this.#stop();
    }
    return (this.#worker ??= this.#start());
  }

  async #stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (!worker || worker.exitCode !== null || worker.signalCode !== null) return;
    const gone = once(worker, 'exit');
    worker.kill('SIGKILL');
    await gone;
  }

  #start(): ChildProcess {
    const { usual, most } = this.#options.heap;
    const { url, execArgv } = workerScript();
    const heap = this.#largeFile === undefined ? usual : most;
    const worker = fork(url, [], {
      execArgv: [...execArgv, `--max-old-space-size=${heap}`],
      serialization: 'advanced',
      // It reads the files of clients, and asks this process for translations.
      env: withoutKeys(process.env),
      // The engine's report of a crash is not shown.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    post(worker, { type: 'start', settings: this.#options.desk.settings });
    // A worker that is lost between two tasks is started again with the next.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }
}

function post(worker: ChildProcess, message: ToWorker): void {
  // One that is gone is noticed by its end.
  worker.send(message, () => undefined);
}

/** One task under way: its result, its time limit, its end. */
class Run {
  readonly result: Promise<Inspection | Translation>;
  /** Whether it was aborted and did not notice in time. */
  isStuck = false;
  readonly #worker: ChildProcess;
  readonly #options: RunOptions;
  readonly #stallMs: number;
  #resolve: (result: Inspection | Translation) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #asked = 0;

  constructor(worker: ChildProcess, options: RunOptions, stallMs: number) {
    this.#worker = worker;
    this.#options = options;
    this.#stallMs = stallMs;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    worker.once('error', this.#crashed);
    worker.once('exit', this.#exited);
    options.signal.addEventListener('abort', this.#abort, { once: true });
    this.#watch();
  }

  receive(message: Exclude<FromWorker, { type: 'ask' }>): void {
    this.#watch();
    if (message.type === 'result') this.#resolve(message.result);
    else if (message.type === 'error') this.#reject(fromPlainError(message.error));
    else this.#options.onProgress?.(message.done, message.total);
  }

  /** It waits for an engine now, which has a time limit of its own. */
  pause(): void {
    this.#asked++;
    if (!this.#options.signal.aborted) clearTimeout(this.#timer);
  }

  resume(): void {
    if (--this.#asked === 0) this.#watch();
  }

  lose(reason: string, isOutOfMemory = false): void {
    this.#reject(new WorkerLost(reason, isOutOfMemory));
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#worker.off('error', this.#crashed);
    this.#worker.off('exit', this.#exited);
    this.#options.signal.removeEventListener('abort', this.#abort);
  }

  #watch(): void {
    // Once it is aborted, another limit counts.
    if (this.#options.signal.aborted) return;
    clearTimeout(this.#timer);
    if (this.#asked > 0) return;
    const seconds = Math.ceil(this.#stallMs / 1000);
    this.#timer = setTimeout(() => this.lose(`made no progress for ${seconds} s`), this.#stallMs);
  }

  readonly #crashed = (error: Error): void => this.lose(`crashed: ${error.message}`);

  readonly #exited = (code: number | null, signal: NodeJS.Signals | null): void => {
    // What the JavaScript engine does at the limit of its heap; or the system, at that of the machine.
    const isOutOfMemory = signal === 'SIGABRT' || signal === 'SIGKILL' || code === 134;
    this.lose(isOutOfMemory ? 'needs too much memory' : 'ended unexpectedly', isOutOfMemory);
  };

  readonly #abort = (): void => {
    post(this.#worker, { type: 'abort' });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.isStuck = true;
      this.#reject(interrupted());
    }, ABORT_MS);
  };
}

/** The failure of a task that no worker survived. */
export function lostError(what: string, lost: WorkerLost): DragomanError {
  return new DragomanError('limit_exceeded', `${what} ${lost.message}`, { cause: lost });
}
