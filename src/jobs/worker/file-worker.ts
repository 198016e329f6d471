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
  /** Longest time without a sign of life, while no engine is being waited for. */
  readonly stallMs: number;
  /**
   * Megabytes of heap, normally and for large files: a process with a large limit uses it before it collects
   * garbage, needed or not.
   */
  readonly heap: { readonly usual: number; readonly most: number };
  /** An idle process ends after this time. Default: it stays. */
  readonly idleMs?: number | undefined;
}

export interface TaskOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** Whether an aborted task waits for pending answers and reports its progress, because it will not be resumed. */
  readonly isLast?: (() => boolean) | undefined;
  /** The answers known before an engine is asked. */
  readonly answers?: KeptAnswers | undefined;
}

/** With Node's 48 a worker takes 40 MB more for a file of 10 MB, and a twentieth of its time less. */
const YOUNG_MEGABYTES = 12;

/** How long an aborted task may take to notice. */
const ABORT_MS = 1_000;
/** How long a charged task may take to count its answers; later, it is not charged. */
const COUNT_MS = 20_000;

/** A worker process that reads and translates files, one task at a time. The creator closes it. */
export class FileWorker {
  readonly #client: WorkerClient<FileProtocol>;
  readonly #stallMs: number;
  /** The answers kept for the current task. */
  #answers: KeptAnswers | undefined;
  /** The file for which the usual memory was too little. */
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
   * Does a task. A file that needed too much memory has more with its next try.
   *
   * @throws DragomanError of the task, `interrupted` when `signal` aborts; {@link WorkerLost} when the worker crashed,
   *   was out of memory, or gave no sign of life.
   */
  run(task: InspectTask, options: TaskOptions): Promise<Inspection>;
  run(task: TranslateTask, options: TaskOptions): Promise<Translation>;
  async run(
    task: FileTask,
    { signal, onProgress, answers, isLast }: TaskOptions,
  ): Promise<Inspection | Translation> {
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
        patienceMs: () => (isLast?.() === true ? COUNT_MS : undefined),
      });
    } catch (error) {
      if (error instanceof WorkerLost && error.reason === 'memory') this.#largeFile = task.source.path;
      throw error;
    }
  }

  /** Starts the process, which takes longer than a small file: its next task will soon come. */
  warm(): void {
    this.#client.warm();
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

/** The error if no worker survived a task. */
export function lostError(what: string, lost: WorkerLost): DragomanError {
  return new DragomanError('limit_exceeded', `${what} ${lost.message}`, { cause: lost });
}
