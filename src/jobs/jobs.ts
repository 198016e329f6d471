import type { JobService } from '../service/service.ts';

/** The jobs of a data directory, and the pool that works them off. Whoever opens it closes it. */
export interface Jobs {
  /** The operations on jobs of one account. */
  of(accountId: string): JobService;
  /**
   * To be called before an upload is received.
   *
   * @throws DragomanError `rate_limited` when the uploads of the account have taken too long to read.
   */
  requireUploads(accountId: string): void;
  /** The exact body of a job's webhook call as of now; undefined when there is no such job any more. */
  webhookBody(jobId: string): Promise<string | undefined>;
  /** Units that wait and that run in this process, for metrics. */
  counts(): Promise<{ readonly waiting: number; readonly running: number }>;
  /**
   * Begins no more units, and waits for those that run; what is not done within `graceMs` is given back, to be begun
   * again by the process that opens the store next.
   */
  close(graceMs: number): Promise<void>;
}
