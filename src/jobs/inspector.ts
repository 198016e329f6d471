import { interrupted } from '../base/interruption.ts';
import { WorkerLost } from '../workers/peer.ts';
import { lostError, type FileWorker } from './worker/file-worker.ts';
import type { InspectTask, Inspection } from './worker/tasks.ts';

interface WaitingUpload {
  readonly accountId: string;
  begin(): Promise<void>;
}

/** A process that has read a file of 10 MB holds 100 MB, as long as it lives. */
const LARGE_BYTES = 1024 * 1024;

/**
 * Inspects uploads one after the other in a process of its own, so that they never wait for a translation: accounts take
 * turns, and within one the first come is first.
 */
export class Inspector {
  readonly #worker: FileWorker;
  #waiting: WaitingUpload[] = [];
  #lastAccount: string | undefined;
  #isRunning = false;
  #closed = false;

  constructor(worker: FileWorker) {
    this.#worker = worker;
  }

  /**
   * @param bytes of the file
   * @throws DragomanError of the inspection, `limit_exceeded` when it takes too much time or memory, `interrupted`.
   */
  inspect(accountId: string, task: InspectTask, bytes: number, signal: AbortSignal): Promise<Inspection> {
    return new Promise<Inspection>((resolve, reject) => {
      const begin = async (): Promise<void> => {
        await this.#inspect(task, signal).then(resolve, reject);
        if (bytes > LARGE_BYTES) await this.#worker.close();
      };
      if (this.#closed) reject(interrupted());
      else {
        this.#waiting.push({ accountId, begin });
        void this.#drain();
      }
    });
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
      throw error instanceof WorkerLost ? lostError('reading the file', error) : error;
    }
  }

  async #drain(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let next = this.#takeNext(); next; next = this.#takeNext()) await next.begin();
    this.#isRunning = false;
  }

  /** The first one of the account whose turn it is: accounts follow one another in the order of their first. */
  #takeNext(): WaitingUpload | undefined {
    const accounts = [...new Set(this.#waiting.map(({ accountId }) => accountId))];
    const account = accounts.find((id) => id !== this.#lastAccount) ?? accounts[0];
    const next = this.#waiting.find(({ accountId }) => accountId === account);
    this.#waiting = this.#waiting.filter((waiting) => waiting !== next);
    this.#lastAccount = account;
    return next;
  }
}
