import { DragomanError } from '../../base/errors.ts';
import type { EngineHost, HostRequest, PlainOutcome } from '../../engines/host.ts';
import type { AccountResources } from '../../resources/account-resources.ts';
import { WorkerClient } from '../../workers/client.ts';
import { WorkerLost } from '../../workers/peer.ts';
import type { KeptAnswers } from '../kept-answers.ts';
import type { FileProtocol, FileTask, InspectTask, Inspection, Translation, TranslateTask } from './tasks.ts';

export interface FileWorkerOptions {
  readonly host: EngineHost;
  /** Default: none. */
  readonly resources?: AccountResources | undefined;
  /** How long the worker may show no activity while it is not waiting for an engine. */
  readonly stallMs: number;
  /**
   * Heap in megabytes, normally and for large files. A process with a large limit fills it before it collects garbage,
   * whether it needs the memory or not.
   */
  readonly heap: { readonly usual: number; readonly most: number };
  /** An idle process ends after this time. Default: it keeps running. */
  readonly idleMs?: number | undefined;
}

export interface TaskOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** The answers known before an engine is asked. */
  readonly answers?: KeptAnswers | undefined;
}

/** With Node's default of 48, a worker takes 40 MB more for a 10 MB file, and 5 % less time. */
const YOUNG_MEGABYTES = 12;

/** How long an aborted task may take to stop. */
const ABORT_MS = 1_000;
/** How long it may take to count the engine's answers. After that, they are not charged. */
const COUNT_MS = 20_000;

/** A worker process that reads and translates files, one task at a time. The code that creates it closes it. */
export class FileWorker {
  readonly #client: WorkerClient<FileProtocol>;
  readonly #stallMs: number;
  /** The answers kept for the current task. */
  #answers: KeptAnswers | undefined;
  /** The file that needed more than the usual memory. */
  #largeFile: string | undefined;

  constructor({ host, resources, stallMs, heap, idleMs }: FileWorkerOptions) {
    this.#stallMs = stallMs;
    this.#client = new WorkerClient<FileProtocol>({
      kind: 'process',
      script: { name: 'dragoman job', source: 'jobs/worker/worker.ts', bundled: 'job-worker.js' },
      settings: { engine: host.traits, shared: resources?.shared ?? {} },
      youngMegabytes: YOUNG_MEGABYTES,
      heapMegabytes: () => (this.#largeFile === undefined ? heap.usual : heap.most),
      abortMs: ABORT_MS,
      idleMs,
      answer: async (question, over) => {
        if (!('engine' in question)) return (await resources?.answer(question)) ?? {};
        const ask = (open: HostRequest): Promise<readonly PlainOutcome[]> => host.answer(open, over);
        return { outcomes: await (this.#answers?.answer(question.engine, ask) ?? ask(question.engine)) };
      },
    });
  }

  /**
   * Runs a task. If a file needed too much memory, its next attempt gets more. If the engine was asked, an aborted task
   * waits for pending answers, because they may have been paid for, and reports its progress.
   *
   * @throws DragomanError of the task, `interrupted` if `signal` aborts; {@link WorkerLost} if the worker crashed, ran
   * out of memory or stopped responding
   */
  run(task: InspectTask, options: TaskOptions): Promise<Inspection>;
  run(task: TranslateTask, options: TaskOptions): Promise<Translation>;
  async run(task: FileTask, { signal, onProgress, answers }: TaskOptions): Promise<Inspection | Translation> {
    this.#answers = answers;

    if (this.#largeFile !== undefined && this.#largeFile !== task.source.path) {
      this.#largeFile = undefined;
      await this.#client.close();
    }
    try {
      return await this.#client.call(task, {
        signal,
        stallMs: this.#stallMs,
        onNote: ({ done, total }) => onProgress?.(done, total),
        patienceMs: () => (answers?.wasAsked === true ? COUNT_MS : undefined),
      });
    } catch (error) {
      if (error instanceof WorkerLost && error.reason === 'memory') this.#largeFile = task.source.path;
      throw error;
    }
  }

  /** Starts the process before its next task arrives, because starting takes longer than a small file. */
  warm(): void {
    this.#client.warm();
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

/** The error if every worker died on a task. */
export function workerLostError(what: string, lost: WorkerLost): DragomanError {
  return new DragomanError('limit_exceeded', `${what} ${lost.message}`, { cause: lost });
}
