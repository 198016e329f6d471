import type { Selectable } from 'kysely';
import type { AccountStore } from './account-store.ts';
import type { DeliveryState, DeliveryStore } from './delivery-store.ts';
import type { ResourceStore } from './resource-store.ts';
import type { JobTable, JobUnitTable } from './shared/schema.ts';

/**
 * The accounts, jobs and deliveries of a server. The code that opens it closes it, after the instances registered on
 * it. All operations resolve when they are committed; times are milliseconds since the epoch, amounts are credits.
 *
 * Every operation throws DragomanError `unwritable_output` if the store's location is unusable, and `store_unavailable`
 * if its database does not answer, in which case the operation had no effect.
 */
export interface Store {
  readonly accounts: AccountStore;
  readonly resources: ResourceStore;
  /**
   * Restarts the webhook call of a job, with the same id and body and all attempts. Returns false if the job has no
   * webhook or has not ended.
   */
  redeliver(jobId: string, now: number): Promise<boolean>;
  /** Guarantees that the database's settings do not give, as sentences for the operator. */
  warnings(): Promise<readonly string[]>;
  /** Whether {@link redeliver} would find a delivery. */
  hasDelivery(jobId: string): Promise<boolean>;
  /** Registers this process on the store, and releases the holdings of dead ones. */
  register(options?: InstanceOptions): Promise<Instance>;
  close(): Promise<void>;
}

export interface InstanceOptions {
  /** Without this, requests are neither counted nor limited. */
  readonly rates?: RateWindowOptions | undefined;
  /** Notifies other processes directly, if the store itself does not. */
  readonly others?: NewsExchange | undefined;
}

export interface NewsExchange {
  announce(news: StoreNews): void;
  onNews(listener: (news: StoreNews) => void): void;
}

/**
 * A notification to other processes: new work, or a deleted job. Notifications may get lost, so processes also
 * poll.
 */
export type StoreNews = 'units' | 'deliveries' | `deleted ${string}`;

/** This process as a user of a store. The caller closes it before the store. */
export interface Instance {
  /** Changes if other processes declare this one dead and release its reservations. */
  readonly id: string;
  /** Milliseconds since the epoch, by the common clock of all processes on the store. */
  readonly now: () => number;
  /** Calls `listener` with the notifications of all processes, including this one, until the instance is closed. */
  onNews(listener: (news: StoreNews) => void): void;
  readonly metering: Metering;
  readonly jobs: JobStore;
  readonly deliveries: DeliveryStore;
  /** Set if the store also keeps the files of jobs; absent if they are in a directory next to it. */
  readonly files?: StoredFiles;
  /** The registered processes, dead or alive. */
  registered(): Promise<ReadonlySet<string>>;
  /** Releases the credits, units and deliveries of processes that died; returns the ids of those processes. */
  reap(): Promise<readonly string[]>;
  /** Resolves after a write to the store's disk. */
  ready(): Promise<void>;
  /** Releases the remaining reservations and the registration. */
  close(): Promise<void>;
}

export interface RateWindowOptions {
  /** Requests per key and window; 0 for no limit. */
  readonly limit: number;
  readonly windowMs: number;
  /** Milliseconds since the epoch; default: {@link Instance.now}. */
  readonly now?: (() => number) | undefined;
}

/** The state of a key's window after a request. */
export interface RateDecision {
  readonly allowed: boolean;
  /** Requests in this window, including this one and rejected ones. 0 if requests are not counted. */
  readonly made: number;
  /** The largest 32-bit number if unlimited, so that clients never wait. */
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, in milliseconds since the epoch. */
  readonly resetAt: number;
}

/** The owner of a key. Specification, Authentication 7 and 8: unknown and revoked keys get different answers. */
export type Caller =
  | {
      readonly state: 'active';
      readonly keyId: string;
      readonly accountId: string;
      readonly rate: RateDecision;
      /** The credits that can be spent now. */
      readonly spendable: number;
      /** The account's limit: see {@link AccountLimits}. */
      readonly maxConcurrency: number | undefined;
    }
  | { readonly state: 'revoked' }
  | { readonly state: 'unknown' };

/** The answer to a reservation that exceeds the balance: the credits that could be spent. */
export interface Shortage {
  readonly remaining: number;
}

/** The purpose of a charge. */
export interface ChargeEntry {
  /** The specification's name of the operation. */
  readonly operation: string;
  /** The request's id. */
  readonly reference: string;
  /** How the request is counted in the account's summary. */
  readonly successful: boolean;
}

/** Credits that no other request can spend until this one is settled or its process ends. */
export interface Reservation {
  readonly amount: number;
  /**
   * Charges `charge`, at most the amount, releases the rest and counts the request. On disk when it resolves. Call it
   * once; if it fails, nothing was charged, and the call may be repeated. A charge of 0 does not fail if the store is
   * not writable: it is executed later.
   */
  settle(charge: number, entry: ChargeEntry): Promise<void>;
}

/** Narrows the answer of {@link Metering.reserve}. */
export function isShortage(answer: Reservation | Shortage): answer is Shortage {
  return 'remaining' in answer;
}

/**
 * The metering of synchronous requests. Credits are reserved before the work and settled after it, or charged after it
 * if the account has plenty. No account ever spends more than it has, however many requests, processes and jobs run
 * concurrently.
 */
export interface Metering {
  /**
   * Looks up a key, and counts the request in the key's window. All processes count together, and a restart does not
   * reset the window, though a power cut may. The key is compared exactly; surrounding spaces make it unknown.
   */
  admit(key: string): Promise<Caller>;
  /** Reserves the whole `amount`, or nothing if less is left. */
  reserve(accountId: string, amount: number): Promise<Reservation | Shortage>;
  /**
   * Charges `amount` for a request without a reservation, and counts it. On disk when it resolves; if it fails, nothing
   * was charged.
   *
   * @returns false if nothing was charged because the account cannot afford this and its concurrent requests together;
   * a reservation may still succeed
   */
  charge(accountId: string, amount: number, entry: ChargeEntry): Promise<boolean>;
  /** Counts a request without a reservation. A power cut may lose it. */
  countRequest(accountId: string, successful: boolean): Promise<void>;
}

export type JobRow = Selectable<JobTable>;
export type UnitRow = Selectable<JobUnitTable>;

export interface NewJob {
  readonly id: string;
  readonly accountId: string;
  readonly filename: string;
  readonly fileType: JobTable['file_type'];
  /** Canonical codes without duplicates. */
  readonly sourceLanguage: string;
  readonly targetLanguages: readonly string[];
  readonly totalKeys: number;
  /** The size of the uploaded file. */
  readonly bytes: number;
  readonly webhookUrl: string | undefined;
  readonly now: number;
}

/** The price of a translation into every language: 1 credit per key and language. */
export function creditsOfJob({ totalKeys, targetLanguages }: NewJob): number {
  return totalKeys * targetLanguages.length;
}

/** This many bytes of a file count as one key of work, even if the file has few keys. */
export const BYTES_PER_KEY = 100;

/** A process's claim on a unit. Operations on a unit that is no longer claimed have no effect. */
export interface UnitClaim {
  readonly jobId: string;
  readonly language: string;
  readonly instanceId: string;
}

export interface ClaimedUnit extends UnitClaim {
  readonly accountId: string;
  readonly filename: string;
  readonly fileType: JobTable['file_type'];
  readonly sourceLanguage: string;
  readonly totalKeys: number;
  /**
   * The amount of work in each language: the number of keys or, if greater, the bytes divided by {@link BYTES_PER_KEY}.
   */
  readonly size: number;
  /** The number of starts, including the current one. */
  readonly attempts: number;
}

/** Limits the jobs from which a unit is claimed. */
export interface UnitBounds {
  /** See {@link ClaimedUnit}. */
  readonly size: number;
  /** The size of the uploaded file. Default: no limit. */
  readonly bytes?: number | undefined;
  /** An account to exclude. */
  readonly notOf?: string | undefined;
}

/** The result of a unit. */
export interface UnitEnd {
  /** Keys that have a translation; 0 without a file. */
  readonly translatedKeys: number;
  readonly failedKeys: string | null;
  readonly errorMessage: string | null;
  readonly file: { readonly id: string; readonly size: number } | undefined;
}

/** The result of a job whose last unit has ended. */
export type JobEnd = Pick<JobTable, 'translated_keys' | 'failed_keys' | 'error_message'> & {
  readonly status: 'completed' | 'partial' | 'failed';
};

export interface UnitEnding {
  readonly claim: UnitClaim;
  readonly end: UnitEnd;
  /**
   * Computes a job's result from its units, in the order of its languages, after all have ended. May be called more
   * than once.
   */
  readonly judge: (job: JobRow, units: readonly UnitRow[]) => JobEnd;
  readonly now: number;
}

export interface JobPage {
  readonly jobs: readonly JobRow[];
  /** Set if older jobs exist. Reveals nothing about other accounts, and does not work for them. */
  readonly next: string | undefined;
}

export interface JobStore {
  /**
   * Stores a job with a unit of work per language, and reserves its maximum price.
   *
   * @returns the remaining credits if they are too few, in which case nothing was stored
   * @throws DragomanError `limit_exceeded` if the account may not have this many jobs or bytes
   */
  insert(job: NewJob): Promise<Shortage | undefined>;
  /**
   * The jobs of an account, newest first; with `cursor`, those after an earlier page.
   *
   * @throws DragomanError `invalid_request` for an invalid cursor
   */
  list(
    accountId: string,
    page: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<JobPage>;
  find(id: string): Promise<JobRow | undefined>;
  findOf(accountId: string, id: string): Promise<JobRow | undefined>;
  /** The id of the most recently stored job, of any account. */
  newest(): Promise<string | undefined>;
  /** The state of the job's webhook call; undefined without one, or if the job has not ended. */
  delivery(jobId: string): Promise<DeliveryState | undefined>;
  /** The units of a job, in the order of its languages. */
  units(jobId: string): Promise<readonly UnitRow[]>;
  /** The existing jobs among these, with the ids of their translated files. */
  filesOf(ids: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /**
   * Removes a job with its units and webhook calls. Charges the keys known to be translated in unfinished units, and
   * releases their other reservations. A running unit is charged by its process when it ends.
   *
   * @returns whether the job existed
   */
  delete(accountId: string, id: string, now: number): Promise<boolean>;
  /**
   * Removes some jobs that ended before a time and whose webhooks have been delivered or abandoned.
   *
   * @returns their ids; empty if no such jobs are left
   */
  expire(endedBefore: number): Promise<readonly string[]>;
  /**
   * Claims the next unit: from the account with the fewest running units, then from the account and job that have
   * waited longest relative to the job's size. So small jobs overtake large ones, but not forever. Restarted units come
   * after the others of their account, so that a unit that crashes its process does not block the rest.
   *
   * @param bounds limits on the job
   */
  claimUnit(now: number, bounds?: UnitBounds): Promise<ClaimedUnit | undefined>;
  /**
   * Reports the finished keys of a running unit; lower numbers than before are ignored. Returns false if this process
   * no longer holds the unit.
   */
  recordProgress(claim: UnitClaim, translatedKeys: number, now: number): Promise<boolean>;
  /**
   * Ends a unit: charges its translated keys, releases the rest of the reservation and, after the last unit, ends the
   * job and queues its webhook call. Atomic.
   *
   * @returns `deleted` if the job was deleted, although the unit is charged; `lost` if others declared this process
   * dead
   */
  endUnit(ending: UnitEnding): Promise<'lost' | 'deleted' | 'ended' | 'job ended'>;
  /**
   * Returns an unfinished unit to the queue, but keeps its answers. Returns false if this process no longer holds the
   * unit; if its job was deleted, the keys known to be translated are charged.
   */
  giveBackUnit(claim: UnitClaim, now: number, translatedKeys?: number): Promise<boolean>;
  /** Whether a unit within these bounds is waiting, and no such unit has been claimed since a given time. */
  hasWaitingUnit(bounds: UnitBounds, since: number): Promise<boolean>;
  /**
   * Stores an engine's answers for a running unit on disk until it ends, so that the next process can continue. Ignored
   * if this process no longer holds the unit.
   */
  keepAnswers(claim: UnitClaim, answers: string): Promise<void>;
  /** The stored answers of a unit, in order. They may be 100 MB, so they are read a few rows at a time. */
  keptAnswers(claim: UnitClaim): AsyncIterable<string>;
  countWaiting(): Promise<number>;
}

/** The file id of a job's source. */
export const SOURCE_FILE = 'source';

/** The files of jobs in the store. A file exists as a whole or not at all, and never changes. */
export interface StoredFiles {
  /** Copies a local file, which is on the store's disk when this resolves. */
  write(jobId: string, fileId: string, path: string): Promise<void>;
  /** Streams the content. @throws DragomanError `not_found` */
  read(jobId: string, fileId: string): Promise<AsyncIterable<Uint8Array>>;
  /** Removes the files of a job that does not exist. */
  remove(jobId: string): Promise<void>;
  /** Removes a translation that no unit of the job references. */
  removeFile(jobId: string, fileId: string): Promise<void>;
  /** Removes the files of processes that died before recording the owner. */
  sweep(olderThanMs: number): Promise<void>;
}
