import type { JobService } from '../service/service.ts';

/** The jobs of a data directory, and the pool that runs them. The opener closes it. */
export interface Jobs {
  /** The operations on jobs of one account. */
  of(accountId: string): JobService;
  /**
   * To be called before an upload is received.
   *
   * @throws DragomanError `rate_limited` when the uploads of the account have taken too long to read.
   */
  requireUploads(accountId: string): void;
  /** The exact body of a job's current webhook call; undefined if the job no longer exists. */
  webhookBody(jobId: string): Promise<string | undefined>;
  /** Units that wait and that run in this process, for metrics. */
  counts(): Promise<{ readonly waiting: number; readonly running: number }>;
  /**
   * Starts no more units, and waits for running ones; units unfinished after `graceMs` are returned, and
   * the process that opens the store next starts them again.
   */
  close(graceMs: number): Promise<void>;
}
