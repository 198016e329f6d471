/** The state of a job's webhook call. */
export interface DeliveryState {
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Finished attempts. */
  readonly attempts: number;
  /** Why the last attempt failed. */
  readonly lastError: string | undefined;
  /** When the next attempt is due; undefined after the last one. */
  readonly nextAt: number | undefined;
}

/** A webhook call that this process has claimed. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly origin: string;
  readonly jobId: string;
  readonly url: string;
  /** The stored body; undefined before the first attempt. */
  readonly body: string | undefined;
  /** Number of failed attempts. */
  readonly attempts: number;
  /** The account's signing secret: `whsec_…`. */
  readonly secret: string;
}

/** Limits of concurrent calls. They can be high, because most calls only wait. */
export interface CallLimits {
  /** Concurrent calls by this process. */
  readonly total: number;
  /** Concurrent calls for one account, by all processes. */
  readonly perAccount: number;
  /**
   * Concurrent calls to one receiver, by all processes for all accounts, because an unreachable receiver blocks each
   * call for the whole time limit.
   */
  readonly perOrigin: number;
}

/** Operations on a delivery that this process no longer holds have no effect. */
export interface DeliveryStore {
  /**
   * Claims due calls. Each time, chooses the account with the fewest pending calls, and among its receivers the one
   * with the fewest, so that a long queue does not block others.
   */
  claimDue(limits: CallLimits, now: number): Promise<readonly ClaimedDelivery[]>;
  /** When the next unclaimed call is due after `now`; undefined without one. */
  nextAt(now: number): Promise<number | undefined>;
  /** Stores the body for this and all further attempts. Returns false if the delivery was deleted with its job. */
  storeBody(id: string, body: string): Promise<boolean>;
  /** Records a successful delivery. */
  delivered(id: string, now: number): Promise<void>;
  /** Records a failed attempt: `retryAt` is when the next is due, undefined after the last one. */
  failed(
    id: string,
    failure: { readonly error: string; readonly retryAt: number | undefined },
  ): Promise<void>;
  /** Releases this process's claims, except `running`. The due times do not change. */
  release(running?: readonly string[]): Promise<void>;
}
