import { interrupted } from '../engines/interruption.ts';
import type { InspectTask, Inspection } from './worker/messages.ts';
import { lostError, ThreadLost, type WorkerThread } from './worker/worker-thread.ts';

interface Waiting {
  readonly accountId: string;
  begin(): Promise<void>;
}

/** A thread that nothing uses is given back after so long. */
const IDLE_MS = 1_000;

/**
 * Inspects uploads one after the other in a thread of its own, so that they never wait for a translation: accounts take
 * turns, and within one the first come is first.
 */
export class Inspector {
  readonly #thread: WorkerThread;
  #waiting: Waiting[] = [];
  #lastAccount: string | undefined;
  #isRunning = false;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(thread: WorkerThread) {
    this.#thread = thread;
  }

  /** @throws DragomanError of the inspection, `limit_exceeded` when it takes too much time or memory, `interrupted`. */
  inspect(accountId: string, task: InspectTask, signal: AbortSignal): Promise<Inspection> {
    return new Promise<Inspection>((resolve, reject) => {
      const begin = (): Promise<void> => this.#inspect(task, signal).then(resolve, reject);
      if (this.#closed) reject(interrupted());
      else {
        this.#waiting.push({ accountId, begin });
        void this.#drain();
      }
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#thread.close();
  }

  async #inspect(task: InspectTask, signal: AbortSignal): Promise<Inspection> {
    try {
      const read = (): Promise<Inspection> => this.#thread.run(task, { signal });
      return await read().catch((error: unknown) => {
        if (!(error instanceof ThreadLost && error.isOutOfMemory) || this.#closed) throw error;
        return read();
      });
    } catch (error) {
      if (this.#closed) throw interrupted();
      throw error instanceof ThreadLost ? lostError('reading the file', error) : error;
    }
  }

  async #drain(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    clearTimeout(this.#idle);
    for (let next = this.#takeNext(); next; next = this.#takeNext()) await next.begin();
    this.#isRunning = false;
    if (!this.#closed) this.#idle = setTimeout(() => void this.#thread.close(), IDLE_MS).unref();
  }

  /** The first one of the account whose turn it is: accounts follow one another in the order of their first. */
  #takeNext(): Waiting | undefined {
    const accounts = [...new Set(this.#waiting.map(({ accountId }) => accountId))];
    const account = accounts.find((id) => id !== this.#lastAccount) ?? accounts[0];
    const next = this.#waiting.find(({ accountId }) => accountId === account);
    this.#waiting = this.#waiting.filter((waiting) => waiting !== next);
    this.#lastAccount = account;
    return next;
  }
}
