import { interrupted } from '../base/interruption.ts';
import { WorkerLost } from '../workers/peer.ts';
import type { InspectionBudget } from './inspection-budget.ts';
import { workerLostError, type FileWorker } from './worker/file-worker.ts';
import type { InspectTask, Inspection } from './worker/tasks.ts';

interface WaitingUpload {
  readonly accountId: string;
  begin(): Promise<void>;
}

/** Files up to this size are read in an instant and do not wait for larger ones. */
const SMALL_BYTES = 256 * 1024;
/** A process that has read a file of 10 MB keeps 100 MB until it ends. */
const LARGE_BYTES = 1024 * 1024;

interface InspectorOptions {
  readonly small: FileWorker;
  /** For all files that are not small. */
  readonly large: FileWorker;
  readonly budget: InspectionBudget;
}

/**
 * Inspects uploads in two separate processes, so that they never wait for a translation: one for small files, one for
 * all others. In each, accounts take turns, and the files of one account are read in order. Reading is free of charge,
 * so the reading time of each account is limited.
 */
export class Inspector {
  readonly #small: InspectionLane;
  readonly #large: InspectionLane;
  readonly #budget: InspectionBudget;

  constructor({ small, large, budget }: InspectorOptions) {
    this.#small = new InspectionLane(small);
    this.#large = new InspectionLane(large);
    this.#budget = budget;
  }

  /**
   * @param bytes the size of the file
   * @throws DragomanError of the inspection, `limit_exceeded` if it takes too much time or memory, `rate_limited` if
   * the account's budget is spent, `interrupted`.
   */
  async inspect(
    accountId: string,
    task: InspectTask,
    bytes: number,
    signal: AbortSignal,
  ): Promise<Inspection> {
    const lane = bytes <= SMALL_BYTES ? this.#small : this.#large;
    if (bytes > LARGE_BYTES) this.#small.warm();
    return lane.run(accountId, async (inspect) => {
      const done = this.#budget.begin(accountId);
      try {
        return await inspect(task, signal);
      } finally {
        done();
        if (bytes > LARGE_BYTES) await lane.rest();
      }
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#small.close(), this.#large.close()]);
  }
}

type Inspect = (task: InspectTask, signal: AbortSignal) => Promise<Inspection>;

/** A process and the uploads waiting for it. */
class InspectionLane {
  readonly #worker: FileWorker;
  #waiting: WaitingUpload[] = [];
  #lastAccount: string | undefined;
  #isRunning = false;
  #closed = false;

  constructor(worker: FileWorker) {
    this.#worker = worker;
  }

  run(accountId: string, work: (inspect: Inspect) => Promise<Inspection>): Promise<Inspection> {
    return new Promise<Inspection>((resolve, reject) => {
      const begin = (): Promise<void> =>
        work((task, signal) => this.#inspect(task, signal)).then(resolve, reject);
      if (this.#closed) reject(interrupted());
      else {
        this.#waiting.push({ accountId, begin });
        void this.#drain();
      }
    });
  }

  /** Starts the process for small files early, so that they do not wait for the large one to start. */
  warm(): void {
    if (!this.#closed) this.#worker.warm();
  }

  /** Ends the process. The next file starts a new one. */
  async rest(): Promise<void> {
    await this.#worker.close();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker.close();
  }

  async #inspect(task: InspectTask, signal: AbortSignal): Promise<Inspection> {
    if (this.#closed) throw interrupted();
    try {
      const read = (): Promise<Inspection> => this.#worker.run(task, { signal });
      return await read().catch((error: unknown) => {
        if (!(error instanceof WorkerLost && error.reason === 'memory') || this.#closed) throw error;
        return read();
      });
    } catch (error) {
      if (this.#closed) throw interrupted();
      throw error instanceof WorkerLost ? workerLostError('reading the file', error) : error;
    }
  }

  async #drain(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let next = this.#takeNext(); next; next = this.#takeNext()) await next.begin();
    this.#isRunning = false;
  }

  /** Takes the oldest upload of the account whose turn it is. */
  #takeNext(): WaitingUpload | undefined {
    const accounts = [...new Set(this.#waiting.map(({ accountId }) => accountId))];
    const account = accounts.find((id) => id !== this.#lastAccount) ?? accounts[0];
    const next = this.#waiting.find(({ accountId }) => accountId === account);
    this.#waiting = this.#waiting.filter((waiting) => waiting !== next);
    this.#lastAccount = account;
    return next;
  }
}
