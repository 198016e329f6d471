/** What became of the call of a job's webhook. */
export interface DeliveryState {
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Tries that have ended. */
  readonly attempts: number;
  /** Why the last of them failed. */
  readonly lastError: string | undefined;
  /** When the next is due, where there is one. */
  readonly nextAt: number | undefined;
}

/** A call of a webhook that this process has taken on. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly origin: string;
  readonly jobId: string;
  readonly url: string;
  /** As it was stored before the first try; undefined while there was none. */
  readonly body: string | undefined;
  /** Tries whose failure is known. */
  readonly attempts: number;
  /** What the account signs with: `whsec_…`. */
  readonly secret: string;
}

/** Bounds of calls under way. Most of them only wait, so there can be many. */
export interface CallLimits {
  /** Of this process. */
  readonly total: number;
  /** Of all processes. */
  readonly perAccount: number;
  /** Calls of one receiver at once, over all accounts and processes: a dead one holds each for the whole time limit. */
  readonly perOrigin: number;
}

/** What is said of a delivery does nothing when it is not this process's any more. */
export interface DeliveryStore {
  /**
   * Takes on calls that are due: always one of the account that has the fewest under way, and of its receivers the one
   * with the fewest; a long queue of one hides nothing of the others.
   */
  claimDue(limits: CallLimits, now: number): Promise<readonly ClaimedDelivery[]>;
  /** When the next unclaimed call becomes due, after `now`; undefined when there is none. */
  nextAt(now: number): Promise<number | undefined>;
  /** Stores the body for this and all further tries. False when the delivery is gone, because its job was deleted. */
  storeBody(id: string, body: string): Promise<boolean>;
  /** The receiver has it. */
  delivered(id: string, now: number): Promise<void>;
  /** A try has failed: `retryAt` is when the next is due, undefined when it was the last. */
  failed(
    id: string,
    failure: { readonly error: string; readonly retryAt: number | undefined },
  ): Promise<void>;
  /** Gives back what this process has taken on, but for `running`: it is due as it was before. */
  release(running?: readonly string[]): Promise<void>;
}
