import type { JobService } from '../service/service.ts';

/** The jobs of a data directory, and the worker pool that runs them. The code that opens it closes it. */
export interface Jobs {
  /** The operations on jobs of one account. */
  of(accountId: string): JobService;
  /**
   * Call this before receiving an upload.
   *
   * @throws DragomanError `rate_limited` if reading the account's uploads has taken too long
   */
  requireUploads(accountId: string): void;
  /** The exact body of a job's current webhook call; undefined if the job no longer exists. */
  webhookBody(jobId: string): Promise<string | undefined>;
  /** The number of waiting units, and of units running in this process, for metrics. */
  counts(): Promise<{ readonly waiting: number; readonly running: number }>;
  /**
   * Starts no new units and waits for running ones. Units unfinished after `graceMs` are returned to the queue, and the
   * next process to open the store starts them again.
   */
  close(graceMs: number): Promise<void>;
}
